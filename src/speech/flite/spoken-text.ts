const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** How something written is said: the synthesiser reads plain words, prices, percentages and "10:30" well by itself. */
interface SpokenRule {
  written: RegExp;
  said: string | ((...parts: string[]) => string);
}

/** Fewer characters are said in one go, such as a postal code. */
const SHORTEST_GROUPED = 7;

const spaced = (characters: string) => [...characters].join(' ');

/** Applied in this order; what an earlier rule wrote, a later one may see. */
const RULES: readonly SpokenRule[] = [
  { written: /[‘’‛]/g, said: "'" },
  { written: /[“”„«»]/g, said: '' },
  { written: /(\d)\s*[–—]\s*(?=\d)/g, said: '$1 to ' },
  { written: /\s*[–—]\s*/g, said: ', ' },
  // Accents: "José" and "Zoë" are read as written without them; other scripts cannot be read at all.
  { written: /\p{M}/gu, said: '' },
  // Markup is not for ears: "<b>Bob</b>" is Bob.
  { written: /<\/?[a-z][^<>]*>/gi, said: ' ' },
  { written: /€\s?(\d+)(?:\.00)?(?![\d.])/g, said: '$1 euros' },
  { written: /€\s?(\d+)\.(\d\d)/g, said: '$1 euros $2' },
  { written: /£\s?(\d+)(?:\.00)?(?![\d.])/g, said: '$1 pounds' },
  { written: /£\s?(\d+)\.(\d\d)/g, said: '$1 pounds $2' },
  { written: /\b(?:https?:\/\/|www\.)([^\s,;]+[^\s,;.!?])/gi, said: (_all, address) => sayAddress(address) },
  { written: /\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, said: (address) => sayAddress(address) },
  {
    written: /\b(\d{4})-(\d\d)-(\d\d)\b/g,
    said: (written, year, month, day) => sayDate(Number(year), Number(month), Number(day)) ?? written,
  },
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
  { written: /\(?\b\d{3}\)?[ .-]\d{3}[ .-]\d{4}\b/g, said: (number) => sayPhone(number) },
  // Order numbers and codes: letter by letter, digit by digit.
  { written: /\b(?=\w*[A-Z])(?=\w*\d)[A-Z\d]{2,}(?:-[A-Z\d]+)*\b/g, said: (code) => sayCode(code) },
  // Numbers of contracts and claims, in groups already.
  { written: /\b\d{2,}(?:-\d{2,}){2,}\b/g, said: (number) => sayCode(number) },
  { written: /(?<![\d,.$])\d{5,}(?![\d,]*\.\d)/g, said: (digits) => grouped(digits) },
  { written: /\s*&\s*/g, said: ' and ' },
  { written: /\s*=\s*/g, said: ' equals ' },
  { written: /(\d)\s?°\s?C\b/g, said: '$1 degrees Celsius' },
  { written: /(\d)\s?°(?:\s?F\b)?/g, said: '$1 degrees' },
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
  let spoken = text.normalize('NFKD');
  for (const { written, said } of RULES) {
    spoken = typeof said === 'string' ? spoken.replace(written, said) : spoken.replace(written, said);
  }
  return spoken.trim();
}

function sayDate(year: number, month: number, day: number): string | null {
  const name = MONTHS[month - 1];
  if (!name || day < 1 || day > 31) return null;
  return `${name} ${day}${ordinalEnding(day)}, ${year}`;
}

function ordinalEnding(day: number): string {
  const last = day % 10;
  if (Math.floor(day / 10) === 1 || last === 0 || last > 3) return 'th';
  return ['st', 'nd', 'rd'][last - 1]!;
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
