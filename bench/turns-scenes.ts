import type { RecognitionHints } from '#speech/stt.js';
import { inARow, type Noise, type Sounds } from './turns-sounds.js';
import type { Scene } from './turns-talk.js';

/** What a good agent does: stop for it, go on through it, or answer it once, when it is over. */
export type Wanted = 'stop' | 'go_on' | 'answer';

/** Scenes of one kind, one row of the table. */
export interface SceneGroup {
  name: string;
  wanted: Wanted;
  scenes: readonly Scene[];
}

const SENTENCE_MS = 5_000;
/** The last moment at which speaking over a sentence is an interruption and not an early answer. */
const LATEST_MS = 4_300;
const YES_NO: RecognitionHints = { kind: 'yes_no' };
const ANYTHING: RecognitionHints = { kind: 'anything' };
const PHONE: RecognitionHints = { kind: 'phone_number', plan: 'north_american' };

/** All that is tried, from the shortest word to the slowest number. */
export function makeScenes(sounds: Sounds): SceneGroup[] {
  const pink = (snrDb: number): Noise => ({ loop: sounds.pink, snrDb });
  const babble = (snrDb: number): Noise => ({ loop: sounds.babble, snrDb });
  const said = (text: string, voice = 'rms') => sounds.voice(text, voice);
  const over = (sound: Int16Array, everyMs: number, noise: Noise | null = null): Scene[] =>
    steps(100, LATEST_MS, everyMs).map((afterMs) => ({
      sentenceMs: SENTENCE_MS,
      expectation: YES_NO,
      sound,
      afterMs,
      noise,
      cue: 'speaks' as const,
      followMs: 3_500,
    }));
  const answered = (sound: Int16Array, expectation = YES_NO, noise: Noise | null = null): Scene => ({
    sentenceMs: 400,
    expectation,
    sound,
    noise,
    cue: 'listens' as const,
    afterMs: 2_600,
    followMs: 4_500,
  });
  const answers = ['yes', 'no', 'yes I have time', 'no I cannot come'];
  const quiz = (noise: Noise | null) =>
    answers.flatMap((text) => ['rms', 'slt'].map((voice) => answered(said(text, voice), YES_NO, noise)));
  const slowly = (gapMs: number, words: readonly string[]) =>
    inARow(...words.flatMap((word, at) => (at === 0 ? [said(word)] : [sounds.silence(gapMs), said(word)])));
  const wait = said('wait a minute please');

  return [
    group('interruption, a sentence', 'stop', over(wait, 100)),
    group('interruption, "no I cannot come"', 'stop', over(said('no I cannot come', 'slt'), 100)),
    group('interruption, "stop"', 'stop', over(said('stop'), 100)),
    ...[20, 10, 5].map((snrDb) =>
      group(`interruption, noise ${snrDb} dB`, 'stop', over(wait, 400, pink(snrDb))),
    ),
    group(
      'back-channels',
      'go_on',
      ['uh huh', 'okay', 'yeah', 'right', 'all right'].flatMap((word) => over(said(word), 400)),
    ),
    group('coughs', 'go_on', [
      ...[200, 300, 450].flatMap((ms) => over(sounds.cough(ms), 400)),
      ...over(inARow(sounds.cough(400), sounds.silence(150), sounds.cough(400)), 400),
    ]),
    ...[20, 10, 5].map((snrDb) =>
      group(`noise alone, ${snrDb} dB`, 'go_on', over(sounds.silence(3_000), 1_100, pink(snrDb))),
    ),
    ...[20, 10, 5].map((snrDb) =>
      group(`other voices, ${snrDb} dB`, 'go_on', over(sounds.silence(3_000), 1_100, babble(snrDb))),
    ),
    group(
      'coughs while it listens',
      'go_on',
      [150, 250, 350, 450].map((ms) => answered(sounds.cough(ms))),
    ),
    group('music while it listens', 'go_on', [answered(sounds.music(10_000)), answered(sounds.music(4_000))]),
    group(
      'answers after music',
      'answer',
      answers.map((text) => answered(inARow(sounds.music(6_000), sounds.silence(300), said(text)))),
    ),
    group('answers', 'answer', quiz(null)),
    ...[20, 10, 5].map((snrDb) => group(`answers, noise ${snrDb} dB`, 'answer', quiz(pink(snrDb)))),
    group(
      'answers with a pause for breath',
      'answer',
      [200, 300, 400, 500].flatMap((gapMs) => [
        answered(slowly(gapMs, ['I would like to come', 'on Monday morning']), ANYTHING),
        answered(slowly(gapMs, ['my', 'name is Robin']), ANYTHING),
        answered(slowly(gapMs + 400, ['no but', 'I cannot come'])),
        answered(slowly(gapMs - 100, ['yes', 'I have time'])),
      ]),
    ),
    group(
      'slow numbers',
      'answer',
      [300, 500, 700, 900, 1_100].map((gapMs) =>
        answered(slowly(gapMs, ['four one five', 'five five five', 'zero one', 'zero nine']), PHONE),
      ),
    ),
  ];
}

function group(name: string, wanted: Wanted, scenes: Scene[]): SceneGroup {
  return { name, wanted, scenes };
}

function steps(from: number, to: number, by: number): number[] {
  return Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, index) => from + index * by);
}
