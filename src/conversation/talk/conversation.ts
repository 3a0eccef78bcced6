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

/**
 * The line to the caller (port): takes the agent's audio. The caller's audio goes to {@link Conversation.hear}.
 * `SocketLine` implements it for WebSocket streams.
 */
export interface Line {
  readonly sampleRateHz: SampleRateHz;
  /**
   * Sends one frame (20 ms), or as many as the peer's buffer takes in one message, to be played `inMs` from now. The
   * samples are copied or sent before this returns.
   */
  send(samples: Int16Array, inMs: number): void;
  /** Null or missing if sound must be sent at the pace of playing, silence included. */
  readonly playoutBuffer?: PlayoutBuffer | null;
  /** Clears the peer's playout buffer; false if the peer cannot. */
  clear(): boolean;
  /**
   * The peer's playout lag in milliseconds, as far as the peer reports it; otherwise 0. Read before {@link clear}: that
   * much of the sound due by now is never played.
   */
  readonly lagMs?: number;
}

/**
 * A person who spoke in the agent's place: an operator with a microphone of the console, or a person on another line.
 */
export type SpokenBy = 'operator' | 'person';

/** One entry of the transcript: what was said and could be heard, timed on the call's sample clock. */
export interface Entry {
  speaker: 'agent' | 'customer';
  text: string;
  /** Confidence of the recogniser, 0 to 1; 1 for words that it did not recognise, such as the agent's or typed ones. */
  confidence: number;
  /** Milliseconds since the first sample of the stream. */
  startMs: number;
  endMs: number;
  /** True if the agent was cut short. */
  interrupted: boolean;
  /** The text after the words heard, which the agent had ready when it was cut short. */
  unheard?: string;
  /** Language tag: the caller's if the recogniser reports it, the agent's if it has several languages. */
  language?: string;
  /** Set if a person spoke in the agent's place. */
  by?: SpokenBy;
}

/**
 * The timing of one response, in milliseconds. `totalMs` runs from the caller's last voiced sample to the agent's
 * first. It is the sum of the four parts and up to two frames of pacing.
 */
export interface TurnTiming {
  /** Counts the responses of a call from 1. */
  turn: number;
  /** Silence waited for before the caller's turn ended. */
  endOfTurnMs: number;
  /** From the end of the caller's turn to its words. */
  sttMs: number;
  /** From the words to the first sentence of the answer. */
  thinkMs: number;
  /** From that sentence to its first sound. */
  speakMs: number;
  totalMs: number;
  /** When the first sound left, in milliseconds since the first sample of the stream. */
  soundedAtMs: number;
  /** True if the caller interrupted the response. */
  interrupted: boolean;
}

/** Receives the events of a conversation as they happen. Every method must return at once. */
export interface ConversationObserver {
  onState(state: 'listening' | 'thinking' | 'speaking'): void;
  onPartial(text: string): void;
  onEntry(entry: Entry): void;
  onTurn(timing: TurnTiming): void;
  onInterrupted(): void;
  /** The speaker on the agent's side has changed; called at the next frame. */
  onMode?(mode: SteeringMode): void;
  /** The conversation switches to another language (a tag). */
  onLanguage?(language: string): void;
  /** The phone was not answered by a person. */
  onAnswerer?(answerer: 'machine' | 'screening'): void;
}

/** Why a conversation is over; the calls module turns this into `ended_reason`. */
export type ConversationEnd =
  | { by: 'agent' }
  | { by: 'silence' }
  /** An answering machine answered. */
  | { by: 'machine' }
  /** The caller was transferred to this number (E.164). */
  | { by: 'transfer'; to: string }
  /** Ended from outside through {@link Conversation.stop}. */
  | { by: 'stop' }
  | { by: 'error'; error: Error };

/** The result of a conversation, for the calls module. */
export interface ConversationResult {
  end: ConversationEnd;
  /** End of the last audio of the conversation (epoch milliseconds). */
  endedAt: number;
  outcome: Outcome;
  /** 0 to 1, as docs/decisions.md defines it. */
  audioQuality: number;
}

/** The recogniser, dialogue manager and voice of the agent on one call; chosen when the call is answered. */
export interface AgentPorts {
  dialogue: DialogueManager;
  stt: Stt;
  tts: Tts;
  /** One of the voices of `tts`; null for its default. */
  voice: string | null;
  language: CallLanguage;
}

/** The ports of an agent whose model hears and speaks by itself, in place of {@link AgentPorts}. */
export interface RealtimePorts {
  realtime: Realtime;
  dialogue: RealtimeDialogue;
  /** One of the voices of `realtime`; null for its default. */
  voice: string | null;
  language: CallLanguage;
}

/** The options of one conversation: its agent, its line and observer, and what it may do. */
export interface ConversationOptions<Agent = AgentPorts> {
  agent: Agent;
  line: Line;
  /** When a silent caller is prompted, and when the call ends; see `SilenceLimits`. */
  limits: { silenceTimeoutSeconds: number; idlePromptSeconds: number; maxIdlePrompts: number };
  /** True for a call that the service placed: an answering machine may have answered. */
  isOutbound?: boolean;
  /** What the agent does at an answering machine, variables filled in; if missing, the conversation ends. */
  voicemail?: VoicemailHandling;
  /**
   * Transfers the caller to a number (E.164): true if the caller has left, false if the transfer failed. Without this
   * method no transfer is possible.
   */
  transfer?(to: string): Promise<boolean>;
  /** Joins this line with another; without this object no line can be joined. */
  joining?: Joining;
  observer: ConversationObserver;
}

/** The target of a connection: a number, or another line. */
export type Connection = Extract<DialogueOutput, { kind: 'transfer' | 'join' }>;

/**
 * Joins two lines for a warm transfer (`WarmTransfer`). When they are joined, {@link Steering.join} is called on
 * both. The two methods are for the caller's line and the called person's line.
 */
export interface Joining {
  /**
   * On the caller's line: calls a person while the caller is on hold. False if the call fails or `signal` aborts it.
   */
  call(to: string, warm: WarmTransfer, signal: AbortSignal): Promise<boolean>;
  /** On the called person's line: accepts the caller. False if the caller has left. */
  accept(): Promise<boolean>;
}

/**
 * Who speaks to the caller: the agent; `muted`: the agent is silent; `held`: the hold sound; an operator; `joined`: a
 * person on another line.
 */
export const STEERING_MODES = ['agent', 'muted', 'held', 'operator', 'joined'] as const;
export type SteeringMode = (typeof STEERING_MODES)[number];

/**
 * Lets a person steer a live conversation. A method that returns a boolean returns false, and does nothing, if the
 * present state forbids it. `TalkSteering` implements it, `SessionSteering` a small part of it.
 */
export interface Steering {
  readonly mode: SteeringMode;
  /**
   * Makes the agent say `text` at the next silence. With `interrupt` true, the agent's present turn is cut first, if it
   * may be interrupted.
   */
  say(text: string, options: { interrupt: boolean }): boolean;
  /** Gives the language model a note that the caller does not hear; false for an agent without a model. */
  advise(text: string): boolean;
  /** Silences the agent. The caller is still transcribed, without an answer. */
  mute(): boolean;
  /** The agent continues after {@link mute}. */
  unmute(): boolean;
  /** Silences the agent; the sound given to {@link speak} takes its place. */
  takeOver(): boolean;
  /** The agent continues after {@link takeOver}. */
  handBack(): boolean;
  /**
   * Takes sound of the operator or of the person on the other line, at the rate of this line; copied before this
   * returns.
   */
  speak(samples: Int16Array): void;
  /** Plays the hold sound to the caller until {@link resume} or until the longest hold is over. */
  hold(): boolean;
  /** Ends the hold, and a warm transfer in progress: the agent speaks to the caller again. */
  resume(): boolean;
  /** Transfers the caller to a number (E.164), which ends the conversation. */
  transfer(to: string): Promise<boolean>;
  /** Starts a warm transfer: the caller is on hold from now on. */
  transferWarmly(to: string, warm: WarmTransfer): boolean;
  /**
   * Puts a person on another line in the agent's place: {@link speak} takes the person's sound, and {@link quote} the
   * person's words, which are transcribed on the person's own line. False if no connection is waited for.
   */
  join(): boolean;
  /** Takes words of the person on the other line, for the dialogue manager. */
  quote(text: string): void;
  /** The person on the other line has left, and the agent speaks to the caller again. */
  personLeft(): void;
  /** Takes sound that only the party on this line hears, together with the person on the other line. */
  whisper(samples: Int16Array): void;
}

/** A live conversation on one line: `LiveConversation` or `RealtimeConversation`, made by `startConversation`. */
export interface Conversation {
  /** Takes sound from the caller, in pieces of any length; copied before this returns. */
  hear(samples: Int16Array): void;
  /** The caller pressed a DTMF key. */
  press(digit: string): void;
  /**
   * Sends DTMF keys (0-9, A-D, *, #, `w` for half a second) as tones at once: the agent pauses in mid-sentence and
   * continues from before the word that was cut. Resolves true when they were sent, false if the conversation was over
   * before that.
   */
  sendKeys(keys: string): Promise<boolean>;
  /** The caller typed a turn instead of speaking it. */
  type(text: string): void;
  /** The caller requests silence, which acts as a barge-in. */
  interrupt(): void;
  /** The carrier reports an answering machine. `greetingEnded`: its greeting is over, and it records now. */
  machineAnswered(greetingEnded: boolean): void;
  readonly steering: Steering;
  /** Milliseconds since the first sample of the stream. */
  readonly nowMs: number;
  /** Sums the conversation up for a person who takes the caller over; null, or missing, without a language model. */
  sumUp?(signal: AbortSignal): Promise<string | null>;
  /** Ends the conversation now; `ended` resolves soon after. */
  stop(): void;
  /** Resolves when the conversation is over, also after an error. Never rejects. */
  readonly ended: Promise<ConversationResult>;
}
