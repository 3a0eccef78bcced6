// The states of a warm transfer, in which the agent calls a person and joins them with the caller: which event leads to
// which state, and with which action. `WarmTransfer` performs the actions.

/** The state of a warm transfer. The caller is on hold in `calling` and `offering`. */
export type TransferState =
  /** The person's phone is being dialled, or rings. */
  | 'calling'
  /** The person has picked up and is asked whether to take the caller. */
  | 'offering'
  /** The person talks with the caller. */
  | 'joined'
  /** The caller is with the agent again, or gone. */
  | 'over';

/** The events of a warm transfer. */
export type TransferEvent =
  /** The person has answered the phone. */
  | 'picked_up'
  /** The person takes the caller. */
  | 'accepted'
  /** The person's call is over: busy, refused, a machine, hung up. */
  | 'leg_ended'
  /** The agent or an operator has taken the caller back, or the talk with the caller is over. */
  | 'taken_back'
  /** The caller has waited for the longest permitted time. */
  | 'too_late';

/** The action of a move: what `WarmTransfer` does when it enters the next state. */
export type TransferAction =
  /** Brief the person, and ask them whether they take the caller. */
  | 'offer'
  /** Connect the caller with the person. */
  | 'join'
  /** Tell the caller; the agent continues the talk. */
  | 'give_back'
  /** Like `give_back`, and hang up the person's phone. */
  | 'withdraw'
  /** Hang up the person's phone. */
  | 'hang_up'
  /** The person has left the caller, who goes back to the agent, or is hung up. */
  | 'part';

/** The next state, and what to do on entering it. */
interface Move {
  to: TransferState;
  action: TransferAction;
}

/** The moves by which a transfer fails before the lines are joined. */
const FAILURES = {
  leg_ended: { to: 'over', action: 'give_back' },
  too_late: { to: 'over', action: 'withdraw' },
  taken_back: { to: 'over', action: 'hang_up' },
} as const satisfies Partial<Record<TransferEvent, Move>>;

/** The table of moves. An event that is missing in a row is ignored in that state. */
const TRANSFER: Readonly<Record<TransferState, Partial<Record<TransferEvent, Move>>>> = {
  calling: { ...FAILURES, picked_up: { to: 'offering', action: 'offer' } },
  offering: { ...FAILURES, accepted: { to: 'joined', action: 'join' } },
  joined: {
    leg_ended: { to: 'over', action: 'part' },
    taken_back: { to: 'over', action: 'hang_up' },
  },
  over: {},
};

/** The move for an event in a state; null when the event is ignored there. */
export function transferMove(state: TransferState, event: TransferEvent): Move | null {
  return TRANSFER[state][event] ?? null;
}
