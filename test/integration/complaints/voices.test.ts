import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeUlaw } from '#media/samples/g711.js';
import { loadResampling } from '#media/samples/resampler.js';
import { createSocketOpener, type OutboundSocket } from '#outbound-http/socket.js';
import { SoundDecoder } from '#providers/voices/sound-decoder.js';
import type { Tts } from '#speech/tts.js';
import { hummedMs } from '#test/support/emulators/voices/spoken-tone.js';
import { TESTED_VOICES, VOICE_KEY } from '#test/support/emulators/voices/tested-voices.js';
import { VoiceEmulator } from '#test/support/emulators/voices/voice-emulator.js';
import { FakeClock, settle } from '#test/support/fake-clock.js';
import { joined } from '#test/support/telephone-line.js';
import { voicesOf } from '#test/support/voices-rig.js';

/**
 * What users of such services complain about, as far as voices are the matter: sentences that are lost, old sound that
 * comes again, sound that crackles or ends too soon. Each complaint is tried on our voices and on a naive one, which
 * keeps one socket for the whole call, plays whatever comes over it, and takes every packet for whole samples.
 */
const CARTESIA = TESTED_VOICES['Cartesia']!;
const FIRST = 'Your visit is on Tuesday, and a nurse will meet you.';
const SECOND = 'Yes, of course.';
const resampling = await loadResampling();

/** What says a sentence: gives its sound, until it is stopped. */
type Speak = (text: string, signal: AbortSignal) => AsyncIterable<Int16Array>;

/** As one might write it in an afternoon. */
class NaiveVoice {
  readonly #socket: OutboundSocket;

  constructor(socket: OutboundSocket) {
    this.#socket = socket;
  }

  static async open(clock: FakeClock, url: string): Promise<NaiveVoice> {
    const headers = { 'x-api-key': VOICE_KEY, 'cartesia-version': '2026-03-01' };
    const openSocket = createSocketOpener({ clock });
    return new NaiveVoice(await openSocket({ url: `${url}/tts/websocket`, headers }));
  }

  async *speak(text: string, signal: AbortSignal): AsyncGenerator<Int16Array> {
    const output_format = { container: 'raw', encoding: 'pcm_mulaw', sample_rate: 8000 };
    this.#socket.send(JSON.stringify({ transcript: text, output_format, context_id: 'c' }));
    while (!signal.aborted) {
      const message = await this.#socket.next();
      if (message === null || !('text' in message)) return;
      const { type, data } = JSON.parse(message.text) as { type: string; data?: string };
      if (type === 'done') return;
      if (type === 'chunk') yield ulawSamples(Buffer.from(data ?? '', 'base64'));
    }
  }
}

function ulawSamples(bytes: Uint8Array): Int16Array {
  const samples = new Int16Array(bytes.length);
  decodeUlaw(bytes, samples);
  return samples;
}

function speakWith(tts: Tts): Speak {
  const request = { voice: null, language: 'en-US', sampleRateHz: 8000 as const };
  return (text, signal) => tts.speak({ ...request, text, signal });
}

describe('a socket of a voice', () => {
  let clock: FakeClock;
  let emulator: VoiceEmulator;
  let voices: ReturnType<typeof voicesOf>;
  beforeEach(async () => {
    clock = new FakeClock();
    emulator = await VoiceEmulator.open(CARTESIA.dialect, clock);
    voices = voicesOf(CARTESIA.environment(emulator.url), { clock });
  });
  afterEach(async () => {
    await voices.close();
    await emulator.close();
  });

  const ours = () => Promise.resolve(speakWith(voices.open([CARTESIA.choice])));
  const naive = async (): Promise<Speak> => {
    const voice = await NaiveVoice.open(clock, emulator.url);
    return (text, signal) => voice.speak(text, signal);
  };

  /** How long a sentence sounds, in milliseconds; one that is stopped is at its first piece. */
  async function soundMs(speak: Speak, text: string, { isStopped = false } = {}): Promise<number> {
    const stop = new AbortController();
    let isOver = false;
    const spoken = (async () => {
      let samples = 0;
      for await (const piece of speak(text, stop.signal)) {
        samples += piece.length;
        if (isStopped) stop.abort();
      }
      isOver = true;
      return samples / 8;
    })();
    while (!isOver) {
      for (let turns = 0; turns < 60 && !isOver; turns += 1) await settle();
      await clock.advance(20);
    }
    return spoken;
  }

  async function afterSilence(speak: Speak, silentMs: number): Promise<number> {
    emulator.idleMs = 15_000;
    await soundMs(speak, FIRST);
    await clock.advance(silentMs);
    return soundMs(speak, SECOND);
  }

  async function afterInterruption(speak: Speak): Promise<number> {
    emulator.next({ betweenMs: 20 });
    await soundMs(speak, FIRST, { isStopped: true });
    return soundMs(speak, SECOND);
  }

  const SILENCES_MS = [20_000, 60_000, 300_000];

  it.each(SILENCES_MS)(
    'complaint 6: the first sentence after %d ms of silence is not lost (livekit/agents#2281, #2630)',
    async (silentMs) => {
      expect(await afterSilence(await ours(), silentMs)).toBeCloseTo(hummedMs(SECOND), -1.5);
    },
  );

  it.each(SILENCES_MS)('complaint 6: after %d ms it is lost by the naive voice', async (silentMs) => {
    expect(await afterSilence(await naive(), silentMs)).toBe(0);
  });

  it('complaint 10: after an interruption no old sound is heard (pipecat#719, #950, bolna#68)', async () => {
    expect(await afterInterruption(await ours())).toBeCloseTo(hummedMs(SECOND), -1.5);
  });

  it('complaint 10: after an interruption the naive voice plays the sentence that was cut', async () => {
    expect(await afterInterruption(await naive())).not.toBeCloseTo(hummedMs(SECOND), -1.5);
  });
});

describe('the bytes of a voice', () => {
  /** Never silent, to its last sample. */
  const SOUND = Int16Array.from({ length: 2_400 }, (_, at) => Math.round(8_000 * Math.cos(at / 9)));
  const BYTES = Buffer.from(SOUND.buffer);

  /** Takes every packet for whole samples, and what the resampler has given out by the last of them for all. */
  class NaiveDecoder {
    readonly #resampler = resampling.open({ fromHz: 24_000, toHz: 8000 });

    decode(bytes: Buffer): Int16Array {
      const samples = Int16Array.from({ length: bytes.length >> 1 }, (_, at) => bytes.readInt16LE(2 * at));
      return this.#resampler.process(samples).slice();
    }
  }

  function readByUs(packets: readonly Buffer[]): Int16Array {
    const decoder = new SoundDecoder({ encoding: 'pcm16', rateHz: 24_000 }, 8000, resampling);
    const pieces = packets.map((packet) => decoder.decode(packet));
    const all = joined([...pieces, decoder.flush()]);
    decoder.free();
    return all;
  }

  function readNaively(packets: readonly Buffer[]): Int16Array {
    const decoder = new NaiveDecoder();
    return joined(packets.map((packet) => decoder.decode(packet)));
  }

  const isSame = (one: Int16Array, other: Int16Array) =>
    one.length === other.length && one.every((sample, at) => sample === other[at]);
  const whole = [BYTES];
  const PLACES = Array.from({ length: 150 }, (_, at) => at + 1);
  const spoiltBy = (read: typeof readByUs) =>
    PLACES.filter((at) => !isSame(read([BYTES.subarray(0, at), BYTES.subarray(at)]), read(whole)));

  it('complaint 11: are the same sound wherever they are cut (pipecat#4952, openai-agents-python#1928)', () => {
    expect(spoiltBy(readByUs)).toEqual([]);
  });

  it('complaint 11: are noise to the naive voice behind every odd cut', () => {
    expect(spoiltBy(readNaively)).toEqual(PLACES.filter((at) => at % 2 === 1));
  });

  /** Silence, and a word of two milliseconds at its end. */
  const LATE_WORD = Buffer.from(SOUND.map((sample, at) => (at < SOUND.length - 48 ? 0 : sample)).buffer);
  const peakOf = (sound: Int16Array) => sound.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);

  it('complaint 15: are heard to the last word', () => {
    const sound = readByUs([LATE_WORD]);
    expect(sound).toHaveLength(SOUND.length / 3);
    expect(peakOf(sound)).toBeGreaterThan(4_000);
  });

  it('complaint 15: lose their last word by the naive voice', () => {
    expect(peakOf(readNaively([LATE_WORD]))).toBeLessThan(1_000);
  });
});

describe('complaint 15: a word that is spelled out is cut off (deepgram-js-sdk#482)', () => {
  const SPELLED = 'It is C-L-I-N-I-C.';
  const AURA = TESTED_VOICES['Deepgram Aura']!;
  let emulator: VoiceEmulator;
  beforeEach(async () => {
    emulator = await VoiceEmulator.open(AURA.dialect, new FakeClock());
  });
  afterEach(() => emulator.close());

  it('is not: every letter is spoken', async () => {
    const voices = voicesOf(AURA.environment(emulator.url));
    const pieces: Int16Array[] = [];
    const speak = speakWith(voices.open([AURA.choice]));
    for await (const piece of speak(SPELLED, new AbortController().signal)) pieces.push(piece);
    expect(joined(pieces).length / 8).toBeGreaterThanOrEqual(hummedMs(SPELLED));
    await voices.close();
  });

  it('is by the naive voice, which sends it as it is written', async () => {
    const response = await fetch(
      `${emulator.url}/v1/speak?model=aura-2-thalia-en&encoding=mulaw&sample_rate=8000`,
      {
        method: 'POST',
        headers: { authorization: `Token ${VOICE_KEY}` },
        body: JSON.stringify({ text: SPELLED }),
      },
    );
    expect((await response.arrayBuffer()).byteLength / 8).toBe(hummedMs('It is C.'));
  });
});
