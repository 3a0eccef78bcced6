import type { ProviderDefinition, ProviderSettings } from '#providers/provider-definition.js';
import type { Stt, SttSession, TurnBelief } from '#speech/stt.js';
import { createIds } from '#kernel/ids/ids.js';
import { FakeClock, settle } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { emulatedSockets, type EmulatedServer } from './emulated-sockets.js';
import { soundOf } from './spoken-words.js';

const FRAME_MS = 20;
const FRAME = 160;

/** A vendor's recogniser on its emulator, in fake time. */
export interface SttRig<Emulator> {
  clock: FakeClock;
  emulator: Emulator;
  sockets: ReturnType<typeof emulatedSockets>;
  stt: Stt;
  /** Lets time pass until a promise has settled. */
  during<Value>(awaited: Promise<Value>): Promise<Value>;
  /** Opens the recogniser of a call, and records its results. */
  open(language?: string): Promise<OpenRig>;
  /** Speaks to a recogniser opened elsewhere. */
  speakTo(session: Pick<SttSession, 'push' | 'finish'>): SpeakingRig;
}

interface OpenRig extends SpeakingRig {
  session: SttSession;
  partials: string[];
  beliefs: TurnBelief[];
}

/** The recogniser of one call, which receives audio frame by frame as in a call. */
interface SpeakingRig {
  /** Speaks in real-time pace, with silence before and after. */
  say(
    text: string,
    options?: { beforeMs?: number; afterMs?: number; meanwhile?: (atMs: number) => void },
  ): Promise<void>;
  wait(forMs: number): Promise<void>;
  finish(): ReturnType<SttSession['finish']>;
}

export function startSttRig<Emulator extends EmulatedServer & { key: string; vocabulary: string[] }>(
  definition: ProviderDefinition,
  createEmulator: (clock: FakeClock) => Emulator,
  settings: ProviderSettings = {},
): SttRig<Emulator> {
  const clock = new FakeClock();
  const emulator = createEmulator(clock);
  const sockets = emulatedSockets(clock, emulator);
  const usual = Object.entries(definition.settings).map(([name, { fallback }]) => [name, fallback] as const);
  const stt = definition.stt!.open(
    { ...Object.fromEntries(usual), API_KEY: emulator.key, ...settings },
    {
      clock,
      ids: createIds(clock),
      log: createMemoryLog().log,
      fetch: () => Promise.reject(new Error('nothing is fetched')),
      connect: sockets.connect,
    },
  );
  const during = async <Value>(awaited: Promise<Value>): Promise<Value> => {
    const state = { isSettled: false };
    const settled = awaited.finally(() => (state.isSettled = true));
    settled.catch(() => {});
    for (let passedMs = 0; !state.isSettled && passedMs < 60_000; passedMs += FRAME_MS)
      await clock.advance(FRAME_MS);
    return settled;
  };
  const speakTo = (session: Pick<SttSession, 'push' | 'finish'>): SpeakingRig => {
    const pushes = stt.hears === 'every_frame';
    const step = async (frame: Int16Array | null) => {
      await clock.advance(FRAME_MS);
      if (frame) session.push(frame);
      await settle();
    };
    return {
      async wait(forMs) {
        const silence = pushes ? new Int16Array(FRAME) : null;
        for (let passedMs = 0; passedMs < forMs; passedMs += FRAME_MS) await step(silence);
      },
      async say(text, { beforeMs = 400, afterMs = 400, meanwhile = () => {} } = {}) {
        for (const word of text.split(' '))
          if (!emulator.vocabulary.includes(word)) emulator.vocabulary.push(word);
        const around = (forMs: number) => new Int16Array(8 * forMs);
        let atMs = 0;
        for (const part of [around(beforeMs), soundOf(text), around(afterMs)])
          for (let from = 0; from < part.length; from += FRAME, atMs += FRAME_MS) {
            meanwhile(atMs);
            await step(part.subarray(from, from + FRAME));
          }
      },
      finish: () => during(session.finish()),
    };
  };
  return {
    clock,
    emulator,
    sockets,
    stt,
    during,
    speakTo,
    async open(language = 'en-US') {
      const partials: string[] = [];
      const beliefs: TurnBelief[] = [];
      const session = await during(
        stt.open({
          language,
          sampleRateHz: 8_000,
          onPartial: (text) => partials.push(text),
          onEndOfTurn: (belief) => beliefs.push(belief),
        }),
      );
      return { session, partials, beliefs, ...speakTo(session) };
    },
  };
}
