import { speaking } from '#test/support/call-languages.js';
import { DEFAULT_LANGUAGES } from '#language/languages/languages.js';
import { describe, expect, it } from 'vitest';
import {
  AnsweringMachineDetector,
  type Answerer,
} from '#conversation/answering/answering-machine-detector.js';
import { classifyAnswer } from '#conversation/answering/answer-phrases.js';
import { createBeepDetector } from '#media/detecting/beep-detector.js';

const FRAME = 160;
const RATE_HZ = 8_000;
const quiet = new Int16Array(FRAME);

function tone(hz: number, frame: number): Int16Array {
  return Int16Array.from({ length: FRAME }, (_, index) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * hz * (frame * FRAME + index)) / RATE_HZ)),
  );
}

/** Somebody answers: speaks for a while, is understood, and perhaps something beeps. */
function answer(options: {
  forMs: number;
  text: string;
  beepAfterMs?: number;
  beepIsVoice?: boolean;
  /** By the agent, all the time. */
  isSpokenTo?: boolean;
  language?: string;
}): Answerer[] {
  const told: Answerer[] = [];
  const watch = new AnsweringMachineDetector({
    language: speaking(options.language ?? 'en-US'),
    sampleRateHz: RATE_HZ,
    onAnswerer: (answerer) => void told.push(answerer),
    onBeep: () => {},
  });
  for (let ms = 20; ms <= options.forMs; ms += 20) watch.hear(quiet, ms, false);
  if (options.forMs > 0) watch.takeTranscript({ text: options.text, startMs: 0, endMs: options.forMs });
  if (options.beepAfterMs === undefined) return told;
  for (let ms = 0; ms < options.beepAfterMs; ms += 20) watch.hear(quiet, 0, !options.isSpokenTo);
  for (let frame = 0; frame < 20; frame += 1)
    watch.hear(tone(1_000, frame), options.beepIsVoice ? (frame + 1) * 20 : 0, !options.isSpokenTo);
  return told;
}

const GREETING = 'you have reached Jordan please leave a message after the beep';

describe('whoever answers', () => {
  it('is a machine with a long greeting that only machines give', () => {
    expect(answer({ forMs: 4_500, text: GREETING })).toEqual(['machine']);
  });

  it('is a machine with a beep after a greeting, understood or not', () => {
    expect(answer({ forMs: 5_000, text: '', beepAfterMs: 600 })).toEqual(['machine']);
    expect(answer({ forMs: 2_000, text: 'leave a message', beepAfterMs: 600 })).toEqual(['machine']);
  });

  it('is a machine with a beep where nobody has spoken, also when the beep sounds like the beginning of speech', () => {
    expect(answer({ forMs: 0, text: '', beepAfterMs: 6_000 })).toEqual(['machine']);
    expect(answer({ forMs: 0, text: '', beepAfterMs: 6_000, beepIsVoice: true })).toEqual(['machine']);
  });

  it.each([
    ['nothing to say', { forMs: 0, text: '' }],
    ['a beep while they listen to the agent', { forMs: 0, text: '', beepAfterMs: 6_000, isSpokenTo: true }],
    ['a beep that follows at once', { forMs: 0, text: '', beepAfterMs: 3_000 }],
    ['a beep after a word, and a long silence', { forMs: 500, text: 'hello', beepAfterMs: 9_000 }],
    ['a phrase alone', { forMs: 1_500, text: 'this is my voicemail' }],
    [
      'what people say of others',
      { forMs: 4_500, text: 'he is not available right now do you want to leave a message' },
    ],
    [
      'a long greeting',
      { forMs: 6_000, text: 'Smith and sons good morning this is Ada speaking how can I help you' },
    ],
    ['a short word and a beep beside them', { forMs: 500, text: 'hello', beepAfterMs: 600 }],
    ['a beep long after what they said', { forMs: 5_000, text: '', beepAfterMs: 9_000 }],
  ])('is a person with %s', (_, said) => {
    expect(answer(said)).toEqual([]);
  });

  it.each([
    ['de', 'Entschuldigung ich habe gerade meine Mailbox abgehört wer ist da', 'person'],
    ['de', 'Hier ist die Mailbox von Jordan Miller', 'machine'],
    ['fr', "bonjour j'écoutais mon répondeur qui est à l'appareil", 'person'],
    ['fr', 'vous êtes bien sur la messagerie de Jordan', 'machine'],
    ['es', 'perdón estaba escuchando el contestador quién es', 'person'],
    ['es', 'este es el buzón de voz de Jordan', 'machine'],
    ['it', 'scusi stavo ascoltando la segreteria chi parla', 'person'],
    ['it', 'risponde la segreteria telefonica di Jordan', 'machine'],
    ['pt', 'desculpe estava ouvindo a caixa postal quem fala', 'person'],
    ['pt', 'esta é a caixa postal de Jordan', 'machine'],
  ])('is told from its owner in %s: %s', (language, text, kind) => {
    expect(classifyAnswer(text, DEFAULT_LANGUAGES.forTag(language))).toBe(kind);
  });

  it('is a screening service when asked for name and purpose', () => {
    const text = 'please say your name and why you are calling';
    expect(answer({ forMs: 3_000, text })).toEqual(['screening']);
  });

  it.each([
    ['fr-FR', 'Laissez un message après le bip'],
    ['pt-BR', 'Deixe sua mensagem após o sinal'],
  ])('is known in %s too', (language, text) => {
    expect(classifyAnswer(text, DEFAULT_LANGUAGES.forTag(language))).toBe('machine');
  });
});

describe('whoever is understood only when the beep is over', () => {
  const BEEP_FRAMES = 25;

  /** The recogniser answers when an utterance is over, and a beep on its heels belongs to the utterance. */
  function understoodLate(options: {
    spokenMs: number;
    text: string;
    beepFromMs: number;
    isVoice: boolean;
    thenQuietMs?: number;
  }) {
    const { spokenMs, text, beepFromMs, isVoice, thenQuietMs = 600 } = options;
    const told: string[] = [];
    const watch = new AnsweringMachineDetector({
      language: speaking('en-US'),
      sampleRateHz: RATE_HZ,
      onAnswerer: (answerer) => void told.push(answerer),
      onBeep: () => void told.push('beep'),
    });
    const beepToMs = beepFromMs + BEEP_FRAMES * 20;
    const endMs = isVoice ? Math.max(spokenMs, beepToMs) : spokenMs;
    for (let ms = 20; ms <= Math.max(endMs, beepToMs) + thenQuietMs; ms += 20) {
      const isBeep = ms > beepFromMs && ms <= beepToMs;
      const frame = isBeep ? tone(1_000, (ms - beepFromMs) / 20 - 1) : quiet;
      watch.hear(frame, ms <= endMs ? ms : 0, ms > endMs);
    }
    watch.takeTranscript({ text, startMs: 0, endMs });
    return told;
  }

  it.each([
    ['runs into', { beepFromMs: 1_300, isVoice: true }],
    ['comes soon after', { beepFromMs: 1_900, isVoice: false }],
    ['comes well after', { beepFromMs: 4_000, isVoice: false }],
  ])('is a machine, and listens, where the beep %s words that machines say', (_, beep) => {
    expect(understoodLate({ spokenMs: 1_200, text: 'not available', ...beep })).toEqual(['machine', 'beep']);
    expect(understoodLate({ spokenMs: 1_200, text: 'after the tone', ...beep })).toEqual(['machine', 'beep']);
  });

  it('is a machine by the number of words before the beep, too', () => {
    const text = 'hi it is Jo I am out with the dog today';
    const said = { spokenMs: 2_800, text, beepFromMs: 3_000, isVoice: true };
    expect(understoodLate(said)).toEqual(['machine', 'beep']);
  });

  it.each([
    ['a short word and a beep on its heels', { text: 'hello', beepFromMs: 1_300, isVoice: true }],
    ['a beep before the words', { text: 'not available', beepFromMs: 0, isVoice: true }],
    ['a beep long after the words', { text: 'not available', beepFromMs: 7_000, isVoice: false }],
    [
      'a beep beside the words',
      { text: 'he is not available', spokenMs: 3_800, beepFromMs: 1_000, isVoice: true },
    ],
  ])('is a person with %s', (_, said) => {
    expect(understoodLate({ spokenMs: 1_200, ...said })).toEqual([]);
  });
});

describe('a beep', () => {
  it.each([440, 850, 1_000, 2_000])('of %d Hz is heard, once', (hz) => {
    const beeps = createBeepDetector(RATE_HZ);
    const heard = Array.from({ length: 30 }, (_, frame) => beeps.hear(tone(hz, frame)));
    expect(heard.filter(Boolean).length).toBe(1);
  });

  it('is no chord, no hum and no noise', () => {
    const beeps = createBeepDetector(RATE_HZ);
    for (let frame = 0; frame < 50; frame += 1) {
      const chord = tone(440, frame).map((sample, index) => sample / 2 + tone(660, frame)[index]! / 2);
      expect(beeps.hear(chord)).toBe(false);
    }
    for (let frame = 0; frame < 50; frame += 1) expect(beeps.hear(tone(100, frame))).toBe(false);
    let seed = 1;
    const noise = () =>
      Int16Array.from({ length: FRAME }, () => ((seed = (seed * 16_807) % 2_147_483_647) % 16_000) - 8_000);
    for (let frame = 0; frame < 100; frame += 1) expect(beeps.hear(noise())).toBe(false);
  });
});
