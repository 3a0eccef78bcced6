import type { Language } from '#language/languages/language.js';
import { codeOf, DEFAULT_LANGUAGES, type Languages } from '#language/languages/languages.js';
import { MONTHS } from '#language/months.js';
import { numberToWords } from '#language/number-names.js';
import { toPlainLetters } from '#language/plain-letters.js';
import { SHORT_FORM_RULES } from './short-forms.js';
import { HOUR_RULES, dateOrderOf, dayRules, type DateOrder } from './spoken-dates-and-times.js';
import { FRACTION_RULES } from './spoken-fractions.js';
import { MARKUP_RULES } from './spoken-markup.js';
import { rulesInLanguage } from './spoken-in-language.js';
import { MONEY_RULES } from './spoken-money.js';
import { MEASURE_RULES } from './spoken-measures.js';
import { CODE_RULES, MACHINE_RULES, PHONE_RULES } from './spoken-numbers.js';
import type { SpokenRule } from './spoken-rule.js';
import { RANGE_RULES } from './spoken-ranges.js';

/** Top-level domains that mark a web address without "www" or "https". */
const DOMAIN =
  /\b(?:[a-z\d-]+\.)+(?:com|org|net|edu|gov|io|info|biz|app|dev|ai|uk|de|fr|eu|ca|au)\b(?:\/[^\s,;]*[^\s,;.!?])?/gi;

/**
 * A number of two or three digits before another number in a list or in the next sentence ("20, 30 or 40"), but not a
 * day of a month ("May 12, 2026"). The built-in synthesiser would read it digit by digit, as a part of a telephone
 * number.
 */
const NUMBER_IN_LIST = new RegExp(
  String.raw`(?<![\w.,:$#-]|(?:${MONTHS.join('|')}) )[1-9]\d{1,2}(?=[,.;]\s+\d)`,
  'g',
);

/** English rules that need the characters as written, before they are simplified. */
const FIRST_ENGLISH_RULES: readonly SpokenRule[] = [...MARKUP_RULES, ...MEASURE_RULES];

/** English rules that remove the remaining characters: those without a sound, or that would be read by their name. */
const LAST_ENGLISH_RULES: readonly SpokenRule[] = [
  // Everything but letters, numbers and ASCII, for example emoji.
  { written: /[^\x20-\x7e\p{L}\p{M}\p{N}]/gu, said: ' ' },
  { written: /[*_~`^|\\<>{}[\]"#/]/g, said: ' ' },
  // Spaces before a mark, left by removed characters.
  { written: /\s+([,.;:!?])/g, said: '$1' },
  { written: /\s+/g, said: ' ' },
];

/**
 * The English rules in their order; a rule sees the output of earlier rules. The built-in synthesiser reads plain
 * words, plain prices in dollars, percentages and "10:30" well by itself, so there are no rules for them.
 */
const englishRules = (order: DateOrder): readonly SpokenRule[] => [
  { written: /[‘’‛]/g, said: "'" },
  { written: /[“”„«»]/g, said: '' },
  ...RANGE_RULES,
  { written: /\s*[–—]\s*/g, said: ', ' },
  { written: /\u2212/g, said: '-' },
  // The synthesiser reads "-5" well, but not "-$5".
  { written: /(?<![\w)])-(?=[€£¥₹$]\s?\d)/g, said: 'minus ' },
  ...MONEY_RULES,
  ...FRACTION_RULES,
  // Web and mail addresses: "https://example.com/help" is "example dot com slash help".
  {
    written: /\b(?:https?:\/\/(?:www\.)?|www\.)([^\s,;]+[^\s,;.!?])/gi,
    said: (_all, address) => sayAddress(address),
  },
  { written: /\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, said: (address) => sayAddress(address) },
  { written: DOMAIN, said: (address) => sayAddress(address) },
  ...dayRules(order),
  ...HOUR_RULES,
  ...PHONE_RULES,
  ...MACHINE_RULES,
  ...SHORT_FORM_RULES,
  ...CODE_RULES,
  { written: /\s*&\s*/g, said: ' and ' },
  { written: /\s*=\s*/g, said: ' equals ' },
  { written: /\s*\+\s*/g, said: ' plus ' },
  { written: /(\d)\s?°\s?C\b/g, said: '$1 degrees Celsius' },
  { written: /(\d)\s?°(?:\s?F\b)?/g, said: '$1 degrees' },
  // A slash that no earlier rule has read: "24/7" is read as "24 - 7".
  { written: /(\d)\s*\/\s*(?=\d)/g, said: '$1 - ' },
  { written: NUMBER_IN_LIST, said: (number) => numberToWords(Number(number)).join(' ') },
  { written: /#(?=\d)/g, said: 'number ' },
  ...LAST_ENGLISH_RULES,
];

const ENGLISH_RULES: Readonly<Record<DateOrder, readonly SpokenRule[]>> = {
  month_first: englishRules('month_first'),
  day_first: englishRules('day_first'),
  open: englishRules('open'),
};

/** The rules of languages other than English, by language and then by tag, such as `de-AT`; built once. */
const rulesByLanguage = new WeakMap<Language, Map<string, readonly SpokenRule[]>>();

/** The rules of a language other than English, made at their first use. */
function otherLanguageRules(tag: string, language: Language): readonly SpokenRule[] {
  const rulesByTag = rulesByLanguage.get(language) ?? new Map<string, readonly SpokenRule[]>();
  const rules = rulesByTag.get(tag) ?? rulesInLanguage(tag, language);
  rulesByLanguage.set(language, rulesByTag.set(tag, rules));
  return rules;
}

/** The letters that a voice can read: any, or only those of English. */
export type ReadableLetters = 'any' | 'plain';

/**
 * A text as a voice should read it. In English, dates, times, telephone numbers, codes and addresses are put into
 * words; in other languages, signs, days and amounts. Used by `withSpeakableText`, in front of every voice.
 * @param options.language BCP 47; in English the region decides whether "03/04" is in March or in April, and without a
 * region the date stays open
 * @param options.languages the languages, whose files have the words for signs
 * @param options.letters `plain` for a voice that has only the letters of English, and reads everything as English
 */
export function speakableText(
  text: string,
  {
    language,
    letters,
    languages = DEFAULT_LANGUAGES,
  }: { language: string; letters: ReadableLetters; languages?: Languages },
): string {
  if (letters === 'any' && codeOf(language) !== 'en')
    return applyRules(text, otherLanguageRules(language, languages.forTag(language))).trim();
  // Before the normalisation below, which would turn "m²" into "m2".
  const measured = applyRules(text, FIRST_ENGLISH_RULES).replace(/²/g, ' squared').replace(/³/g, ' cubed');
  const spoken = applyRules(
    letters === 'plain' ? toPlainLetters(measured) : measured.normalize('NFKC'),
    ENGLISH_RULES[dateOrderOf(language)],
  );
  return (letters === 'plain' ? spoken.replace(/[^\x20-\x7e]+/g, ' ').replace(/ {2,}/g, ' ') : spoken).trim();
}

/** Applies the rules one after the other. */
function applyRules(text: string, rules: readonly SpokenRule[]): string {
  return rules.reduce(
    (spoken, { written, said }) =>
      typeof said === 'string' ? spoken.replace(written, said) : spoken.replace(written, said),
    text,
  );
}

/** A web or mail address in words. */
function sayAddress(address: string): string {
  return address
    .replace(/@/g, ' at ')
    .replace(/\/$/, '')
    .replace(/\./g, ' dot ')
    .replace(/\//g, ' slash ')
    .replace(/-/g, ' dash ')
    .replace(/_/g, ' underscore ');
}
