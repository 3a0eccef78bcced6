import { loadVoiceActivity } from '../../../src/media/detecting/voice-activity.js';
import { voiceActivityContract } from '../../contracts/voice-activity.js';
import { loudIsVoice } from '../../support/loud-is-voice.js';

voiceActivityContract('the detector', loadVoiceActivity);
voiceActivityContract('loudness', async () => loudIsVoice);
