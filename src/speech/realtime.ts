import type { SampleRateHz } from '#media/samples/audio.js';
import type { Transcript } from './stt.js';

/** A tool that the model of a session may call. */
export interface RealtimeTool {
  name: string;
  description: string;
  /** JSON Schema of the arguments: an object. */
  parameters: Readonly<Record<string, unknown>>;
}

/** What a session is opened with. */
export interface RealtimeBrief {
  /** The whole system text. */
  instructions: string;
  /** Null for the provider's default. */
  voice: string | null;
  /** A language tag such as `en-US`. */
  language: string;
  /** Of the sound in both directions. */
  sampleRateHz: SampleRateHz;
  tools: readonly RealtimeTool[];
}

/** What a session tells, in the order in which it happens. */
export type RealtimeEvent =
  /** The next sound of the agent's turn, as early as it is there. */
  | { kind: 'audio'; samples: Int16Array }
  /** The next words of the agent's turn: they belong to sound that has come or is about to come. */
  | { kind: 'agent_text'; text: string }
  /** What the caller has said: so far, or all of an utterance, which may come when the agent already answers it. */
  | { kind: 'caller_text'; transcript: Transcript; isFinal: boolean }
  /** `arguments` is JSON text as the model wrote it. */
  | { kind: 'tool_call'; id: string; name: string; arguments: string }
  /** The model has said all of its turn; what follows belongs to another. */
  | { kind: 'turn_done' }
  /** The caller speaks over the agent: nothing follows of its turn. */
  | { kind: 'interrupted' }
  /** The session is over at the provider, who has nothing more to say. */
  | { kind: 'end' }
  /** The session cannot go on. */
  | { kind: 'error'; error: Error };

/**
 * Speech to speech (port): a model that hears and speaks by itself. Every adapter passes `test/contracts/realtime.ts`.
 */
export interface Realtime {
  readonly name: string;
  /**
   * Opens a session for one call. Renewing it when the provider limits its length is the adapter's work.
   * @param onEvent called from when the session is open until it is closed; must return at once
   */
  open(brief: RealtimeBrief, onEvent: (event: RealtimeEvent) => void): Promise<RealtimeSession>;
  close(): Promise<void>;
}

/** The session of one call. */
export interface RealtimeSession {
  /** The caller's sound: every frame of the call, in order. The samples are copied before this returns. */
  push(samples: Int16Array): void;
  /**
   * The agent's turn was cut: so many milliseconds of its sound were heard, and the model's memory of it ends there.
   * Nothing follows of that turn.
   */
  interrupt(heardMs: number): void;
  /** What a tool has answered; the model goes on with it. Every call of a tool is answered, unless the call ends. */
  toolResult(id: string, text: string): void;
  /** The agent says this text, in these words as far as the model obeys. */
  say(text: string): void;
  /** The caller has written this, or pressed these keys, instead of speaking. */
  type(text: string): void;
  /** Nothing is told any more. Harmless twice. */
  close(): void;
}
