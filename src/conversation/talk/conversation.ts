import type { CallLanguage } from '#language/languages/call-language.js';
import type { SampleRateHz } from '#media/samples/audio.js';
import type { PlayoutBuffer } from '#media/protocols/stream-protocol.js';
import type { DialogueManager, DialogueOutput, WarmTransfer } from '#dialogue/dialogue-manager.js';
import type { RealtimeDialogue } from '#dialogue/realtime-dialogue.js';
import type { Realtime } from '#speech/realtime.js';
import type { Stt } from '#speech/stt.js';
import type { Tts } from '#speech/tts.js';
import type { Outcome } from '#dialogue/outcome.js';
import type { VoicemailHandling } from '#dialogue/voicemail-handling.js';

/** The other side of the line: where agent audio goes. Sound from the caller is given to {@link Conversation}. */
export interface Line {
  readonly sampleRateHz: SampleRateHz;
  /**
   * Sends one frame (20 ms), or as many as the peer's buffer takes at a time, to be heard `inMs` from now. Copied or
   * sent before this returns.
   */
  send(samples: Int16Array, inMs: number): void;
  /** Null, or missing, where sound must be sent at the pace at which it is to be heard, silence included. */
  readonly playoutBuffer?: PlayoutBuffer | null;
  /** Throws away what the peer buffered; false when the peer cannot. */
  clear(): boolean;
  /**
   * How far the peer's playing lies behind, in milliseconds, as far as it tells; 0 where it does not. Read before
   * {@link clear}: so much of what should have been played by now is never heard.
   */
  readonly lagMs?: number;
}

/** A person who has spoken in the agent's place: by a microphone of ours, or on another line. */
export type SpokenBy = 'operator' | 'person';

/** One thing said, as the transcript keeps it: what the caller could have heard, timed on the call's sample clock. */
export interface Entry {
  speaker: 'agent' | 'customer';
  text: string;
  /** 0 to 1; 1 for the agent. */
  confidence: number;
  /** Milliseconds since the first sample of the stream. */
  startMs: number;
  endMs: number;
  interrupted: boolean;
  /** What the agent had ready beyond that when it was cut short, where there was something. */
  unheard?: string;
  /** The language (a tag) of a caller, where the recogniser tells it, and of an agent that has several. */
  language?: string;
  /** Who spoke for the agent, where that was a person. */
  by?: SpokenBy;
}

/**
 * The parts of one response, in milliseconds; `totalMs` runs from the caller's last voiced sample to our first and is
 * the sum of the four parts and of what nobody is to blame for (up to two frames of pacing).
 */
export interface TurnTiming {
  /** Counts the responses of a call from 1. */
  turn: number;
  /** The silence that was waited for before the caller's turn was held to be over. */
  endOfTurnMs: number;
  /** From the end of the caller's turn to its words. */
  sttMs: number;
  /** From the words to the first sentence of the answer. */
  thinkMs: number;
  /** From that sentence to its first sound. */
  speakMs: number;
  totalMs: number;
  /** When its first sound left, in milliseconds since the first sample of the stream. */
  soundedAtMs: number;
  interrupted: boolean;
}

/** Told what happens in a conversation, as it happens. Must return at once. */
export interface ConversationObserver {
  onState(state: 'listening' | 'thinking' | 'speaking'): void;
  onPartial(text: string): void;
  onEntry(entry: Entry): void;
  onTurn(timing: TurnTiming): void;
  onInterrupted(): void;
  /** Whoever talks with the caller has changed; told at the next frame. */
  onMode?(mode: SteeringMode): void;
  /** The talk goes on in another language (a tag). */
  onLanguage?(language: string): void;
  /** A phone was answered, but not by a person. */
  onAnswerer?(answerer: 'machine' | 'screening'): void;
}

/** Why a conversation is over; the calls module turns this into `ended_reason`. */
export type ConversationEnd =
  | { by: 'agent' }
  | { by: 'silence' }
  /** An answering machine is no company. */
  | { by: 'machine' }
  /** The caller talks with somebody else now (E.164). */
  | { by: 'transfer'; to: string }
  /** Ended from outside through {@link Conversation.stop}. */
  | { by: 'stop' }
  | { by: 'error'; error: Error };

/** What is known when a conversation is over. */
export interface ConversationResult {
  end: ConversationEnd;
  /** When nothing was heard or said any more (epoch milliseconds): what follows is no part of the talk. */
  endedAt: number;
  outcome: Outcome;
  /** 0 to 1, as docs/decisions.md defines it. */
  audioQuality: number;
}

/** Who hears, decides and speaks for the agent on one call; resolved when the call is answered. */
export interface AgentPorts {
  dialogue: DialogueManager;
  stt: Stt;
  tts: Tts;
  /** One of the voices of `tts`; null for its default. */
  voice: string | null;
  language: CallLanguage;
}

/** An agent whose model hears and speaks by itself. */
export interface RealtimePorts {
  realtime: Realtime;
  dialogue: RealtimeDialogue;
  /** One of the voices of `realtime`; null for its default. */
  voice: string | null;
  language: CallLanguage;
}

/** What is particular to one talk: who talks, on which line, and for how long silence may last. */
export interface ConversationOptions<Agent = AgentPorts> {
  agent: Agent;
  line: Line;
  limits: { silenceTimeoutSeconds: number; idlePromptSeconds: number; maxIdlePrompts: number };
  /** Whether we phoned them: then an answering machine may have answered. */
  isOutbound?: boolean;
  /** What is done then; without it the talk ends. Texts have their variables filled in. */
  voicemail?: VoicemailHandling;
  /**
   * Hands the caller over to a number (E.164): true when they are gone, false when that cannot be done. Without it
   * nobody can be handed over.
   */
  transfer?(to: string): Promise<boolean>;
  /** Joins this line with another; without it that cannot be done. */
  joining?: Joining;
  observer: ConversationObserver;
}

/** With whom, or what, a line is to be connected. */
export type Connection = Extract<DialogueOutput, { kind: 'transfer' | 'join' }>;

/** How lines are joined: see `WarmTransfer`. In both cases {@link Steering.join} is called when it is done. */
export interface Joining {
  /** Calls a person while the caller is on hold. False when that comes to nothing, or `signal` has taken it back. */
  call(to: string, warm: WarmTransfer, signal: AbortSignal): Promise<boolean>;
  /** This line is that of such a person, who takes the caller; false where the caller is gone. */
  accept(): Promise<boolean>;
}

/** Who talks with the caller: the agent, nobody, the hold sound, an operator, or a person on another line. */
export const STEERING_MODES = ['agent', 'muted', 'held', 'operator', 'joined'] as const;
export type SteeringMode = (typeof STEERING_MODES)[number];

/** A person steers a talk. Everything but `speak` says whether it can be done where the talk stands. */
export interface Steering {
  readonly mode: SteeringMode;
  /** The agent says this as soon as nobody speaks; with `interrupt` instead of what it is saying. */
  say(text: string, options: { interrupt: boolean }): boolean;
  /** Tells the language model something that nobody hears; false for an agent without one. */
  advise(text: string): boolean;
  /** Silences the agent. The caller is still heard and understood, and nobody answers. */
  mute(): boolean;
  unmute(): boolean;
  /** The agent falls silent; what {@link speak} is given is said in its place. */
  takeOver(): boolean;
  handBack(): boolean;
  /** Sound of the operator, or of the person on the other line, at the rate of this one; copied before this returns. */
  speak(samples: Int16Array): void;
  /** The caller hears the hold sound, until {@link resume} or for as long as anybody may be kept waiting. */
  hold(): boolean;
  /** Ends the hold, and a warm transfer that is under way with it: the agent speaks to the caller again. */
  resume(): boolean;
  /** Hands the caller over to a number (E.164); the talk is over then. */
  transfer(to: string): Promise<boolean>;
  /** Begins a warm transfer: the caller is on hold from now on. */
  transferWarmly(to: string, warm: WarmTransfer): boolean;
  /**
   * A person on another line talks in the agent's place: {@link speak} takes their sound, and {@link quote} what they
   * have said, which is understood on their own line. False where nothing waits for them.
   */
  join(): boolean;
  quote(text: string): void;
  /** They are gone, and the agent speaks to the caller again. */
  part(): void;
  /** Sound that the other end of this line alone hears, beside the person on the other line; as {@link speak}. */
  whisper(samples: Int16Array): void;
}

/** A live talk on one line. */
export interface Conversation {
  /** Sound from the caller, in pieces of any length; copied before this returns. */
  hear(samples: Int16Array): void;
  /** The caller pressed a key. */
  press(digit: string): void;
  /**
   * Presses keys (0-9, A-D, *, #, `w` for half a second) on our side, as tones, at once: the agent pauses in the middle
   * of its sentence and goes on from before the word that was cut. Resolves when they were sent; false when the talk
   * was over before that.
   */
  sendKeys(keys: string): Promise<boolean>;
  /** The caller typed a turn instead of speaking it. */
  type(text: string): void;
  /** The caller asks for silence: as if they had spoken over the agent. */
  interrupt(): void;
  /** The carrier knows that a machine has answered. `greetingEnded`: it listens now. */
  machineAnswered(greetingEnded: boolean): void;
  readonly steering: Steering;
  /** Milliseconds since the first sample of the stream. */
  readonly nowMs: number;
  /** See `DialogueManager.sumUp`. */
  sumUp?(signal: AbortSignal): Promise<string | null>;
  /** Ends the talk now; `ended` resolves soon after. */
  stop(): void;
  readonly ended: Promise<ConversationResult>;
}
