import type { Clock } from '../kernel/clock.js';
import type { Log } from '../kernel/log.js';
import type { VoiceActivity } from '../media/voice-activity.js';
import type { Wheel } from '../media/wheel.js';
import type { Hearing } from '../speech/hearing.js';
import type { Speaking } from '../speech/speaking.js';
import type { Thinking } from '../speech/thinking.js';
import type { TwoTrackRecorder } from './channel.js';
import type { TurnSettings } from './turn-settings.js';

/** What a conversation works with. All but the recorder serve every call. */
export interface ConversationParts {
  clock: Clock;
  log: Log;
  hearing: Hearing;
  speaking: Speaking;
  thinking: Thinking;
  wheel: Pick<Wheel, 'join'>;
  voiceActivity: VoiceActivity;
  /** Takes both sides of this call, frame by frame; complete when `ended` resolves. Null: not recorded. */
  recorder: TwoTrackRecorder | null;
  /** The usual ones where there are none. */
  turns?: TurnSettings;
}
