import { loadVoiceActivity } from '#media/detecting/voice-activity.js';
import { voiceActivityContract } from '#test/contracts/voice-activity.js';
import { loudIsVoice } from '#test/support/loud-is-voice.js';

voiceActivityContract('the detector', loadVoiceActivity);
voiceActivityContract('loudness', async () => loudIsVoice);
