/*
 * The state machine of a conversation: states, events, actions, and the table that connects them. `TalkProgress` holds
 * the present state; `LiveConversation` raises the events and carries out the actions.
 */

/** The states of a conversation. */
export type TalkState =
  /**
   * A turn is being prepared that answers no caller: the agent's first, or the one after a failed transfer or after a
   * person who talked with the caller.
   */
  | 'opening'
  | 'listening'
  /** An answer is being prepared, or a prompt to a silent caller, or a text that an operator has given. */
  | 'thinking'
  | 'speaking'
  /** The agent pauses in mid-sentence to find out whether the overlapping speech is meant. */
  | 'yielding'
  /** The line is being transferred, or joined with another one. */
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
  /** The caller typed, or finished pressing keys; or words over the agent, or kept input, are to be answered now. */
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
  /** It is time to leave the message: the machine has beeped, or its greeting is over. */
  | 'beeped'
  /** The pause after the last word is over, or the last words take too long. */
  | 'faded'
  /** A person silences the agent. */
  | 'taken_over'
  /** A person who silenced the agent lets it continue; the agent listens first. */
  | 'handed_back'
  /** The hold is over; the agent speaks first. */
  | 'resumed'
  /** The person on the other line has left, and the agent continues. */
  | 'returned'
  /** The agent can say a text that an operator has given: the caller is silent. */
  | 'text_waiting';

/** The actions that events cause. */
export type TalkAction =
  | 'nothing'
  /** Transcribe the utterance, without an answer. */
  | 'note'
  /** Transcribe the utterance, or take input whose words are known, and answer it. */
  | 'answer'
  /** Transcribe the utterance over the agent, and decide by its words whether it was meant to interrupt. */
  | 'weigh'
  /** Fall silent in mid-sentence, able to continue. */
  | 'pause'
  /** Continue the paused turn from before the word that was cut. */
  | 'resume'
  /** Keep the input until the agent's turn is over, and answer it then if the agent listens. */
  | 'keep'
  /** Stop the agent's turn at once; the transcript keeps the words heard. */
  | 'interrupt'
  /** Close the agent's turn, and wait for the caller. */
  | 'listen'
  /** Ask a silent caller whether they are there. */
  | 'prompt'
  /** Start the transfer, or join the lines. */
  | 'connect'
  /** Say goodbye to a silent caller. */
  | 'say_goodbye'
  /** Say that the transfer failed, and continue. */
  | 'apologise'
  /** Continue with a caller who talked with a person. */
  | 'return'
  /** Stop the agent's turn at once, because of a machine or a person in the agent's place. */
  | 'cut'
  | 'leave_message'
  | 'hang_up'
  /** Close the agent's last turn; the hang-up follows after a short pause. */
  | 'close'
  /** Say the texts that an operator has given. */
  | 'say_waiting_texts';

/** The next state, and the action on the way to it. */
interface Transition {
  to: TalkState;
  action: TalkAction;
}

/** The transition when a machine has answered, in all states in which that is possible. */
const ON_MACHINE = { machine: { to: 'greeted', action: 'cut' } } as const satisfies Partial<
  Record<TalkEvent, Transition>
>;

/** The transition when a person silences the agent in its talk. */
const ON_TAKE_OVER = { taken_over: { to: 'operated', action: 'cut' } } as const satisfies Partial<
  Record<TalkEvent, Transition>
>;

/** The transitions by state and event. Events missing from a row are ignored in that state. */
const TRANSITIONS: Readonly<Record<TalkState, Partial<Record<TalkEvent, Transition>>>> = {
  opening: {
    ...ON_MACHINE,
    ...ON_TAKE_OVER,
    sounded: { to: 'speaking', action: 'nothing' },
    said: { to: 'listening', action: 'listen' },
    said_goodbye: { to: 'closing', action: 'close' },
    said_transfer: { to: 'connecting', action: 'connect' },
    utterance: { to: 'opening', action: 'note' },
    input: { to: 'opening', action: 'keep' },
  },
  listening: {
    ...ON_MACHINE,
    ...ON_TAKE_OVER,
    text_waiting: { to: 'thinking', action: 'say_waiting_texts' },
    utterance: { to: 'thinking', action: 'answer' },
    input: { to: 'thinking', action: 'answer' },
    idle: { to: 'thinking', action: 'prompt' },
    silence: { to: 'parting', action: 'say_goodbye' },
  },
  thinking: {
    ...ON_MACHINE,
    ...ON_TAKE_OVER,
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
    ...ON_MACHINE,
    ...ON_TAKE_OVER,
    said: { to: 'listening', action: 'listen' },
    said_goodbye: { to: 'closing', action: 'close' },
    said_transfer: { to: 'connecting', action: 'connect' },
    utterance: { to: 'speaking', action: 'weigh' },
    input: { to: 'speaking', action: 'keep' },
    overlap: { to: 'yielding', action: 'pause' },
    barge_in: { to: 'listening', action: 'interrupt' },
  },
  yielding: {
    ...ON_MACHINE,
    ...ON_TAKE_OVER,
    utterance: { to: 'yielding', action: 'weigh' },
    input: { to: 'yielding', action: 'keep' },
    barge_in: { to: 'listening', action: 'interrupt' },
    false_alarm: { to: 'speaking', action: 'resume' },
  },
  connecting: {
    ...ON_MACHINE,
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
    ...ON_TAKE_OVER,
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

/** The transition for an event in a state; null if the state ignores the event. */
export function transitionFor(state: TalkState, event: TalkEvent): Transition | null {
  return TRANSITIONS[state][event] ?? null;
}

/** The event at the end of the agent's turn, by `AgentTurn.next`. */
export const TURN_END_EVENTS = {
  listen: 'said',
  end: 'said_goodbye',
  transfer: 'said_transfer',
  join: 'said_transfer',
} as const satisfies Record<string, TalkEvent>;

/** The state that observers see; null keeps the last one. `yielding` counts as speaking: the agent's turn goes on. */
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
