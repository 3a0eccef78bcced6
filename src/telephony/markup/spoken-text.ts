/** Characters that XML 1.0 forbids (Char, §2.2), among them lone surrogates, and the C1 controls, which it allows. */
const UNSPEAKABLE = /[^\t\n\f\r\v\u0020-\u007E\u00A0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Cleans a text for a carrier's voice: no control characters, single spaces. */
export function spokenText(text: string): string {
  return text.replace(UNSPEAKABLE, '').replace(/\s+/gu, ' ').trim();
}

/** Language of carriers' voices by default. */
export const CARRIER_LANGUAGE = 'en-US';
