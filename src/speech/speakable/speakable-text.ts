import type { Language } from '#language/languages/language.js';
import { codeOf, DEFAULT_LANGUAGES, type Languages } from '#language/languages/languages.js';
import { MONTHS } from '#language/months.js';
import { numberToWords } from '#language/number-names.js';
import { toPlainLetters } from '#language/plain-letters.js';
import { SHORT_FORM_RULES } from './short-forms.js';
import { dateOrderOf, dayRules, type DateOrder } from './spoken-days.js';
import { FRACTION_RULES } from './spoken-fractions.js';
import { HOUR_RULES } from './spoken-hours.js';
import { MARKUP_RULES } from './spoken-markup.js';
import { rulesInLanguage } from './spoken-in-language.js';
import { MONEY_RULES } from './spoken-money.js';
import { MEASURE_RULES } from './spoken-measures.js';
import { CODE_RULES, MACHINE_RULES, PHONE_RULES } from './spoken-numbers.js';
import type { SpokenRule } from './spoken-rule.js';
import { SPAN_RULES } from './spoken-spans.js';

/** Top-level domains that mark a web address without "www" or "https". */
const DOMAIN =
  /\b(?:[a-z\d-]+\.)+(?:com|org|net|edu|gov|io|info|biz|app|dev|ai|uk|de|fr|eu|ca|au)\b(?:\/[^\s,;]*[^\s,;.!?])?/gi;

/**
 * The synthesiser reads a number digit by digit if another number follows, as in a telephone number. That is wrong at
 * the end of a sentence and in a list. It reads days of a month correctly.
 */
const BEFORE_A_NUMBER = new RegExp(
  String.raw`(?<![\w.,:$#-]|(?:${MONTHS.join('|')}) )[1-9]\d{1,2}(?=[,.;]\s+\d)`,
  'g',
);

/** Rules that need the characters as written, before they are simplified. */
const FIRST_RULES: readonly SpokenRule[] = [...MARKUP_RULES, ...MEASURE_RULES];

/** Removes the remaining characters without a sound, or read by their own name. */
const LAST_RULES: readonly SpokenRule[] = [
  { written: /[^\x20-\x7e\p{L}\p{M}\p{N}]/gu, said: ' ' },
  { written: /[*_~`^|\\<>{}[\]"#/]/g, said: ' ' },
  { written: /\s+([,.;:!?])/g, said: '$1' },
  { written: /\s+/g, said: ' ' },
];

/**
 * The rules in their order; a rule sees the output of earlier ones. The synthesiser reads plain words, prices in
 * dollars, percentages and "10:30" well by itself.
 */
const rulesFor = (order: DateOrder): readonly SpokenRule[] => [
  { written: /[‘’‛]/g, said: "'" },
  { written: /[“”„«»]/g, said: '' },
  ...SPAN_RULES,
  { written: /\s*[–—]\s*/g, said: ', ' },
  { written: /\u2212/g, said: '-' },
  // The synthesiser reads "-5" well, but not "-$5".
  { written: /(?<![\w)])-(?=[€£¥₹$]\s?\d)/g, said: 'minus ' },
  ...MONEY_RULES,
  ...FRACTION_RULES,
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
  { written: /(\d)\s*\/\s*(?=\d)/g, said: '$1 - ' },
  { written: BEFORE_A_NUMBER, said: (number) => numberToWords(Number(number)).join(' ') },
  { written: /#(?=\d)/g, said: 'number ' },
  ...LAST_RULES,
];

const RULES: Readonly<Record<DateOrder, readonly SpokenRule[]>> = {
  month_first: rulesFor('month_first'),
  day_first: rulesFor('day_first'),
  open: rulesFor('open'),
};

/** Built once for each language tag: most texts of a call are in one language. */
const inOtherLanguages = new WeakMap<Language, Map<string, readonly SpokenRule[]>>();

function rulesIn(tag: string, language: Language): readonly SpokenRule[] {
  const known = inOtherLanguages.get(language) ?? new Map<string, readonly SpokenRule[]>();
  const rules = known.get(tag) ?? rulesInLanguage(tag, language);
  inOtherLanguages.set(language, known.set(tag, rules));
  return rules;
}

/** The letters that a voice can read. */
export type ReadableLetters = 'any' | 'plain';

/**
 * A text as a voice should read it: dates, times, telephone numbers, codes and addresses in spoken form in English, and
 * in other languages with their words for signs, days and amounts.
 * @param options.language BCP 47; in English the region decides whether "03/04" is in March or in April, and without a
 * region the date stays open
 * @param options.languages languages with words for signs
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
    return applied(text, rulesIn(language, languages.of(language))).trim();
  const measured = applied(text, FIRST_RULES).replace(/²/g, ' squared').replace(/³/g, ' cubed');
  const spoken = applied(
    letters === 'plain' ? toPlainLetters(measured) : measured.normalize('NFKC'),
    RULES[dateOrderOf(language)],
  );
  return (letters === 'plain' ? spoken.replace(/[^\x20-\x7e]+/g, ' ').replace(/ {2,}/g, ' ') : spoken).trim();
}

function applied(text: string, rules: readonly SpokenRule[]): string {
  return rules.reduce(
    (spoken, { written, said }) =>
      typeof said === 'string' ? spoken.replace(written, said) : spoken.replace(written, said),
    text,
  );
}

function sayAddress(address: string): string {
  return address
    .replace(/@/g, ' at ')
    .replace(/\/$/, '')
    .replace(/\./g, ' dot ')
    .replace(/\//g, ' slash ')
    .replace(/-/g, ' dash ')
    .replace(/_/g, ' underscore ');
}
