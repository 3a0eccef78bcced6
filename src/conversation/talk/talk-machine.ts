/** Where a talk stands. */
export type TalkState =
  /** A turn that answers nobody is being prepared: the agent's first, or word of a transfer that could not be made. */
  | 'opening'
  | 'listening'
  /** The caller's turn is over; the answer is being prepared. */
  | 'thinking'
  | 'speaking'
  /** The agent has paused in mid-sentence to hear what a caller means who speaks at the same time. */
  | 'yielding'
  /** The caller is being connected with somebody else. */
  | 'connecting'
  /** A machine has answered: its greeting is waited for. */
  | 'greeted'
  /** A message is left with it, or last words are said to a caller who was silent. */
  | 'leaving'
  /** The caller has said nothing for too long; the agent's last words to them are being prepared. */
  | 'parting'
  /** The last word was played; its echo dies away. */
  | 'closing'
  /** The agent is silent: it was muted, the caller is on hold, or a person speaks in its place. */
  | 'operated'
  | 'ended';

/** What can happen to it. */
export type TalkEvent =
  /** The first frame of the agent's turn left. */
  | 'sounded'
  /** The agent's turn was played; it listens now. */
  | 'said'
  /** The agent's turn was played; it was its last. */
  | 'said_goodbye'
  /** The agent's turn was played; the other end is to be connected with somebody else. */
  | 'said_transfer'
  /** That could not be done. */
  | 'not_connected'
  /** The caller talks with a person on another line. */
  | 'joined'
  /** The caller stopped speaking. */
  | 'utterance'
  /** The caller typed or pressed something. */
  | 'input'
  /** What seemed to be the caller's turn was no speech. */
  | 'nothing_said'
  /** Somebody speaks over an interruptible turn. */
  | 'overlap'
  /** They mean it. */
  | 'barge_in'
  /** They do not: it was a cough, or a "mm-hm". */
  | 'false_alarm'
  /** Silence for so long that the agent asks. */
  | 'idle'
  /** Silence for so long that it hangs up. */
  | 'silence'
  /** A machine has answered, and a message is to be left. */
  | 'machine'
  /** It has greeted, and listens. */
  | 'beeped'
  /** The pause after the last word is over, or the last words take too long. */
  | 'faded'
  /** A person silences the agent. */
  | 'taken_over'
  /** The agent goes on. */
  | 'handed_back'
  /** The same for a caller who was on hold: the agent speaks to them first. */
  | 'resumed'
  /** The person whom the caller talked with is gone, and the agent goes on. */
  | 'returned'
  /** A person wants the agent to say something, and nobody speaks. */
  | 'told';

/** What is done about it. */
export type TalkAction =
  | 'nothing'
  /** Write down what was said; it is no answer. */
  | 'note'
  /** Understand what was said, and answer it. */
  | 'answer'
  /** Understand what was said over the agent: was it meant? */
  | 'weigh'
  /** Fall silent in mid-sentence, and go on from there. */
  | 'pause'
  | 'resume'
  /** Answer when the agent has finished speaking, if it listens then. */
  | 'keep'
  /** Stop the agent's turn at once, keeping of it what was heard. */
  | 'interrupt'
  | 'listen'
  | 'prompt'
  | 'connect'
  /** Say goodbye to somebody who says nothing. */
  | 'part'
  /** Say that nobody could be reached, and go on. */
  | 'apologise'
  /** Go on with a caller who talked with somebody else. */
  | 'return'
  /** Fall silent, and wait for the beep. */
  | 'cut'
  | 'leave_message'
  | 'hang_up'
  | 'close'
  /** Say what a person wants the agent to say. */
  | 'say_told';

interface Move {
  to: TalkState;
  action: TalkAction;
}

/** What a machine in the place of a person means, wherever the talk stands. */
const MACHINE = { machine: { to: 'greeted', action: 'cut' } } as const satisfies Partial<
  Record<TalkEvent, Move>
>;

/** A person may take the talk from the agent wherever it is the agent's. */
const OPERATED = { taken_over: { to: 'operated', action: 'cut' } } as const satisfies Partial<
  Record<TalkEvent, Move>
>;

/** What is not in a row does not matter in that state. */
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
    // The caller was not finished: both parts are answered as one.
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
    // Were it taken back, as answers are to half a sentence, the same transfer would be asked for again.
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
    // There is somebody after all.
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

/** The move for an event in a state; null when it does not matter there. */
export function moveFor(state: TalkState, event: TalkEvent): Move | null {
  return TALK[state][event] ?? null;
}

/** What the end of the agent's turn means, by what is to follow it. */
export const SAID = {
  listen: 'said',
  end: 'said_goodbye',
  transfer: 'said_transfer',
  join: 'said_transfer',
} as const satisfies Record<string, TalkEvent>;

/**
 * How observers are told of a state; null for moments at the edges of a call. A pause to listen is no end of a turn.
 */
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
