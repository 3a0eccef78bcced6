import type { SpokenRule } from './spoken-rule.js';

/**
 * Short forms before a name, whose full stop ends no sentence. The synthesiser knows "Mr", "Mrs", "Dr" and "St", but
 * spells these.
 */
const BEFORE_A_NAME: Readonly<Record<string, string>> = {
  Ms: 'Miz',
  Prof: 'Professor',
  Lt: 'Lieutenant',
  Capt: 'Captain',
  Mt: 'Mount',
  Apt: 'Apartment',
  Hwy: 'Highway',
};
/** Short forms after a name: streets and generations. */
const AFTER_A_NAME: Readonly<Record<string, string>> = {
  Rd: 'Road',
  Blvd: 'Boulevard',
  Ave: 'Avenue',
  Ln: 'Lane',
  Pkwy: 'Parkway',
  Jr: 'Junior',
  Sr: 'Senior',
};
/** Units after a number. */
const UNITS: Readonly<Record<string, { one: string; many: string }>> = {
  hr: { one: 'hour', many: 'hours' },
  min: { one: 'minute', many: 'minutes' },
  lb: { one: 'pound', many: 'pounds' },
  km: { one: 'kilometer', many: 'kilometers' },
  cm: { one: 'centimeter', many: 'centimeters' },
  mm: { one: 'millimeter', many: 'millimeters' },
  kg: { one: 'kilogram', many: 'kilograms' },
  mi: { one: 'mile', many: 'miles' },
  yr: { one: 'year', many: 'years' },
  sec: { one: 'second', many: 'seconds' },
};

/** Abbreviations that the synthesiser would read as words: "irs", "id". It spells others by itself. */
const LETTER_BY_LETTER =
  'AI|API|ASAP|CEO|CFO|CTO|DIY|DOB|ENT|ER|ETA|EU|FAQ|HOA|ICU|ID|IOU|IRS|ISP|MRI|UAE|UK|UPS|URL|USA|USPS';

/** The full stop of a short form, unless it may also end a sentence. */
const FULL_STOP = String.raw`(?:\.(?!\s*$|\s+[A-Z]))?`;

/** The short forms as alternatives of a pattern. */
const anyOf = (forms: object) => Object.keys(forms).join('|');

/**
 * Rules of `speakableText` for English short forms: titles, streets, units and others are spoken in full, some
 * abbreviations letter by letter.
 */
export const SHORT_FORM_RULES: readonly SpokenRule[] = [
  // "Prof. Lee" is "Professor Lee".
  {
    written: new RegExp(String.raw`\b(${anyOf(BEFORE_A_NAME)})\b\.?`, 'g'),
    said: (_all, short) => BEFORE_A_NAME[short]!,
  },
  // "12 Mill Rd." is "12 Mill Road".
  {
    written: new RegExp(String.raw`\b(${anyOf(AFTER_A_NAME)})\b${FULL_STOP}`, 'g'),
    said: (_all, short) => AFTER_A_NAME[short]!,
  },
  { written: /(\d)\s?km\/h\b/g, said: '$1 kilometers an hour' },
  { written: /(\d)\s?mph\b/g, said: '$1 miles an hour' },
  { written: /\bapprox\b\.?/gi, said: 'approximately' },
  { written: /\be\.g\.,?/gi, said: 'for example,' },
  { written: /\bi\.e\.,?/gi, said: 'that is,' },
  { written: /\bw\/o\b/g, said: 'without' },
  { written: /\bw\/\s?(?=\w)/g, said: 'with ' },
  { written: /\bs\/he\b/gi, said: 'he or she' },
  // "his/her" is "his or her", "yes/no" is "yes or no".
  {
    written: /\b(s?he|his|hers?|him|yes|no)\/(?=(?:s?he|his|hers?|him|they|theirs?|them|yes|no)\b)/gi,
    said: '$1 or ',
  },
  // "FAQs" is "F A Q's".
  {
    written: new RegExp(String.raw`\b(${LETTER_BY_LETTER})(s?)\b(?!-)`, 'g'),
    said: (_all, letters, plural) => [...letters].join(' ') + (plural === '' ? '' : "'s"),
  },
  // "5kg" is "5 kilograms", "1 lb" is "1 pound".
  {
    written: new RegExp(String.raw`(\d[\d.,]*)\s?(${anyOf(UNITS)})s?\b${FULL_STOP}`, 'g'),
    said: (_all, count, unit) => `${count} ${count === '1' ? UNITS[unit]!.one : UNITS[unit]!.many}`,
  },
];
