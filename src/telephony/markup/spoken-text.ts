/** XML 1.0 forbids these (Char, §2.2), lone surrogates among them; the C1 controls it allows say nothing either. */
const UNSPEAKABLE = /[^\t\n\f\r\v\u0020-\u007E\u00A0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** A text as a carrier's voice may be given it in any dialect: without controls, and with single spaces. */
export function spokenText(text: string): string {
  return text.replace(UNSPEAKABLE, '').replace(/\s+/gu, ' ').trim();
}

/** What every carrier speaks when it is not told a language. */
export const CARRIER_LANGUAGE = 'en-US';
