import type { Playbook } from '#playbook/book/playbook.js';
import type { Expectation, Heard } from '#speech/stt.js';

/** What an agent does next, one after the other; a stream of these makes a turn. */
export type Thought =
  /** Says one or more sentences. `interruptible: false` speaks to the end whatever the caller does. */
  | { kind: 'say'; text: string; interruptible: boolean }
  /** Listens for an answer; ends the turn. */
  | { kind: 'listen'; expectation: Expectation }
  /**
   * Connects the caller with this number (E.164) once everything said before has been played; ends the turn, and the
   * talk. Where it cannot be done, the next turn is asked for with `notTransferred`.
   */
  | { kind: 'transfer'; to: string }
  /** Hangs up once everything said before has been played; `Outcome.followUp` says what comes after that. */
  | { kind: 'end' };

/** The agent as its thinking needs it; no text has its variables filled in yet. */
export interface AgentBrief {
  agentName: string;
  initialMessage: string;
  systemPrompt: string | null;
  model: string | null;
  language: string;
  playbook: Playbook | null;
  /** For `{{name}}` in texts: customer_data and customer_context merged, and what the call has learnt. */
  variables: Readonly<Record<string, string>>;
  /** IANA zone in which the caller's "tomorrow" and "at three" are meant; without it the service's own. */
  timeZone?: string;
  /** Whether the caller's number is known. Who hides theirs is promised no call; without a word, it is known. */
  isReachable?: boolean;
}

/** What is to be done for the caller once the talk is over. */
export type FollowUp =
  /** Never call this number again. */
  | { kind: 'suppress' }
  /** Call again. */
  | CallBack;

/** Another call that was agreed on. */
export interface CallBack {
  kind: 'call_back';
  /** Epoch milliseconds; null when no time was agreed on. */
  at: number | null;
  /** The IANA zone in which the time was meant. */
  timeZone: string;
  /** How the agent put it. */
  said: string;
}

/** What the thinking made of the call, for the analysis. */
export interface Outcome {
  /** The name of what the caller wanted or did, such as `confirm_appointment`; null when nothing can be said. */
  intent: string | null;
  /** Whether the purpose of the call was reached; null when the agent has no notion of it. */
  resolutionAchieved: boolean | null;
  /** Answers by the name of the question, such as `{ "slot": "morning" }`. */
  answers: Readonly<Record<string, string>>;
  /** The same as the agent says them: `Tuesday, December 1st`. */
  said?: Readonly<Record<string, string>> | null;
  /** Names of those that are free speech, as it was heard: a message, and not a day or a choice. */
  inOwnWords?: readonly string[];
  /** One sentence on what happened, in the words of the agent's author; the summary of the call begins with it. */
  summary?: string | null;
  /** The last thing agreed on; null when there is nothing to do. */
  followUp?: FollowUp | null;
}

/** Thinking: what to say next (port). Adapters: one file each; all pass `test/contracts/thinking`. */
export interface Thinking {
  readonly name: string;
  open(brief: AgentBrief): ThinkingSession;
}

/** The thinking of one call. Only one turn runs at a time; a turn is dropped by aborting its signal. */
export interface ThinkingSession {
  /** The first turn: the agent opens the conversation. */
  begin(signal: AbortSignal): AsyncIterable<Thought>;
  /** The caller said something. */
  reply(heard: Heard, signal: AbortSignal): AsyncIterable<Thought>;
  /** The caller says nothing: `prompts` counts how often that happened in a row, from 1. */
  nudge(prompts: number, signal: AbortSignal): AsyncIterable<Thought>;
  /**
   * The turn before was cut short: `heard` is all of it that the caller could have heard, empty when that was nothing.
   * Told before the next turn is asked for. A thinking that keeps a history replaces its own words by these.
   */
  interrupted?(heard: string): void;
  /**
   * The turn before answered half of what the caller had to say, and nothing of it was heard. Told after
   * `interrupted('')`; the next reply is to the whole, that half included, and as if this turn had never been.
   */
  takeBack?(): void;
  /**
   * The caller said something that no turn answers: over our goodbye, say, or over a sentence that cannot be
   * interrupted. It puts no question and asks for no words; what it forbids counts all the same.
   */
  overheard?(heard: Heard): void;
  /**
   * The caller answered and the call was over, before anybody could reply: it counts as in {@link reply}, but that
   * nobody hears what there would be to say. Without it such words are `overheard`.
   */
  lastReply?(heard: Heard): void;
  /**
   * What has picked up screens calls: its next words are no reply of a person, and whoever comes after it has heard
   * nothing of us. Told before those words are.
   */
  screened?(): void;
  /** The transfer that ended the turn before could not be made. Without it such a talk ends there. */
  notTransferred?(signal: AbortSignal): AsyncIterable<Thought>;
  /**
   * The caller has said nothing for so long that the call ends: the last words to them. Without it there are none.
   * Should they speak before these are heard, the talk goes on with `interrupted('')`, `takeBack` and `reply`.
   */
  part?(signal: AbortSignal): AsyncIterable<Thought>;
  outcome(): Outcome;
}
