import type { Languages } from '#language/languages/languages.js';
import { alignedWords } from './aligned-words.js';
import { speakableText } from './speakable/speakable-text.js';
import type { SpeakRequest, Tts } from './tts.js';

/** A text without any of these makes no sound, and some voices refuse it. */
const AUDIBLE = /[\p{L}\p{N}]/u;

/**
 * Wraps a voice: figures, dates, addresses and markup are put into words before the voice reads them, unless a request
 * has `normalise: false`. Word times are converted to the words as written. A text without a sound is not sent to the
 * voice. The providers module wraps every voice with it.
 * @param languages the languages, whose files have the words for signs; the built-in ones by default
 */
export function withSpeakableText(tts: Tts, languages?: Languages): Tts {
  const { charactersOf } = tts;
  // A request is converted once, although its characters are counted before it is spoken.
  const spokenRequests = new WeakMap<SpeakRequest, SpeakRequest>();
  const spokenOf = (request: SpeakRequest): SpeakRequest => {
    const spoken = spokenRequests.get(request) ?? spokenRequest(tts, request, languages);
    spokenRequests.set(request, spoken);
    return spoken;
  };
  return {
    ...tts,
    speak: (request) => {
      const spoken = spokenOf(request);
      return AUDIBLE.test(spoken.text) ? tts.speak(spoken) : silence();
    },
    ...(charactersOf && {
      charactersOf: (request: SpeakRequest) => charactersOf(spokenOf(request)),
    }),
    close: () => tts.close(),
  };
}

/** The request with the text that the voice shall read. */
function spokenRequest(
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

/** No sound at all. */
async function* silence(): AsyncGenerator<Int16Array> {}
