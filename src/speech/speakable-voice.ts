import type { Languages } from '#language/languages/languages.js';
import { alignedWords } from './aligned-words.js';
import { speakableText } from './speakable/speakable-text.js';
import type { SpeakRequest, Tts } from './tts.js';

/** A text without any of these makes no sound, and some voices refuse it. */
const AUDIBLE = /[\p{L}\p{N}]/u;

/**
 * A voice that is given texts as people say them: figures, dates, addresses and markup are put into words before it
 * reads them, unless a request says `normalise: false`. Word times come back for the words as they were written.
 * @param languages whose words there are for signs; those that the service comes with by default
 */
export function withSpeakableText(tts: Tts, languages?: Languages): Tts {
  const { charactersOf } = tts;
  return {
    ...tts,
    speak: (request) => {
      const spoken = asSpoken(tts, request, languages);
      return AUDIBLE.test(spoken.text) ? tts.speak(spoken) : silence();
    },
    ...(charactersOf && {
      charactersOf: (request: SpeakRequest) => charactersOf(asSpoken(tts, request, languages)),
    }),
    close: () => tts.close(),
  };
}

function asSpoken(
  { letters = 'any' }: Tts,
  request: SpeakRequest,
  languages: Languages | undefined,
): SpeakRequest {
  const { text: written, language, onWords, normalise = true } = request;
  const text = normalise
    ? speakableText(written, { language, letters, ...(languages && { languages }) })
    : written;
  if (onWords === undefined) return { ...request, text };
  const align = alignedWords(written, text);
  return { ...request, text, onWords: (words) => onWords(align(words)) };
}

async function* silence(): AsyncGenerator<Int16Array> {}
