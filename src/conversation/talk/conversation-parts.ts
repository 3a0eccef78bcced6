import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import type { HoldSound } from '#media/samples/hold-sound.js';
import type { VoiceActivity } from '#media/detecting/voice-activity.js';
import type { PacingTimer } from '#media/pacing/pacing-timer.js';
import type { Stt } from '#speech/stt.js';
import type { TurnSettings } from './turn-settings.js';

/**
 * The recorder of a conversation (port): takes one frame of each side per tick, in order. A customer frame that has not
 * arrived is null. See `Recorder`.
 */
export interface TwoTrackRecorder {
  write(customer: Int16Array | null, agent: Int16Array): void;
  /** A late customer frame, which belongs at this sample, up to 400 ms back. */
  insertLate(fromSample: number, customer: Int16Array): void;
  /** The process stalled for `forMs`; silent frames of that time follow. */
  stalled(forMs: number): void;
  /** The last `lastMs` of the agent's sound were never heard. */
  retract(lastMs: number): void;
}

/**
 * The dependencies of a conversation other than its agent and line, which are `ConversationOptions`. The calls module
 * fills them in for each call.
 */
export interface ConversationParts {
  clock: Clock;
  log: Log;
  pacingTimer: Pick<PacingTimer, 'join'>;
  voiceActivity: VoiceActivity;
  /** Records both sides of this call, frame by frame; complete when `ended` resolves. Null: not recorded. */
  recorder: TwoTrackRecorder | null;
  /** Recogniser for an operator who speaks in the agent's place; the agent's recogniser if missing. */
  operatorStt?: Stt;
  /** The hold sound and the longest hold; silence if missing. */
  hold?: { sound: HoldSound; limitMs: number };
  /** {@link DEFAULT_TURN_SETTINGS} if missing. */
  turns?: TurnSettings;
}
