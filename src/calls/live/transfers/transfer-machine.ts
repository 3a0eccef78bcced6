/** Where a warm transfer stands. The caller is on hold until it is `joined`. */
export type TransferState =
  /** The person's phone is dialled, and rings. */
  | 'calling'
  /** They have picked up, and are asked whether they take the caller. */
  | 'offering'
  /** They talk with the caller. */
  | 'joined'
  /** The caller is with the agent again, or gone. */
  | 'over';

/** What can happen to it. */
export type TransferEvent =
  | 'picked_up'
  /** They take the caller. */
  | 'accepted'
  /** Their call is over: busy, refused, a machine, hung up. */
  | 'leg_ended'
  /** Somebody has taken the caller back, or the talk with the caller is over. */
  | 'taken_back'
  /** It has taken longer than anybody may be kept waiting. */
  | 'too_late';

/** What is done about it. */
export type TransferAction =
  /** Tell them who waits, and ask. */
  | 'offer'
  | 'join'
  /** The caller is told, and talks with the agent again. */
  | 'give_back'
  /** The same, and the person's phone is hung up. */
  | 'withdraw'
  /** The person's phone is hung up. */
  | 'hang_up'
  /** The person has left the caller, who goes back to the agent, or is hung up. */
  | 'part';

interface Move {
  to: TransferState;
  action: TransferAction;
}

const GIVEN_UP = {
  leg_ended: { to: 'over', action: 'give_back' },
  too_late: { to: 'over', action: 'withdraw' },
  taken_back: { to: 'over', action: 'hang_up' },
} as const satisfies Partial<Record<TransferEvent, Move>>;

/** What is not in a row does not matter in that state. */
const TRANSFER: Readonly<Record<TransferState, Partial<Record<TransferEvent, Move>>>> = {
  calling: { ...GIVEN_UP, picked_up: { to: 'offering', action: 'offer' } },
  offering: { ...GIVEN_UP, accepted: { to: 'joined', action: 'join' } },
  joined: {
    leg_ended: { to: 'over', action: 'part' },
    taken_back: { to: 'over', action: 'hang_up' },
  },
  over: {},
};

/** The move for an event in a state; null when it does not matter there. */
export function transferMove(state: TransferState, event: TransferEvent): Move | null {
  return TRANSFER[state][event] ?? null;
}
