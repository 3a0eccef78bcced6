import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SampleRateHz } from '#media/samples/audio.js';
import { createEndpointDetector, type SpeechEvent } from '#media/detecting/endpoints.js';
import { decodeUlaw } from '#media/samples/g711.js';
import { loadResampling } from '#media/samples/resampler.js';
import {
  loadVoiceActivity,
  type VoiceActivity,
  type VoiceDetector,
} from '#media/detecting/voice-activity.js';

/** Two synthetic phrases on a telephone line, and where their sound begins and ends (milliseconds). */
const PHRASES = [
  { fromMs: 500, toMs: 2770 },
  { fromMs: 3970, toMs: 5012 },
];
const codes = readFileSync(new URL('fixtures/two-phrases.ulaw', import.meta.url));
const narrow = new Int16Array(codes.length);
decodeUlaw(codes, narrow);

let voiceActivity: VoiceActivity;
let wide: Int16Array;
beforeAll(async () => {
  voiceActivity = await loadVoiceActivity();
  const stream = (await loadResampling()).open({ fromHz: 8000, toHz: 16_000, aligned: true });
  wide = Int16Array.from(stream.process(narrow));
  stream.free();
});

function listen(
  sound: Int16Array,
  rateHz: SampleRateHz,
  pieceSamples = 160,
  silenceWindowMs = 600,
): SpeechEvent[] {
  const detector = createEndpointDetector(voiceActivity.open(rateHz), { silenceWindowMs });
  const events: SpeechEvent[] = [];
  for (let at = 0; at < sound.length; at += pieceSamples) {
    const event = detector.push(sound.subarray(at, at + pieceSamples));
    if (event) events.push(event);
  }
  detector.free();
  return events;
}

/** The same noise in every run. */
function withNoise(sound: Int16Array, amplitude: number): Int16Array {
  let seed = 7;
  return sound.map((sample) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.round(sample * 0.5 + (seed / 2 ** 31 - 1) * amplitude);
  });
}

function expectPhrases(events: SpeechEvent[]): void {
  expect(events.map((event) => event.kind)).toEqual(['start', 'end', 'start', 'end']);
  PHRASES.forEach(({ fromMs, toMs }, i) => {
    const [start, end] = events.slice(i * 2) as [
      SpeechEvent & { kind: 'start' },
      SpeechEvent & { kind: 'end' },
    ];
    expect(Math.abs(start.atMs - fromMs)).toBeLessThanOrEqual(60);
    expect(Math.abs(end.lastVoicedMs - toMs)).toBeLessThanOrEqual(120);
  });
}

describe('where speech starts and ends', () => {
  it('is found at 8 kHz and at 16 kHz', () => {
    expectPhrases(listen(narrow, 8000));
    expectPhrases(listen(wide, 16_000));
  });

  it('is found through steady noise', () => {
    expectPhrases(listen(withNoise(narrow, 400), 8000));
  });

  it('is the same whatever pieces the sound comes in', () => {
    const whole = listen(narrow, 8000, 160);
    for (const pieceSamples of [1, 37, 480, 800]) expect(listen(narrow, 8000, pieceSamples)).toEqual(whole);
  });

  it('joins phrases when the window is longer than the pause between them', () => {
    const events = listen(narrow, 8000, 160, 1_500);
    expect(events.map((event) => event.kind)).toEqual(['start']);
  });

  it('is not found in silence, hiss, or a click', () => {
    const silence = new Int16Array(16_000);
    const click = Int16Array.from(silence, (_, i) => (i > 8000 && i < 8320 ? (i % 7) * 4000 - 12_000 : 0));
    expect(listen(silence, 8000)).toEqual([]);
    expect(listen(withNoise(silence, 300), 8000)).toEqual([]);
    expect(listen(click, 8000)).toEqual([]);
  });

  it('refuses pieces that could hold two events', () => {
    const detector = createEndpointDetector(voiceActivity.open(8000), { silenceWindowMs: 600 });
    expect(() => detector.push(new Int16Array(801))).toThrow(RangeError);
    detector.free();
    detector.free();
    expect(() => detector.push(new Int16Array(160))).toThrow('freed');
  });
});

describe('voice activity', () => {
  it('goes on when its memory has grown for other calls', async () => {
    const fresh = await loadVoiceActivity();
    const first = fresh.open(8000);
    const voiced = () => frames(narrow).filter((frame) => first.isVoice(frame)).length;
    const before = voiced();
    const others = Array.from({ length: 25_000 }, () => fresh.open(8000));
    first.reset();
    expect(before).toBeGreaterThan(50);
    expect(voiced()).toBe(before);
    for (const one of [first, ...others]) one.free();
  });
});

/** Its whole frames of 20 ms. */
function frames(sound: Int16Array): Int16Array[] {
  return Array.from({ length: Math.floor(sound.length / 160) }, (_, at) =>
    sound.subarray(at * 160, (at + 1) * 160),
  );
}

describe('the end-pointer', () => {
  /** A detector that hears what it is told: 1 in the first sample of a frame is voice. */
  const told: VoiceDetector = {
    sampleRateHz: 8000,
    isVoice: (frame) => frame[0] === 1,
    snrDb: null,
    isSteady: false,
    reset() {},
    free() {},
  };

  /** Pushes frames written as `v` (voice) and `.` (none); answers the events with the frame number they came at. */
  function run(pattern: string, silenceWindowMs: number, act: Record<number, (d: Detector) => void> = {}) {
    const detector = createEndpointDetector(told, { silenceWindowMs });
    const events: [number, SpeechEvent][] = [];
    [...pattern].forEach((mark, i) => {
      act[i]?.(detector);
      const event = detector.push(Int16Array.from({ length: 160 }, () => (mark === 'v' ? 1 : 0)));
      if (event) events.push([i, event]);
    });
    return { events, detector };
  }
  type Detector = ReturnType<typeof createEndpointDetector>;

  it('starts with the fifth voiced frame of ten, at the first of them', () => {
    expect(run('..v.v.v.v.v', 600).events).toEqual([[10, { kind: 'start', atMs: 40 }]]);
    expect(run('v...v...v...v...v...v', 600).events).toEqual([]);
  });

  it('ends after the window, at the last voiced frame', () => {
    expect(run(`vvvvv..v${'.'.repeat(10)}`, 200).events).toEqual([
      [4, { kind: 'start', atMs: 0 }],
      [17, { kind: 'end', lastVoicedMs: 160 }],
    ]);
  });

  it('takes a new window at once, also for the silence that already runs', () => {
    const patience = { 20: (detector: Detector) => detector.setSilenceWindowMs(400) };
    expect(run(`vvvvv${'.'.repeat(30)}`, 3_000, patience).events.at(-1)).toEqual([
      24,
      { kind: 'end', lastVoicedMs: 100 },
    ]);
  });

  it('counts voice and silence of the present utterance, and forgets it when it is cancelled', () => {
    const { detector } = run('vvvvvvv...', 600);
    expect([detector.isSpeaking, detector.voicedMs, detector.silenceMs, detector.positionMs]).toEqual([
      true,
      140,
      60,
      200,
    ]);
    detector.cancel();
    expect([detector.isSpeaking, detector.voicedMs, detector.silenceMs, detector.positionMs]).toEqual([
      false,
      0,
      0,
      200,
    ]);
  });
});
