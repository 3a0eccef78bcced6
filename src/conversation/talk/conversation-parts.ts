import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import type { HoldSound } from '#media/samples/hold-sound.js';
import type { VoiceActivity } from '#media/detecting/voice-activity.js';
import type { PacingTimer } from '#media/pacing/pacing-timer.js';
import type { Stt } from '#speech/stt.js';
import type { TurnSettings } from './turn-settings.js';

/** Takes exactly one frame of each side per tick, in order; a customer's frame that has not come is null. */
export interface TwoTrackRecorder {
  write(customer: Int16Array | null, agent: Int16Array): void;
  /** A frame that had not come has: it belongs where this sample is, up to 400 ms back. */
  insertLate(fromSample: number, customer: Int16Array): void;
  /** This process stood still for so long; frames of that time follow, without sound. */
  stalled(forMs: number): void;
  /** The agent's last sound, so many milliseconds of it, was never heard. */
  retract(lastMs: number): void;
}

/** What a conversation works with. All but the recorder serve every call. */
export interface ConversationParts {
  clock: Clock;
  log: Log;
  pacingTimer: Pick<PacingTimer, 'join'>;
  voiceActivity: VoiceActivity;
  /** Takes both sides of this call, frame by frame; complete when `ended` resolves. Null: not recorded. */
  recorder: TwoTrackRecorder | null;
  /** Understands a person who speaks in the agent's place; that of the agent where there is none. */
  operatorStt?: Stt;
  /** What callers on hold hear, and for how long anybody is kept there at most; silence where there is none. */
  hold?: { sound: HoldSound; limitMs: number };
  /** The usual ones where there are none. */
  turns?: TurnSettings;
}
