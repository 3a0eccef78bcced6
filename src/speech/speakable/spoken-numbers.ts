import type { SpokenRule } from './spoken-rule.js';

/** Shorter rows of characters, such as a postal code, are read without a pause. */
const SHORTEST_GROUPED = 7;

/** "415" is "4 1 5". */
const digitByDigit = (characters: string) => [...characters].join(' ');

/** Rules for telephone numbers and extensions. */
export const PHONE_RULES: readonly SpokenRule[] = [
  // Extensions: "2671 ext. 5", "2671 x5", "ext. 5".
  { written: /(\d)\s?(?:,\s?)?(?:ext\b\.?|extn\b\.?)\s?(?=\d)/gi, said: '$1, extension ' },
  { written: /(\d{3})\s?x\s?(?=\d{1,6}\b)/gi, said: '$1, extension ' },
  { written: /\bext\b\.?\s?(?=\d)/gi, said: 'extension ' },
  // "+1 415 555 2671", and "(415) 555-2671" without a country code.
  { written: /\+\d[\d ().-]{6,}\d/g, said: (number) => sayPhone(number) },
  { written: /(?:\b1[ .-]?)?\(?\b\d{3}\)?[ .-]\d{3}[ .-]\d{4}\b/g, said: (number) => sayPhone(number) },
  // National numbers, in the groups in which they are written.
  {
    written: /(?<![\w.,:$-])\(?0\d{2,4}\)?(?:[ -]\d{2,4}){1,4}(?![\w-])/g,
    said: (number) => (number.match(/\d+/g) ?? []).map(digitByDigit).join(', '),
  },
];

/** A number from 0 to 255, of an IP address. */
const BYTE = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
/** Words after "5M" and "2B" that mark millions and billions; otherwise these may be numbers of flats. */
const MANY_THINGS = String.raw`\+?\s(?!is\b|was\b|has\b|this\b)(?:[a-z]+s|people)\b`;

/** Rules for IP addresses and version numbers. */
export const MACHINE_RULES: readonly SpokenRule[] = [
  // "10.0.0.1:80" is "1 0 dot 0 dot 0 dot 1 port 8 0".
  {
    written: new RegExp(String.raw`(?<![\w.])(${BYTE}(?:\.${BYTE}){3})(?::(\d{1,5}))?(?!\d|\.\d)`, 'g'),
    said: (_all, address, port) =>
      address.split('.').map(digitByDigit).join(' dot ') +
      (port === undefined ? '' : ` port ${digitByDigit(port)}`),
  },
  // "v2.1" and "version V2.1" are "version 2 point 1".
  {
    written: /\b(?:[Vv]ersion\s)?(?:v(\d+(?:\.\d+)*)|V(\d+(?:\.\d+)+))(?!\w)/g,
    said: (_all, small, large) => `version ${sayVersion(small ?? large)}`,
  },
  // "1.2.3" is "1 point 2 point 3"; "24.11.26" is a day, and stays.
  { written: /(?<![\w.,$])(?!\d\d\.\d\d\.\d\d\b)\d+\.\d+\.\d+(?![\w,]|\.\d)/g, said: sayVersion },
];

/**
 * Rules for "No." and for "5K", and for numbers of orders, contracts and claims, which are read character by character.
 */
export const CODE_RULES: readonly SpokenRule[] = [
  { written: /\b[Nn]o\.\s?(?=#?\w*\d)/g, said: 'number ' },
  // "5K", "2M users", "1B people"; "3M" is the name of a company.
  { written: /\b(\d[\d.,]*)K\b/g, said: '$1 thousand' },
  { written: new RegExp(String.raw`\b(?!3M)(\d[\d.,]*)M\b(?=${MANY_THINGS})`, 'g'), said: '$1 million' },
  { written: new RegExp(String.raw`\b(\d[\d.,]*)B\b(?=${MANY_THINGS})`, 'g'), said: '$1 billion' },
  // Capitals and digits: "AB4710", "7K-22".
  { written: /\b(?=\w*[A-Z])(?=\w*\d)[A-Z\d]{2,}(?:-[A-Z\d]+)*\b/g, said: (code) => sayCode(code) },
  // "XYZ-987", "A-204"; a name with a number, such as "COVID-19", is no code.
  { written: /\b[A-Z]{1,4}-(?=[A-Z\d-]*\d\d\d)[A-Z\d]+(?:-[A-Z\d]+)*\b/g, said: (code) => sayCode(code) },
  // "ab12cd", but not "3rd", "5kg" or "mp3".
  { written: /\b[a-z]{1,3}\d(?=[a-z\d]*\d)[a-z\d]{3,}\b/g, said: (code) => sayCode(code) },
  // Numbers already written in groups.
  { written: /\b\d{2,}(?:-\d{2,}){2,}\b/g, said: (number) => sayCode(number) },
  // Five digits and more, such as a number of an order.
  { written: /(?<![\d,.$])\d{5,}(?![\d,]*\.\d)/g, said: (digits) => sayInGroups(digits) },
];

/**
 * A phone number in its usual groups, with a short pause between: 4 1 5, 5 5 5, 2 6 7 1. The North American country
 * code 1 is left out. Numbers of other lengths are read in groups of three.
 */
function sayPhone(number: string): string {
  const digits = number.replace(/\D/g, '');
  const local = digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
  if (local.length === 10) {
    return [local.slice(0, 3), local.slice(3, 6), local.slice(6)].map(digitByDigit).join(', ');
  }
  return (local.match(/\d{3}(?=\d{2})|\d{1,3}/g) ?? []).map(digitByDigit).join(', ');
}

/** "2.10" is "2 point 10". */
function sayVersion(version: string): string {
  return version.replaceAll('.', ' point ');
}

/** The groups of a code between its dashes, with a pause between. */
function sayCode(code: string): string {
  return code.split('-').map(sayInGroups).join(', ');
}

/**
 * Characters one by one. Long rows are read in groups of three, so that they can be written down; the last group has
 * two to four: A B 4, 7 1 0, 2 2.
 */
function sayInGroups(characters: string): string {
  if (characters.length < SHORTEST_GROUPED) return digitByDigit(characters);
  return (characters.match(/.{3}(?=.{2})|.{1,4}/g) ?? []).map(digitByDigit).join(', ');
}
