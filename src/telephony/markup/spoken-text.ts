/**
 * Characters that XML 1.0 forbids (Char, §2.2), among them lone surrogates; and DEL and the C1 controls, which XML
 * allows. Form feed and vertical tab are missing: they are forbidden, but count as spaces below.
 */
const UNSPEAKABLE = /[^\t\n\f\r\v\u0020-\u007E\u00A0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/**
 * Cleans a text for a carrier's voice: removes control characters and repeated spaces. The writers of call-control
 * markup use it for every `say` step; the result may be empty.
 */
export function spokenText(text: string): string {
  return text.replace(UNSPEAKABLE, '').replace(/\s+/gu, ' ').trim();
}

/** The default language of carriers' voices, which markup does not need to name. */
export const CARRIER_LANGUAGE = 'en-US';
