import { describe, expect, it } from 'vitest';
import type { EmulatedServer } from '#test/support/emulators/speech/emulated-sockets.js';
import { soundOf } from '#test/support/emulators/speech/spoken-words.js';
import type { SttRig } from '#test/support/emulators/speech/stt-rig.js';
import { sttContract } from './stt.js';

const LONG = 'my number is four one five nine two six';
const DEAF_WORDS = 14;

/** What a test controls in the emulator of a streaming recogniser. */
export interface StreamingEmulator extends EmulatedServer {
  readonly key: string;
  /** Texts that it can recognise. */
  readonly vocabulary: string[];
  /** Refuses the next handshakes with these statuses. */
  readonly refusals: number[];
  /** The end of an utterance gets no answer. */
  isMute: boolean;
  /** Nothing is recognised. */
  isDeaf: boolean;
}

/** How vendors differ. */
interface StreamingTraits {
  /** Whether words come with where they lie. */
  tellsTimes: boolean;
  /** How long the answer to the end of an utterance is waited for. */
  finishLimitMs: number;
  /** How the vendor closes a session that has lasted for as long as it may. */
  sessionEnd: { code: number; reason: string };
}

/** What every recogniser promises that is streamed to over a connection, beside what every recogniser does. */
export function streamingSttContract(
  name: string,
  open: (settings?: Record<string, string>) => SttRig<StreamingEmulator>,
  {
    tellsTimes = true,
    finishLimitMs = 1_200,
    sessionEnd = { code: 1_000, reason: '' },
  }: Partial<StreamingTraits> = {},
): void {
  sttContract(name, async () => {
    const rig = open();
    rig.emulator.vocabulary.push('yes', 'please', 'no', 'thank', 'you');
    return { hearing: rig.stt, during: rig.during, utterance: async (text) => soundOf(text) };
  });

  describe(`${name}, streamed to`, () => {
    it('hears every word of a long utterance once, with where it lies', async () => {
      const rig = open();
      const { say, finish, partials } = await rig.open();
      await say(LONG);
      const heard = await finish();
      expect(heard.text).toBe(LONG);
      expect(partials.at(-1)).toBe(LONG);
      const times = LONG.split(' ').map((_, index) => 400 + 240 * index);
      expect(heard.words?.map(({ startMs }) => startMs)).toEqual(tellsTimes ? times : undefined);
    });

    it.each([100, 600, 1_000, 1_500, 2_200, 2_900])(
      'loses and doubles no word when the connection breaks at %d ms',
      async (breakAtMs) => {
        const rig = open();
        const { say, finish } = await rig.open();
        await say(LONG, { meanwhile: (atMs) => void (atMs === breakAtMs && rig.sockets.breakAll()) });
        expect((await finish()).text).toBe(LONG);
        expect(rig.sockets.urls).toHaveLength(2);
      },
    );

    it.each([[['second', 'third']], [['first', 'second', 'third']]])(
      'answers %j, each with its own words, when the connection breaks before a discarded one is answered',
      async (texts) => {
        const rig = open();
        const { say, session, wait } = await rig.open();
        const answers: string[] = [];
        const finish = () => void session.finish().then(({ text }) => answers.push(text));
        rig.emulator.isMute = true;
        if (texts.includes('first')) {
          await say('first', { afterMs: 100 });
          finish();
        }
        await say('noise', { beforeMs: 0 });
        session.discard();
        rig.sockets.breakAll();
        rig.emulator.isMute = false;
        for (const text of ['second', 'third']) {
          await say(text);
          finish();
          await wait(3_000);
        }
        expect(answers).toEqual(texts);
        expect(rig.sockets.urls).toHaveLength(2);
      },
    );

    it('opens another connection when it has gone deaf, and hears what was said meanwhile', async () => {
      const rig = open();
      const { say, finish } = await rig.open();
      rig.emulator.isDeaf = true;
      const words = Array.from({ length: DEAF_WORDS }, () => 'hello').join(' ');
      const heals = (atMs: number) => void (atMs === 3_400 && (rig.emulator.isDeaf = false));
      await say(words, { meanwhile: heals, afterMs: 3_000 });
      const { text } = await finish();
      expect(rig.sockets.urls).toHaveLength(2);
      expect(text).toBe(words);
    });

    it('counts what is known when the end of an utterance is not answered, and is right about the next', async () => {
      const rig = open();
      const { say, finish, wait } = await rig.open();
      rig.emulator.isMute = true;
      await say('hold on', { afterMs: 100 });
      const startedMs = rig.clock.monotonicMs();
      expect((await finish()).text).toBe('hold on');
      expect(rig.clock.monotonicMs() - startedMs).toBeLessThanOrEqual(finishLimitMs + 100);
      rig.emulator.isMute = false;
      await wait(1_000);
      await say('yes');
      expect((await finish()).text).toBe('yes');
      await say('no');
      expect((await finish()).text).toBe('no');
    });

    it('stays open, or is opened again, through long silences', async () => {
      const rig = open();
      const { say, wait, finish } = await rig.open();
      await wait(60_000);
      await say('still here');
      expect((await finish()).text).toBe('still here');
      rig.sockets.breakAll();
      await wait(20_000);
      await say('and now');
      expect((await finish()).text).toBe('and now');
    });

    it('hears all of a call that outlives idle limits and the limits of sessions', async () => {
      const rig = open();
      Object.assign(rig.sockets.limit, { afterMs: 40_000, ...sessionEnd });
      const { say, finish, wait } = await rig.open();
      for (const text of ['one', 'two and three', 'four', 'five', 'six']) {
        await say(text);
        expect((await finish()).text).toBe(text);
        await wait(25_000);
      }
      expect(rig.sockets.urls.length).toBeGreaterThan(2);
    });

    it('hears all of an utterance in which a session comes to its end', async () => {
      const rig = open();
      Object.assign(rig.sockets.limit, { afterMs: 6_500, ...sessionEnd });
      const { say, finish, wait } = await rig.open();
      await wait(5_000);
      const text = `${LONG} ${LONG}`;
      await say(text);
      expect((await finish()).text).toBe(text);
      expect(rig.sockets.urls.length).toBeGreaterThan(1);
    });

    it('does not ask again with a wrong key, and asks a few times where that may help', async () => {
      const wrong = open({ API_KEY: 'wrong' });
      await expect(wrong.open()).rejects.toMatchObject({ provider: wrong.stt.name, retryable: false });
      expect(wrong.sockets.urls).toHaveLength(1);
      const busy = open();
      busy.emulator.refusals.push(503, 503, 503, 503, 503, 503);
      await expect(busy.open()).rejects.toMatchObject({ retryable: true });
      expect(busy.sockets.urls).toHaveLength(4);
      const late = open();
      late.emulator.refusals.push(503);
      const { say, finish } = await late.open();
      await say('there you are');
      expect((await finish()).text).toBe('there you are');
    });

    it('leaves neither timers nor connections behind', async () => {
      const rig = open();
      const { session, say } = await rig.open();
      await say('half a');
      void session.finish();
      session.close();
      await rig.clock.advance(30_000);
      expect(rig.sockets.openCount).toBe(0);
    });
  });
}
