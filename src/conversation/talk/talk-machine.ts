/** The states of a conversation. */
export type TalkState =
  /** A turn is being prepared that answers no caller: the agent's first, or the report of a failed transfer. */
  | 'opening'
  | 'listening'
  /** The caller's turn is over; the answer is being prepared. */
  | 'thinking'
  | 'speaking'
  /** The agent pauses in mid-sentence to find out whether the overlapping speech is meant. */
  | 'yielding'
  /** The caller is being connected with a person. */
  | 'connecting'
  /** A machine has answered; the agent waits for the end of its greeting. */
  | 'greeted'
  /** A message is being left, or last words are being said to a silent caller. */
  | 'leaving'
  /** The caller was silent for too long; the agent's last words are being prepared. */
  | 'parting'
  /** The last word was played; a short pause before hanging up. */
  | 'closing'
  /** The agent is silent: it is muted, the caller is on hold, or a person speaks in its place. */
  | 'operated'
  | 'ended';

/** The events of a conversation. */
export type TalkEvent =
  /** The first frame of the agent's turn left. */
  | 'sounded'
  /** The agent's turn was played; the agent listens next. */
  | 'said'
  /** The agent's last turn was played. */
  | 'said_goodbye'
  /** The agent's turn was played; a connection with a person follows. */
  | 'said_transfer'
  /** The connection failed. */
  | 'not_connected'
  /** The caller talks with a person on another line. */
  | 'joined'
  /** The caller stopped speaking. */
  | 'utterance'
  /** The caller typed or pressed a key. */
  | 'input'
  /** The sound that seemed to be the caller's turn was no speech. */
  | 'nothing_said'
  /** The caller speaks over an interruptible turn. */
  | 'overlap'
  /** The overlapping speech is meant to interrupt. */
  | 'barge_in'
  /** The overlapping sound was a cough or a back-channel ("mm-hm"). */
  | 'false_alarm'
  /** Silence long enough for the agent to ask. */
  | 'idle'
  /** Silence long enough to hang up. */
  | 'silence'
  /** A machine has answered, and a message will be left. */
  | 'machine'
  /** The machine's greeting is over; it records. */
  | 'beeped'
  /** The pause after the last word is over, or the last words take too long. */
  | 'faded'
  /** A person silences the agent. */
  | 'taken_over'
  /** The agent continues. */
  | 'handed_back'
  /** The hold is over; the agent speaks first. */
  | 'resumed'
  /** The person on the other line has left, and the agent continues. */
  | 'returned'
  /** A person's text for the agent to say is due, in silence. */
  | 'told';

/** The actions that events cause. */
export type TalkAction =
  | 'nothing'
  /** Write down what was said, without an answer. */
  | 'note'
  /** Transcribe what was said, and answer it. */
  | 'answer'
  /** Transcribe what was said over the agent and decide whether it was meant. */
  | 'weigh'
  /** Fall silent in mid-sentence, able to continue. */
  | 'pause'
  | 'resume'
  /** Keep the input until the agent's turn is over, and answer it then if the agent listens. */
  | 'keep'
  /** Stop the agent's turn at once; the transcript keeps the words heard. */
  | 'interrupt'
  | 'listen'
  | 'prompt'
  | 'connect'
  /** Say goodbye to a silent caller. */
  | 'part'
  /** Say that the transfer failed, and continue. */
  | 'apologise'
  /** Continue with a caller who talked with a person. */
  | 'return'
  /** Fall silent, and wait for the beep. */
  | 'cut'
  | 'leave_message'
  | 'hang_up'
  | 'close'
  /** Say the text that a person gave. */
  | 'say_told';

interface Move {
  to: TalkState;
  action: TalkAction;
}

/** A machine in place of a person means the same in every state. */
const MACHINE = { machine: { to: 'greeted', action: 'cut' } } as const satisfies Partial<
  Record<TalkEvent, Move>
>;

/** A person may take over in every state in which the agent talks. */
const OPERATED = { taken_over: { to: 'operated', action: 'cut' } } as const satisfies Partial<
  Record<TalkEvent, Move>
>;

/** Events missing from a row are ignored in that state. */
const TALK: Readonly<Record<TalkState, Partial<Record<TalkEvent, Move>>>> = {
  opening: {
    ...MACHINE,
    ...OPERATED,
    sounded: { to: 'speaking', action: 'nothing' },
    said: { to: 'listening', action: 'listen' },
    said_goodbye: { to: 'closing', action: 'close' },
    said_transfer: { to: 'connecting', action: 'connect' },
    utterance: { to: 'opening', action: 'note' },
    input: { to: 'opening', action: 'keep' },
  },
  listening: {
    ...MACHINE,
    ...OPERATED,
    told: { to: 'thinking', action: 'say_told' },
    utterance: { to: 'thinking', action: 'answer' },
    input: { to: 'thinking', action: 'answer' },
    idle: { to: 'thinking', action: 'prompt' },
    silence: { to: 'parting', action: 'part' },
  },
  thinking: {
    ...MACHINE,
    ...OPERATED,
    sounded: { to: 'speaking', action: 'nothing' },
    said: { to: 'listening', action: 'listen' },
    said_goodbye: { to: 'closing', action: 'close' },
    said_transfer: { to: 'connecting', action: 'connect' },
    // The caller had not finished: both parts are answered as one.
    utterance: { to: 'thinking', action: 'answer' },
    input: { to: 'thinking', action: 'answer' },
    nothing_said: { to: 'listening', action: 'listen' },
  },
  speaking: {
    ...MACHINE,
    ...OPERATED,
    said: { to: 'listening', action: 'listen' },
    said_goodbye: { to: 'closing', action: 'close' },
    said_transfer: { to: 'connecting', action: 'connect' },
    utterance: { to: 'speaking', action: 'weigh' },
    input: { to: 'speaking', action: 'keep' },
    overlap: { to: 'yielding', action: 'pause' },
    barge_in: { to: 'listening', action: 'interrupt' },
  },
  yielding: {
    ...MACHINE,
    ...OPERATED,
    utterance: { to: 'yielding', action: 'weigh' },
    input: { to: 'yielding', action: 'keep' },
    barge_in: { to: 'listening', action: 'interrupt' },
    false_alarm: { to: 'speaking', action: 'resume' },
  },
  connecting: {
    ...MACHINE,
    utterance: { to: 'connecting', action: 'note' },
    input: { to: 'connecting', action: 'keep' },
    // `opening`, not `thinking`: an answer taken back because the caller speaks on would request the same transfer
    // again.
    not_connected: { to: 'opening', action: 'apologise' },
    joined: { to: 'operated', action: 'nothing' },
    taken_over: { to: 'operated', action: 'nothing' },
  },
  greeted: {
    utterance: { to: 'greeted', action: 'note' },
    beeped: { to: 'leaving', action: 'leave_message' },
  },
  leaving: {
    utterance: { to: 'leaving', action: 'note' },
    input: { to: 'leaving', action: 'keep' },
    said_goodbye: { to: 'closing', action: 'close' },
    faded: { to: 'ended', action: 'hang_up' },
  },
  parting: {
    ...OPERATED,
    sounded: { to: 'leaving', action: 'nothing' },
    said_goodbye: { to: 'closing', action: 'close' },
    // The caller is there after all.
    utterance: { to: 'thinking', action: 'answer' },
    input: { to: 'thinking', action: 'answer' },
    faded: { to: 'ended', action: 'hang_up' },
  },
  closing: {
    utterance: { to: 'closing', action: 'note' },
    input: { to: 'closing', action: 'keep' },
    faded: { to: 'ended', action: 'hang_up' },
  },
  operated: {
    utterance: { to: 'operated', action: 'note' },
    handed_back: { to: 'listening', action: 'listen' },
    resumed: { to: 'thinking', action: 'prompt' },
    returned: { to: 'opening', action: 'return' },
    not_connected: { to: 'opening', action: 'apologise' },
  },
  ended: {},
};

/** The move for an event in a state; null if the state ignores the event. */
export function moveFor(state: TalkState, event: TalkEvent): Move | null {
  return TALK[state][event] ?? null;
}

/** The event at the end of the agent's turn, by what follows the turn. */
export const SAID = {
  listen: 'said',
  end: 'said_goodbye',
  transfer: 'said_transfer',
  join: 'said_transfer',
} as const satisfies Record<string, TalkEvent>;

/** The state that observers see; null at the edges of a call. A pause to listen does not end the agent's turn. */
export const SHOWN_AS: Readonly<Record<TalkState, 'listening' | 'thinking' | 'speaking' | null>> = {
  opening: null,
  listening: 'listening',
  thinking: 'thinking',
  speaking: 'speaking',
  yielding: 'speaking',
  connecting: 'thinking',
  greeted: 'listening',
  leaving: 'speaking',
  parting: 'listening',
  closing: null,
  operated: 'listening',
  ended: null,
};
