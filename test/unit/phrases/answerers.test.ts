import { z } from 'zod';
import { classifyAnswer } from '#conversation/answering/answer-phrases.js';
import { DEFAULT_LANGUAGES } from '#language/languages/languages.js';
import { AnsweringMachineDetector } from '#conversation/answering/answering-machine-detector.js';
import { speaking } from '#test/support/call-languages.js';
import { testPhrases } from '#test/support/phrases.js';

const FRAME = new Int16Array(160);
const FRAME_MS = 20;

const shape = {
  /** How long the greeting takes, where the watch over the whole answer has to say the same. */
  seconds: z.number().optional(),
};

/** What answers the phone with these words: a `person`, a `machine`, `absent` (one of the two), or `screening`. */
testPhrases('answerers.yaml', shape, (text, { language, seconds }) => {
  const kind = classifyAnswer(text, DEFAULT_LANGUAGES.forTag(language));
  const watched = seconds === undefined ? kind : watchedKindOf(text, language, seconds);
  return kind === watched ? kind : `${kind}, and ${watched} to the watch`;
});

/** What the watch takes an answer without a beep for; it speaks up for all but persons. */
function watchedKindOf(text: string, language: string, seconds: number): string {
  const told: string[] = [];
  const watch = new AnsweringMachineDetector({
    language: speaking(language),
    sampleRateHz: 8_000,
    onAnswerer: (answerer) => void told.push(answerer),
    onBeep: () => void told.push('beep'),
  });
  const endMs = seconds * 1_000;
  for (let ms = FRAME_MS; ms <= endMs; ms += FRAME_MS) watch.hear(FRAME, ms, false);
  watch.takeTranscript({ text, startMs: 0, endMs });
  return told.join(', ') || 'person';
}
