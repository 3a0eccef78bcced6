import type { Language } from '#language/languages/language.js';
import { codeOf, USUAL_LANGUAGES, type Languages } from '#language/languages/languages.js';
import { MONTHS } from '#language/months.js';
import { numberNames } from '#language/number-names.js';
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

/** The endings of addresses on the web by which one is known that has neither "www" nor "https" before it. */
const DOMAIN =
  /\b(?:[a-z\d-]+\.)+(?:com|org|net|edu|gov|io|info|biz|app|dev|ai|uk|de|fr|eu|ca|au)\b(?:\/[^\s,;]*[^\s,;.!?])?/gi;

/**
 * The synthesiser says a number figure by figure when another one follows, as that may be the rest of a telephone
 * number: not so behind the end of a sentence, or in a list. Days of a month it knows.
 */
const BEFORE_A_NUMBER = new RegExp(
  String.raw`(?<![\w.,:$#-]|(?:${MONTHS.join('|')}) )[1-9]\d{1,2}(?=[,.;]\s+\d)`,
  'g',
);

/** What is read off the characters as they were written, before any of them is made plain. */
const FIRST_RULES: readonly SpokenRule[] = [...MARKUP_RULES, ...MEASURE_RULES];

/** What is left that makes no sound, or sounds like its own name. */
const LAST_RULES: readonly SpokenRule[] = [
  { written: /[^\x20-\x7e\p{L}\p{M}\p{N}]/gu, said: ' ' },
  { written: /[*_~`^|\\<>{}[\]"#/]/g, said: ' ' },
  { written: /\s+([,.;:!?])/g, said: '$1' },
  { written: /\s+/g, said: ' ' },
];

/**
 * The synthesiser reads plain words, prices in dollars, percentages and "10:30" well by itself. Applied in this order;
 * what an earlier rule wrote, a later one may see.
 */
const rulesFor = (order: DateOrder): readonly SpokenRule[] => [
  { written: /[‘’‛]/g, said: "'" },
  { written: /[“”„«»]/g, said: '' },
  ...SPAN_RULES,
  { written: /\s*[–—]\s*/g, said: ', ' },
  { written: /\u2212/g, said: '-' },
  // The synthesiser says "-5" well, but not "-$5".
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
  { written: BEFORE_A_NUMBER, said: (number) => numberNames(Number(number)).join(' ') },
  { written: /#(?=\d)/g, said: 'number ' },
  ...LAST_RULES,
];

const RULES: Readonly<Record<DateOrder, readonly SpokenRule[]>> = {
  month_first: rulesFor('month_first'),
  day_first: rulesFor('day_first'),
  open: rulesFor('open'),
};

/** Made once for each tag of a language: most texts of a call are in one. */
const inOtherLanguages = new WeakMap<Language, Map<string, readonly SpokenRule[]>>();

function rulesIn(tag: string, language: Language): readonly SpokenRule[] {
  const known = inOtherLanguages.get(language) ?? new Map<string, readonly SpokenRule[]>();
  const rules = known.get(tag) ?? rulesInLanguage(tag, language);
  inOtherLanguages.set(language, known.set(tag, rules));
  return rules;
}

/** Which letters a voice can read. */
export type ReadableLetters = 'any' | 'plain';

/**
 * A text as a voice should read it: dates, times, telephone numbers, codes and addresses as people say them in English,
 * and in other languages with their words for signs, days and amounts.
 * @param options.language BCP 47; in English "03/04" is in March or in April by it, and neither unless it says so
 * @param options.languages whose words there are for signs
 * @param options.letters `plain` for a voice that has only the letters of English, and reads everything as English
 */
export function speakableText(
  text: string,
  {
    language,
    letters,
    languages = USUAL_LANGUAGES,
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
