import type { VoiceActivity } from '#media/detecting/voice-activity.js';
import { frameSamples } from '#media/samples/audio.js';

/** A voice detector for tones: loud audio is voice. */
export const loudIsVoice: VoiceActivity = {
  open(sampleRateHz) {
    let isFreed = false;
    return {
      sampleRateHz,
      isVoice(frame) {
        if (frame.length !== frameSamples(sampleRateHz)) throw new RangeError('a frame is 20 ms');
        if (isFreed) throw new Error('the detector was freed');
        return frame.some((sample) => Math.abs(sample) > 1000);
      },
      snrDb: null,
      isSteady: false,
      reset: () => {},
      free: () => void (isFreed = true),
    };
  },
};
