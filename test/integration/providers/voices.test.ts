import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SpeechReplaced, VoiceReport } from '#dialogue/dialogue-observer.js';
import type { Voices } from '#providers/voices/voices.js';
import { SpeechError } from '#speech/speech-error.js';
import type { SpeakRequest, SpokenWord, Tts } from '#speech/tts.js';
import { ttsContract } from '#test/contracts/tts.js';
import { hummedMs } from '#test/support/emulators/voices/spoken-tone.js';
import { TESTED_VOICES, VOICE_KEY, type TestedVoice } from '#test/support/emulators/voices/tested-voices.js';
import { VoiceEmulator } from '#test/support/emulators/voices/voice-emulator.js';
import { FakeClock, settle } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { createScriptedTts, type ScriptedTts } from '#test/support/scripted-tts.js';
import { joined } from '#test/support/telephone-line.js';
import { voicesOf } from '#test/support/voices-rig.js';

const STEP_MS = 20;
const TURNS_PER_STEP = 60;
const TEXT = 'Your visit is on Tuesday, and a nurse will meet you.';

let clock: FakeClock;
let emulator: VoiceEmulator;
let builtIn: ScriptedTts;
let voices: Voices;
let log: ReturnType<typeof createMemoryLog>;
let reports: VoiceReport[];
let replaced: SpeechReplaced[];

/** What was spoken of a text. */
interface Spoken {
  sound: Int16Array;
  words: readonly SpokenWord[];
  error: unknown;
}

async function speak(tts: Tts, text = TEXT, changes: Partial<SpeakRequest> = {}): Promise<Spoken> {
  const pieces: Int16Array[] = [];
  let words: readonly SpokenWord[] = [];
  let error: unknown = null;
  const onWords = (told: readonly SpokenWord[]) => (words = told);
  const request = { text, voice: null, language: 'en-US', sampleRateHz: 8000 as const, onWords, ...changes };
  try {
    for await (const piece of tts.speak(request)) pieces.push(piece);
  } catch (thrown) {
    error = thrown;
  }
  return { sound: joined(pieces), words, error };
}

/** How many pieces of the emulator are so much sound. */
const piecesOf = ({ bytesPerMs }: TestedVoice, ms: number) => Math.ceil((ms * bytesPerMs) / 1_280);
const soundMs = ({ sound }: Spoken) => sound.length / 8;
const textsTo = (tts: ScriptedTts) => tts.requests.map(({ text }) => text);

/** Lets time pass until something has happened, slowly enough for the connections of this machine. */
async function passing<Value>(happened: Promise<Value>): Promise<Value> {
  let isOver = false;
  void happened.finally(() => (isOver = true)).catch(() => {});
  while (!isOver) {
    for (let turns = 0; turns < TURNS_PER_STEP && !isOver; turns += 1) await settle();
    await clock.advance(STEP_MS);
  }
  return happened;
}

for (const [name, tested] of Object.entries(TESTED_VOICES)) {
  describe(`the voices of ${name}`, () => {
    let tts: Tts;

    beforeEach(async () => {
      await open(tested);
      tts = voices.open([tested.choice], told());
    });

    ttsContract(name, () => tts, { knowsVoices: false });
    describeVoice(tested, () => tts);
    describe.runIf(tested.isSocketed)('its sockets', () => {
      describeSocket(() => tts);
    });
  });
}

async function open(tested: TestedVoice): Promise<void> {
  clock = new FakeClock();
  emulator = await VoiceEmulator.open(tested.dialect, clock);
  builtIn = createScriptedTts();
  log = createMemoryLog();
  reports = [];
  replaced = [];
  voices = voicesOf(tested.environment(emulator.url), { clock, builtIn, log: log.log });
}

const told = () => ({
  onVoice: (report: VoiceReport) => void reports.push(report),
  onReplaced: (one: SpeechReplaced) => void replaced.push(one),
});

afterEach(async () => {
  await voices?.close();
  await emulator?.close();
});

function describeVoice(tested: TestedVoice, voice: () => Tts): void {
  it('speaks the whole text, to the last sample, and nothing else', async () => {
    for (const text of [TEXT, 'Yes.']) {
      const spoken = await speak(voice(), text);
      expect(spoken.error).toBeNull();
      expect(soundMs(spoken)).toBeCloseTo(hummedMs(text), -1.5);
    }
    expect(builtIn.requests).toEqual([]);
    expect(replaced).toEqual([]);
  });

  it('gives the same sound however its bytes are cut', async () => {
    const whole = await speak(voice());
    emulator.usual = { pieceBytes: [1, 3, 7, 1, 1_281, 333] };
    const others = voicesOf(tested.environment(emulator.url), { clock });
    const cut = await speak(others.open([tested.choice]));
    expect(cut.sound).toEqual(whole.sound);
    await others.close();
  });

  it.runIf(tested.tellsWords)('tells when each word ends, to within a piece', async () => {
    const { words } = await speak(voice());
    expect(words.map(({ text }) => text)).toEqual(TEXT.split(' '));
    for (const [at, { endMs }] of words.entries()) {
      const upTo = TEXT.split(' ')
        .slice(0, at + 1)
        .join(' ');
      expect(Math.abs(endMs - hummedMs(upTo))).toBeLessThanOrEqual(60);
    }
  });

  it('is given texts as they are said, unless that is switched off', async () => {
    const settings = { normalise: false };
    await speak(voice(), 'It costs €12.50.');
    await speak(voices.open([{ ...tested.choice, settings }]), 'It costs €12.50.');
    const sent = JSON.stringify(emulator.received.map(({ body }) => body));
    expect(sent).toContain('It costs 12 euros 50.');
    expect(sent).toContain('It costs €12.50.');
  });

  it('speaks a sentence once, and has it at hand from then on', async () => {
    const first = await speak(voice());
    const asked = emulator.received.length;
    const again = await speak(voice());
    expect(again.sound).toEqual(first.sound);
    expect(again.words).toEqual(first.words);
    expect(emulator.received).toHaveLength(asked);
    expect(reports.map(({ characters }) => characters)).toEqual([TEXT.length, 0]);
    await speak(voice(), 'It costs €12.');
    await speak(voice(), 'It costs €12.');
    expect(reports.slice(2).map(({ characters }) => characters)).toEqual(['It costs 12 euros.'.length, 0]);
  });

  it('stops the bytes at once when it is aborted, and none of them is heard later', async () => {
    emulator.next({ betweenMs: 20 });
    const stop = new AbortController();
    const spoken = passing(
      (async () => {
        let samples = 0;
        const request = { text: TEXT, voice: null, language: 'en', sampleRateHz: 8000 as const };
        for await (const piece of voice().speak({ ...request, signal: stop.signal })) {
          samples += piece.length;
          stop.abort();
        }
        return samples;
      })(),
    );
    expect((await spoken) / 8).toBeLessThan(hummedMs(TEXT) / 2);
    const next = await passing(speak(voice(), 'Yes, of course.'));
    expect(soundMs(next)).toBeCloseTo(hummedMs('Yes, of course.'), -1.5);
    if (tested.isSocketed) expect(emulator.handshakes).toBe(tested.namesSentences ? 1 : 2);
    expect(replaced).toEqual([]);
  });

  it.each([401, 429, 503])('gives way to the built-in voice where it is refused with %d', async (status) => {
    emulator.usual = { refusal: tested.dialect.refused(status) };
    const spoken = await passing(speak(voice()));
    expect(spoken.error).toBeNull();
    expect(textsTo(builtIn)).toEqual([TEXT]);
    expect(replaced).toMatchObject([{ leg: 'speaking', to: 'builtin', inSentence: false }]);
    expect(voices.outages()).toMatchObject([{ provider: tested.choice.provider }]);
    expect(JSON.stringify([log.lines, replaced])).not.toContain(VOICE_KEY);
    const asked = emulator.received.length + emulator.handshakes;
    await speak(voice(), 'Yes.');
    expect(emulator.received.length + emulator.handshakes).toBe(asked);
  });

  it('has its sentence finished by the built-in voice when it is cut in the middle', async () => {
    emulator.next({ betweenMs: STEP_MS, after: { pieces: piecesOf(tested, 1_000), by: 'rst' } });
    const spoken = await passing(speak(voice()));
    expect(spoken.error).toBeNull();
    const [rest] = textsTo(builtIn);
    expect(TEXT.endsWith(rest!)).toBe(true);
    expect(rest).not.toBe(TEXT);
    expect(replaced).toMatchObject([{ to: 'builtin', failure: 'cut', inSentence: true }]);
    expect(log.lines).toContainEqual(
      expect.objectContaining({
        msg: 'a voice has failed; another one speaks',
        from: tested.choice.provider,
      }),
    );
    expect(reports).toMatchObject([{ failure: 'cut' }, { provider: 'builtin', failure: null }]);
  });

  it('has its sentence finished when it falls silent in the middle', async () => {
    emulator.next({ after: { pieces: piecesOf(tested, 500), by: 'stall' } });
    const startedMs = clock.monotonicMs();
    const spoken = await passing(speak(voice()));
    expect(spoken.error).toBeNull();
    expect(builtIn.requests).toHaveLength(1);
    expect(replaced).toMatchObject([{ failure: 'timeout', inSentence: true }]);
    expect(clock.monotonicMs() - startedMs).toBeLessThan(7_000);
  });

  it('is not waited for longer than three seconds', async () => {
    emulator.next({ firstAfterMs: 60_000 });
    const startedMs = clock.monotonicMs();
    await passing(speak(voice()));
    expect(textsTo(builtIn)).toEqual([TEXT]);
    expect(clock.monotonicMs() - startedMs).toBeLessThan(7_000);
  });

  it('lists what the vendor has to offer, and asks for it once', async () => {
    const listed = await voices.list(tested.choice.provider);
    expect(listed.length).toBeGreaterThan(0);
    const asked = emulator.received.length;
    expect(await voices.list(tested.choice.provider)).toEqual(listed);
    expect(emulator.received).toHaveLength(asked);
  });

  it.skipIf(tested.isSocketed)('takes a page in place of sound for a failure', async () => {
    emulator.next({ answer: { type: 'text/html', body: '<h1>Bad gateway</h1>' } });
    await speak(voice());
    expect(textsTo(builtIn)).toEqual([TEXT]);
  });
}

function describeSocket(voice: () => Tts): void {
  it('keeps its socket for the next sentence', async () => {
    for (const text of ['One.', 'Two.', 'Three.']) await speak(voice(), text);
    expect(emulator.handshakes).toBe(1);
  });

  it.each([20_000, 60_000, 300_000])('loses no sentence after %d ms of silence', async (silentMs) => {
    emulator.idleMs = 15_000;
    await speak(voice(), 'One.');
    await clock.advance(silentMs);
    const spoken = await passing(speak(voice(), 'Two is here.'));
    expect(soundMs(spoken)).toBeCloseTo(hummedMs('Two is here.'), -1.5);
    expect(builtIn.requests).toEqual([]);
    expect(log.lines).toEqual([]);
  });

  it('loses no sentence on a socket that has died unseen', async () => {
    await speak(voice(), 'One.');
    for (const socket of emulator.sockets) socket.terminate();
    const spoken = await passing(speak(voice(), 'Two is here.'));
    expect(soundMs(spoken)).toBeCloseTo(hummedMs('Two is here.'), -1.5);
    expect(builtIn.requests).toEqual([]);
  });

  it('hears of an error where sound was due', async () => {
    emulator.usual = { error: true };
    await passing(speak(voice()));
    expect(textsTo(builtIn)).toEqual([TEXT]);
  });

  it('passes over what it does not know, and over sound of other sentences', async () => {
    const strange = JSON.stringify({
      type: 'NewThing',
      weather: 'fine',
      context_id: 'old',
      contextId: 'old',
    });
    emulator.next({ before: [strange, 'no JSON'] });
    expect(soundMs(await speak(voice()))).toBeCloseTo(hummedMs(TEXT), -1.5);
    expect(replaced).toEqual([]);
  });
}

describe('a list of voices', () => {
  const { OpenAI: first, Cartesia: second } = TESTED_VOICES as Record<string, TestedVoice>;

  it('speaks by the next one when the first is down, and the rest of a sentence by the one after that', async () => {
    await open(first!);
    const other = await VoiceEmulator.open(second!.dialect, clock);
    const environment = { ...first!.environment(emulator.url), ...second!.environment(other.url) };
    const both = voicesOf(environment, { clock, builtIn });
    const tts = both.open([first!.choice, second!.choice], told());
    emulator.next({ betweenMs: STEP_MS, after: { pieces: piecesOf(first!, 1_000), by: 'rst' } });
    other.next({ betweenMs: STEP_MS, after: { pieces: piecesOf(second!, 500), by: 'rst' } });
    const spoken = await passing(speak(tts));
    expect(spoken.error).toBeNull();
    expect(replaced.map(({ from, to }) => [from, to])).toEqual([
      ['openai', 'cartesia'],
      ['cartesia', 'builtin'],
    ]);
    const [rest] = textsTo(builtIn);
    expect(TEXT.endsWith(rest!)).toBe(true);
    await other.close();
    await both.close();
  });

  it('speaks as many sentences at once as the plan allows, and the others after that', async () => {
    await open(second!);
    const environment = { ...second!.environment(emulator.url), CARTESIA_TTS_CONCURRENCY: '2' };
    const limited = voicesOf(environment, { clock, builtIn });
    const tts = limited.open([second!.choice]);
    emulator.usual = { firstAfterMs: 200 };
    const stop = new AbortController();
    const texts = ['One.', 'Two.', 'Three.', 'Four.', 'Five.'];
    const spoken = Promise.all(
      texts.map((text, at) => speak(tts, text, at === 3 ? { signal: stop.signal } : {})),
    );
    stop.abort();
    const lengths = (await passing(spoken)).map(soundMs);
    expect(lengths.map((ms) => ms > 0)).toEqual([true, true, true, false, true]);
    expect(builtIn.requests).toEqual([]);
    const asked = emulator.received.filter(({ body }) => 'transcript' in body);
    expect(asked).toHaveLength(4);
    expect(asked[2]!.atMs).toBeGreaterThanOrEqual(asked[0]!.atMs + 200);
    expect(emulator.handshakes).toBe(2);
    await limited.close();
  });

  it('begins with the built-in voice where that is named first', async () => {
    await open(first!);
    const tts = voices.open([{ provider: 'builtin', voice: 'rms' }, first!.choice]);
    await speak(tts);
    expect(builtIn.requests).toMatchObject([{ voice: 'rms' }]);
    builtIn.failNext(new SpeechError('no', { provider: 'builtin', retryable: false }));
    expect((await passing(speak(tts))).error).toBeNull();
    expect(emulator.received).toHaveLength(1);
  });

  it('leaves out what is not configured, and never goes mute', async () => {
    await open(first!);
    const tts = voices.open([
      { provider: 'nobody', voice: null },
      { provider: 'elevenlabs', voice: 'v1' },
    ]);
    expect(soundMs(await speak(tts))).toBeGreaterThan(0);
    await expect(voices.list('elevenlabs')).rejects.toThrow('ELEVENLABS_API_KEY is missing');
  });

  it('fails where the last one does, too', async () => {
    await open(first!);
    emulator.usual = { refusal: first!.dialect.refused(503) };
    builtIn.failNext(new SpeechError('no', { provider: 'builtin', retryable: false }));
    const spoken = await passing(speak(voices.open([first!.choice])));
    expect(spoken.error).toMatchObject({ provider: 'builtin' });
  });
});
