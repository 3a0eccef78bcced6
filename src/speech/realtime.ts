import type { SampleRateHz } from '#media/samples/audio.js';
import type { Transcript } from './stt.js';

/*
 * The port to speech-to-speech models, which hear and speak by themselves. `RealtimeConversation` uses it through
 * `SessionLink`. A provider offers an adapter by `RealtimeFactory`; the registry has no such provider yet.
 */

/** A tool that the model of a session may call. */
export interface RealtimeTool {
  name: string;
  description: string;
  /** JSON Schema of the arguments: an object. */
  parameters: Readonly<Record<string, unknown>>;
}

/** The options of a session. */
export interface RealtimeBrief {
  /** The whole system text. */
  instructions: string;
  /** Null for the provider's default. */
  voice: string | null;
  /** A language tag such as `en-US`. */
  language: string;
  /** Sample rate of both directions. */
  sampleRateHz: SampleRateHz;
  tools: readonly RealtimeTool[];
}

/** The events of a session, in the order in which they happen. */
export type RealtimeEvent =
  /** The next sound of the agent's turn, as early as possible. */
  | { kind: 'audio'; samples: Int16Array }
  /** The next words of the agent's turn: their sound has arrived or is about to arrive. */
  | { kind: 'agent_text'; text: string }
  /** Words of the caller: partial, or a whole utterance, which may arrive when the agent already answers it. */
  | { kind: 'caller_text'; transcript: Transcript; isFinal: boolean }
  /** `arguments` is JSON text as the model wrote it. */
  | { kind: 'tool_call'; id: string; name: string; arguments: string }
  /** The model's turn is complete; later output belongs to another turn. */
  | { kind: 'turn_done' }
  /** The caller interrupts the agent: the turn has no more output. */
  | { kind: 'interrupted' }
  /** The provider has ended the session. */
  | { kind: 'end' }
  /** The session cannot continue. */
  | { kind: 'error'; error: Error };

/**
 * Speech to speech (port): a model that hears and speaks by itself. Every adapter passes `test/contracts/realtime.ts`.
 */
export interface Realtime {
  readonly name: string;
  /**
   * Opens a session for one call. If the provider limits the length of a session, the adapter renews it.
   * @param onEvent called while the session is open; must return at once
   */
  open(brief: RealtimeBrief, onEvent: (event: RealtimeEvent) => void): Promise<RealtimeSession>;
  /** Releases the adapter's resources at the end of the process. */
  close(): Promise<void>;
}

/** The session of one call. */
export interface RealtimeSession {
  /** Takes the caller's sound: every frame of the call, in order. The samples are copied before this returns. */
  push(samples: Int16Array): void;
  /**
   * The agent's turn was cut after `heardMs` of its sound were heard: the model's memory of the turn ends there, and
   * the turn has no more output.
   */
  interrupt(heardMs: number): void;
  /** The result of a tool, with which the model continues. Every tool call gets a result, unless the call ends. */
  toolResult(id: string, text: string): void;
  /** Makes the agent say this text, word for word as far as the model obeys. */
  say(text: string): void;
  /** Text that the caller typed, or DTMF keys, in place of speech. */
  type(text: string): void;
  /** Ends the session: no event follows. May be called twice. */
  close(): void;
}
