import { describe, expect, it } from 'vitest';
import type { VoiceActivity } from '#media/detecting/voice-activity.js';
import { frameSamples, type SampleRateHz } from '#media/samples/audio.js';

/** The contract of every voice activity detector. */
export function voiceActivityContract(name: string, load: () => Promise<VoiceActivity>): void {
  describe.each<SampleRateHz>([8000, 16000])(`voice activity by ${name}, at %i Hz`, (rateHz) => {
    const silence = new Int16Array(frameSamples(rateHz));

    it('knows its rate, and hears nobody in silence', async () => {
      const detector = (await load()).open(rateHz);
      expect(detector.sampleRateHz).toBe(rateHz);
      for (let frame = 0; frame < 200; frame += 1) expect(detector.isVoice(silence)).toBe(false);
      expect(detector).toMatchObject({ snrDb: null, isSteady: false });
      detector.free();
    });

    it('takes frames of 20 ms and no others', async () => {
      const detector = (await load()).open(rateHz);
      expect(() => detector.isVoice(silence.subarray(1))).toThrow(RangeError);
      expect(() => detector.isVoice(new Int16Array(2 * silence.length))).toThrow(RangeError);
      detector.free();
    });

    it('can be reset, and freed twice; then it hears nothing any more', async () => {
      const detector = (await load()).open(rateHz);
      detector.isVoice(silence);
      detector.reset();
      expect(detector).toMatchObject({ snrDb: null, isSteady: false });
      detector.free();
      detector.free();
      expect(() => detector.isVoice(silence)).toThrow('freed');
    });
  });
}
