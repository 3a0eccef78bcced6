import { MONTHS } from '../language/months.js';
import { numberNames } from '../language/number-names.js';
import { toPlainLetters } from '../language/plain-letters.js';
import { SHORT_FORM_RULES } from './short-forms.js';
import { DAY_RULES } from './spoken-days.js';
import { FRACTION_RULES } from './spoken-fractions.js';
import { MONEY_RULES } from './spoken-money.js';
import type { SpokenRule } from './spoken-rule.js';

/** Fewer characters are said in one go, such as a postal code. */
const SHORTEST_GROUPED = 7;

const spaced = (characters: string) => [...characters].join(' ');

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

/**
 * The synthesiser reads plain words, prices in dollars, percentages and "10:30" well by itself. Applied in this order;
 * what an earlier rule wrote, a later one may see.
 */
const RULES: readonly SpokenRule[] = [
  { written: /[‘’‛]/g, said: "'" },
  { written: /[“”„«»]/g, said: '' },
  { written: /(\d)\s*[–—]\s*(?=\d)/g, said: '$1 to ' },
  { written: /\s*[–—]\s*/g, said: ', ' },
  { written: /\u2212/g, said: '-' },
  // Markup is not for ears: "<b>Bob</b>" is Bob.
  { written: /<\/?[a-z][^<>]*>/gi, said: ' ' },
  ...MONEY_RULES,
  ...FRACTION_RULES,
  { written: /\b(?:https?:\/\/|www\.)([^\s,;]+[^\s,;.!?])/gi, said: (_all, address) => sayAddress(address) },
  { written: /\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, said: (address) => sayAddress(address) },
  { written: DOMAIN, said: (address) => sayAddress(address) },
  ...DAY_RULES,
  {
    written: /\b(1[3-9]|2[0-3]):([0-5]\d)\b/g,
    said: (_all, hour, minute) => `${Number(hour) - 12}:${minute} P M`,
  },
  { written: /\b0?(\d|1[0-2]):00\b(?!\s*[ap]\.?\s?m)/gi, said: "$1 o'clock" },
  { written: /\b0(\d):(?=[0-5]\d\b)/g, said: '$1:' },
  {
    written: /\b(\d{1,2})(:\d\d)?\s?([ap])\.?m\b\.?/gi,
    said: (_all, hour, minute, half) => sayHalf(hour, minute, half),
  },
  { written: /\+\d[\d ().-]{6,}\d/g, said: (number) => sayPhone(number) },
  { written: /(?:\b1[ .-]?)?\(?\b\d{3}\)?[ .-]\d{3}[ .-]\d{4}\b/g, said: (number) => sayPhone(number) },
  ...SHORT_FORM_RULES,
  // Order numbers and codes: letter by letter, digit by digit.
  { written: /\b(?=\w*[A-Z])(?=\w*\d)[A-Z\d]{2,}(?:-[A-Z\d]+)*\b/g, said: (code) => sayCode(code) },
  // Numbers of contracts and claims, in groups already.
  { written: /\b\d{2,}(?:-\d{2,}){2,}\b/g, said: (number) => sayCode(number) },
  { written: /(?<![\d,.$])\d{5,}(?![\d,]*\.\d)/g, said: (digits) => grouped(digits) },
  { written: /\s*&\s*/g, said: ' and ' },
  { written: /\s*=\s*/g, said: ' equals ' },
  { written: /(\d)\s?°\s?C\b/g, said: '$1 degrees Celsius' },
  { written: /(\d)\s?°(?:\s?F\b)?/g, said: '$1 degrees' },
  { written: /(\d)\s*\/\s*(?=\d)/g, said: '$1 - ' },
  { written: BEFORE_A_NUMBER, said: (number) => numberNames(Number(number)).join(' ') },
  { written: /#(?=\d)/g, said: 'number ' },
  { written: /[^\x20-\x7e]/g, said: ' ' },
  { written: /[*_~`^|\\<>{}[\]"#/]/g, said: ' ' },
  { written: /\s+([,.;:!?])/g, said: '$1' },
  { written: /\s+/g, said: ' ' },
];

/**
 * A text as the synthesiser should read it: dates, times, telephone numbers, codes and addresses as people say them.
 */
export function toSpokenText(text: string): string {
  let spoken = toPlainLetters(text.replace(/²/g, ' squared').replace(/³/g, ' cubed'));
  for (const { written, said } of RULES) {
    spoken = typeof said === 'string' ? spoken.replace(written, said) : spoken.replace(written, said);
  }
  return spoken.trim();
}

function sayHalf(hour: string, minute: string | undefined, half: string): string {
  return `${hour}${minute && minute !== ':00' ? minute : ''} ${half.toUpperCase()} M`;
}

/** The groups people say, with a little pause between: 4 1 5, 5 5 5, 2 6 7 1. */
function sayPhone(number: string): string {
  const digits = number.replace(/\D/g, '');
  const local = digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
  if (local.length === 10) {
    return [local.slice(0, 3), local.slice(3, 6), local.slice(6)].map(spaced).join(', ');
  }
  return (local.match(/\d{3}(?=\d{2})|\d{1,3}/g) ?? []).map(spaced).join(', ');
}

function sayCode(code: string): string {
  return code.split('-').map(grouped).join(', ');
}

/** Long rows are said in groups of three, so that they can be written down: A B 4, 7 1 0, 2 2. */
function grouped(characters: string): string {
  if (characters.length < SHORTEST_GROUPED) return spaced(characters);
  return (characters.match(/.{3}(?=.{2})|.{1,4}/g) ?? []).map(spaced).join(', ');
}

function sayAddress(address: string): string {
  return address
    .replace(/@/g, ' at ')
    .replace(/\./g, ' dot ')
    .replace(/\//g, ' slash ')
    .replace(/-/g, ' dash ')
    .replace(/_/g, ' underscore ');
}
