import { describe, expect, it } from 'vitest';
import type { Stt, SttSession } from '#speech/stt.js';
import { pushFrames } from '#test/support/telephone-line.js';

const NOT_UNDERSTOOD = { text: '', confidence: 0 };

export interface HearingCase {
  hearing: Stt;
  /** Sound at 8 kHz that will be understood as exactly `text` when asked for yes or no, once for each call of it. */
  utterance(text: 'yes please' | 'no thank you'): Promise<Int16Array>;
}

/** What every {@link Stt} promises. */
export function sttContract(name: string, open: () => Promise<HearingCase>): void {
  const openStream = async (
    onPartial?: (text: string) => void,
  ): Promise<HearingCase & { stream: SttSession }> => {
    const one = await open();
    const stream = await one.hearing.open({
      language: 'en-US',
      sampleRateHz: 8000,
      ...(onPartial ? { onPartial } : {}),
    });
    stream.expect({ kind: 'yes_no' });
    return { ...one, stream };
  };

  describe(`${name} as a recogniser`, () => {
    it('understands one utterance after the other', async () => {
      const { stream, utterance } = await openStream();
      for (const text of ['yes please', 'no thank you'] as const) {
        pushFrames(stream, await utterance(text));
        const heard = await stream.finish();
        expect(heard.text).toBe(text);
        expect(heard.confidence).toBeGreaterThan(0);
        expect(heard.confidence).toBeLessThanOrEqual(1);
      }
    });

    it('understands nothing when nothing was said', async () => {
      const { stream } = await openStream();
      expect(await stream.finish()).toEqual(NOT_UNDERSTOOD);
    });

    it('forgets what was discarded', async () => {
      const { stream, utterance } = await openStream();
      pushFrames(stream, (await utterance('no thank you')).subarray(0, 4000));
      stream.discard();
      expect(await stream.finish()).toEqual(NOT_UNDERSTOOD);
    });

    it('copies what is pushed', async () => {
      const { stream, utterance } = await openStream();
      const sound = await utterance('yes please');
      const frame = new Int16Array(160);
      for (let from = 0; from + 160 <= sound.length; from += 160) {
        frame.set(sound.subarray(from, from + 160));
        stream.push(frame);
        frame.fill(0);
      }
      expect((await stream.finish()).text).toBe('yes please');
    });

    it('tells words while they are spoken, never an empty text', async () => {
      const partials: string[] = [];
      const { stream, utterance } = await openStream((text) => partials.push(text));
      pushFrames(stream, await utterance('no thank you'));
      await stream.finish();
      for (const partial of partials) expect(partial).not.toBe('');
    });

    it('recognises nothing after it was closed, and closing twice is harmless', async () => {
      const { stream, utterance } = await openStream();
      stream.close();
      stream.close();
      pushFrames(stream, await utterance('yes please'));
      expect(await stream.finish()).toEqual(NOT_UNDERSTOOD);
    });

    it('lets two calls talk at the same time', async () => {
      const { stream, utterance, hearing } = await openStream();
      const other = await hearing.open({ language: 'en-US', sampleRateHz: 8000 });
      other.expect({ kind: 'yes_no' });
      const yes = await utterance('yes please');
      const no = await utterance('no thank you');
      for (let from = 0; from < Math.max(yes.length, no.length); from += 160) {
        if (from < yes.length) stream.push(yes.subarray(from, from + 160));
        if (from < no.length) other.push(no.subarray(from, from + 160));
      }
      const first = await stream.finish();
      expect([first.text, (await other.finish()).text]).toEqual(['yes please', 'no thank you']);
    });
  });
}
