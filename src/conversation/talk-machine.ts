/** Where a talk stands. */
export type TalkState =
  /** The agent's first turn is being prepared. */
  | 'opening'
  | 'listening'
  /** The caller's turn is over; the answer is being prepared. */
  | 'thinking'
  | 'speaking'
  /** The last word was played; its echo dies away. */
  | 'closing'
  | 'ended';

/** What can happen to it. */
export type TalkEvent =
  /** The first frame of the agent's turn left. */
  | 'sounded'
  /** The agent's turn was played; it listens now. */
  | 'said'
  /** The agent's turn was played; it was its last. */
  | 'said_goodbye'
  /** The caller stopped speaking. */
  | 'utterance'
  /** The caller typed or pressed something. */
  | 'input'
  /** The caller speaks over an interruptible turn, for long enough to mean it. */
  | 'barge_in'
  /** Silence for so long that the agent asks. */
  | 'idle'
  /** Silence for so long that it hangs up. */
  | 'silence'
  /** The pause after the last word is over. */
  | 'faded';

/** What is done about it. */
export type TalkAction =
  | 'nothing'
  /** Write down what was said; it is no answer. */
  | 'note'
  /** Understand what was said, and answer it. */
  | 'answer'
  /** Answer when the agent has finished speaking. */
  | 'keep'
  /** Stop the agent's turn at once, keeping of it what was heard. */
  | 'interrupt'
  | 'listen'
  | 'prompt'
  | 'hang_up'
  | 'close';

interface Move {
  to: TalkState;
  action: TalkAction;
}

/** What is not in a row does not matter in that state. */
const TALK: Readonly<Record<TalkState, Partial<Record<TalkEvent, Move>>>> = {
  opening: {
    sounded: { to: 'speaking', action: 'nothing' },
    said: { to: 'listening', action: 'listen' },
    said_goodbye: { to: 'closing', action: 'close' },
    utterance: { to: 'opening', action: 'note' },
    input: { to: 'opening', action: 'keep' },
  },
  listening: {
    utterance: { to: 'thinking', action: 'answer' },
    input: { to: 'thinking', action: 'answer' },
    idle: { to: 'thinking', action: 'prompt' },
    silence: { to: 'ended', action: 'hang_up' },
  },
  thinking: {
    sounded: { to: 'speaking', action: 'nothing' },
    said: { to: 'listening', action: 'listen' },
    said_goodbye: { to: 'closing', action: 'close' },
    // The caller was not finished: both parts are answered as one.
    utterance: { to: 'thinking', action: 'answer' },
    input: { to: 'thinking', action: 'answer' },
  },
  speaking: {
    said: { to: 'listening', action: 'listen' },
    said_goodbye: { to: 'closing', action: 'close' },
    utterance: { to: 'speaking', action: 'note' },
    input: { to: 'speaking', action: 'keep' },
    barge_in: { to: 'listening', action: 'interrupt' },
  },
  closing: {
    utterance: { to: 'closing', action: 'note' },
    faded: { to: 'ended', action: 'hang_up' },
  },
  ended: {},
};

/** The move for an event in a state; null when it does not matter there. */
export function moveFor(state: TalkState, event: TalkEvent): Move | null {
  return TALK[state][event] ?? null;
}
