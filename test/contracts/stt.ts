import { describe, expect, it } from 'vitest';
import type { Stt, SttOptions, SttSession, TurnBelief } from '#speech/stt.js';
import { joined, pushFrames } from '#test/support/telephone-line.js';

const NOT_UNDERSTOOD = { text: '', confidence: 0 };
const SILENCE = new Int16Array(3_200);

export interface HearingCase {
  hearing: Stt;
  /** Audio at 8 kHz that is recognised as exactly `text` after a yes/no question; call once per use. */
  utterance(text: 'yes please' | 'no thank you'): Promise<Int16Array>;
  /** Lets time pass until a promise has settled; by default it settles by itself. */
  during?<Value>(awaited: Promise<Value>): Promise<Value>;
  /** The words alone of what was recognised, for one that punctuates; by default it is plain. */
  plain?(text: string): string;
}

type Told = Pick<SttOptions, 'onPartial' | 'onEndOfTurn'>;

interface OpenCase extends HearingCase {
  stream: SttSession;
  plain(text: string): string;
  /** The audio of an utterance as the recogniser receives it: one that hears every frame also receives the silence. */
  asGiven(sound: Int16Array): Int16Array;
  finish(): ReturnType<SttSession['finish']>;
}

/** The contract of every {@link Stt}. */
export function sttContract(name: string, open: () => Promise<HearingCase>): void {
  const openStream = async (told: Told = {}): Promise<OpenCase> => {
    const one = await open();
    const during = one.during ?? (async (awaited) => awaited);
    const opening = one.hearing.open({ language: 'en-US', sampleRateHz: 8000, ...told });
    const stream = await during(opening);
    stream.expect({ kind: 'yes_no' });
    const asGiven = (sound: Int16Array) =>
      one.hearing.hears === 'every_frame' ? joined([SILENCE, sound, SILENCE]) : sound;
    const plain = one.plain ?? ((text) => text);
    return { ...one, during, stream, asGiven, plain, finish: () => during(stream.finish()) };
  };

  describe(`${name} as a recogniser`, () => {
    it('understands one utterance after the other', async () => {
      const { stream, utterance, asGiven, plain, finish } = await openStream();
      for (const text of ['yes please', 'no thank you'] as const) {
        pushFrames(stream, asGiven(await utterance(text)));
        const heard = await finish();
        expect(plain(heard.text)).toBe(text);
        expect(heard.confidence).toBeGreaterThan(0);
        expect(heard.confidence).toBeLessThanOrEqual(1);
      }
    });

    it('understands nothing when nothing was said', async () => {
      const { stream, asGiven, finish } = await openStream();
      pushFrames(stream, asGiven(new Int16Array()));
      expect(await finish()).toEqual(NOT_UNDERSTOOD);
    });

    it('forgets what was discarded', async () => {
      const { stream, utterance, finish } = await openStream();
      pushFrames(stream, (await utterance('no thank you')).subarray(0, 4000));
      stream.discard();
      expect(await finish()).toEqual(NOT_UNDERSTOOD);
    });

    it('copies what is pushed', async () => {
      const { stream, utterance, asGiven, plain, finish } = await openStream();
      const sound = asGiven(await utterance('yes please'));
      const frame = new Int16Array(160);
      for (let from = 0; from + 160 <= sound.length; from += 160) {
        frame.set(sound.subarray(from, from + 160));
        stream.push(frame);
        frame.fill(0);
      }
      expect(plain((await finish()).text)).toBe('yes please');
    });

    it('tells words while they are spoken, never an empty text', async () => {
      const partials: string[] = [];
      const { stream, utterance, asGiven, finish } = await openStream({
        onPartial: (text) => partials.push(text),
      });
      pushFrames(stream, asGiven(await utterance('no thank you')));
      await finish();
      for (const partial of partials) expect(partial).not.toBe('');
    });

    it('believes that a turn goes on again only after it has believed that it was over', async () => {
      const beliefs: TurnBelief[] = [];
      const { stream, utterance, asGiven, finish } = await openStream({
        onEndOfTurn: (belief) => beliefs.push(belief),
      });
      for (const text of ['yes please', 'no thank you'] as const) {
        const sound = asGiven(await utterance(text));
        const told = beliefs.length;
        pushFrames(stream, sound);
        pushFrames(stream, sound);
        await finish();
        beliefs.slice(told).forEach((belief, at) => {
          const before = beliefs[told + at - 1];
          if (at === 0 || before === 'resumed') expect(belief).not.toBe('resumed');
          else expect(belief).not.toBe(before);
        });
      }
    });

    it('recognises nothing after it was closed, and closing twice is harmless', async () => {
      const { stream, utterance, finish } = await openStream();
      stream.close();
      stream.close();
      pushFrames(stream, await utterance('yes please'));
      expect(await finish()).toEqual(NOT_UNDERSTOOD);
    });

    it('lets two calls talk at the same time', async () => {
      const { stream, utterance, asGiven, hearing, plain, finish, during } = await openStream();
      const other = await during!(hearing.open({ language: 'en-US', sampleRateHz: 8000 }));
      other.expect({ kind: 'yes_no' });
      const yes = asGiven(await utterance('yes please'));
      const no = asGiven(await utterance('no thank you'));
      for (let from = 0; from < Math.max(yes.length, no.length); from += 160) {
        if (from < yes.length) stream.push(yes.subarray(from, from + 160));
        if (from < no.length) other.push(no.subarray(from, from + 160));
      }
      const first = await finish();
      const second = await during!(other.finish());
      expect([plain(first.text), plain(second.text)]).toEqual(['yes please', 'no thank you']);
    });
  });
}
