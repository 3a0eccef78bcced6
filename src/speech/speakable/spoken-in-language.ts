import { DateTime } from 'luxon';
import type { Language } from '#language/languages/language.js';
import { MARKUP_RULES } from './spoken-markup.js';
import type { SpokenRule } from './spoken-rule.js';

/** A web address without "www" and "https", recognised by its top-level domain: "example.com/prices". */
const DOMAIN =
  /\b(?:[a-z\d-]+\.)+(?:com|org|net|edu|gov|io|info|biz|app|dev|ai|uk|de|at|ch|fr|be|es|mx|it|pt|br|eu)\b(?:\/[^\s,;]*[^\s,;.!?])?/gi;

/** The currency codes of signs. */
const CURRENCY_SIGNS: Readonly<Record<string, string>> = {
  '€': 'EUR',
  $: 'USD',
  '£': 'GBP',
  '¥': 'JPY',
  R$: 'BRL',
};
/** Currency codes (ISO 4217) that are read as amounts. */
const CURRENCY_CODES = String.raw`EUR|USD|GBP|CHF|JPY|BRL|MXN|CAD|AUD`;
/** An amount with any mark between thousands and before hundredths: "1.234,50", "1,234.50", "1 234". */
const AMOUNT = String.raw`\d+(?:[.,\u00a0\u202f' ]\d{3})*(?:[.,]\d{1,2})?(?![\d])`;

/**
 * Rules for all languages but English: signs are replaced by the words of the language file, days and amounts are
 * written as `Intl` does. Other figures are left to the voice, which knows the language. Used by `speakableText`.
 */
export function rulesInLanguage(tag: string, { file }: Language): readonly SpokenRule[] {
  const { signs } = file;
  const address = (text: string) => sayAddress(text, signs);
  return [
    ...MARKUP_RULES,
    // Marks of a list, and signs that would be read out by their names.
    { written: /^\s*(?:[-*•]|\d+\))\s+/gm, said: '' },
    // A line that ends with a letter ends a sentence.
    { written: /(?<=\p{L})[ \t]*\n+\s*/gu, said: '. ' },
    {
      written: /\b(?:https?:\/\/(?:www\.)?|www\.)([^\s,;]+[^\s,;.!?])/gi,
      said: (_all, rest = '') => address(rest),
    },
    { written: /\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, said: address },
    { written: DOMAIN, said: address },
    { written: /\b(\d{4})-(\d{2})-(\d{2})\b/g, said: (...parts) => sayDay(parts, tag) },
    ...moneyRules(tag),
    { written: /\+\d[\d ()/-]{6,}\d/g, said: (number) => sayPhoneNumber(number, signs.plus) },
    { written: /(?<=\d)\s?%/g, said: ` ${signs.percent}` },
    { written: /(?<=\d)\s?°(?:\s?C\b)?/g, said: ` ${signs.degrees}` },
    { written: /\s*&\s*/g, said: ` ${signs.and} ` },
    { written: /\s*=\s*/g, said: ` ${signs.equals} ` },
    { written: /(?<=\S) \+ (?=\S)/g, said: ` ${signs.plus} ` },
    { written: /[*_~`^|\\<>{}[\]#]/g, said: ' ' },
    { written: /\p{Extended_Pictographic}|\u200d|\ufe0f|\u20e3/gu, said: ' ' },
    { written: /\s+([,.;!?])/g, said: '$1' },
    { written: /\s+/g, said: ' ' },
  ];
}

/** A web or mail address with its marks in words: "ada@example.com" is "ada ät example Punkt com" in German. */
function sayAddress(address: string, signs: Language['file']['signs']): string {
  return address
    .replace(/\/$/, '')
    .replace(/@/g, ` ${signs.at} `)
    .replace(/\./g, ` ${signs.dot} `)
    .replace(/\//g, ` ${signs.slash} `)
    .replace(/-/g, ` ${signs.dash} `)
    .replace(/_/g, ` ${signs.underscore} `);
}

/** "2026-03-15" is "15. März 2026" in German; a text that is no day stays. */
function sayDay([written = '', year, month, day]: readonly string[], tag: string): string {
  const date = DateTime.fromObject({ year: Number(year), month: Number(month), day: Number(day) });
  return date.isValid ? date.setLocale(tag).toLocaleString(DateTime.DATE_FULL) : written;
}

/** "€12.50", "12,50 €" and "EUR 12.50" are "12,50 Euro" in German. */
function moneyRules(tag: string): SpokenRule[] {
  const sign = String.raw`R\$|[€$£¥]`;
  const currencyFirst = new RegExp(String.raw`(${sign}|\b(?:${CURRENCY_CODES}))\s?(${AMOUNT})`, 'g');
  const amountFirst = new RegExp(String.raw`(?<![\d.,])(${AMOUNT})\s?(${sign}|(?:${CURRENCY_CODES})\b)`, 'g');
  return [
    {
      written: currencyFirst,
      said: (written, currency = '', amount = '') => sayMoney(written, { amount, currency, tag }),
    },
    {
      written: amountFirst,
      said: (written, amount = '', currency = '') => sayMoney(written, { amount, currency, tag }),
    },
  ];
}

/** An amount with the name of its currency, as `Intl` writes it; `written` itself if it is no amount. */
function sayMoney(written: string, sum: { amount: string; currency: string; tag: string }): string {
  const currency = CURRENCY_SIGNS[sum.currency] ?? sum.currency;
  // One or two figures after the last mark are hundredths; all other marks separate thousands.
  const parts = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(sum.amount);
  const whole = (parts?.[1] ?? '').replace(/\D/g, '');
  const value = Number(`${whole}.${parts?.[2] ?? '0'}`);
  if (whole === '' || !Number.isFinite(value)) return written;
  return new Intl.NumberFormat(sum.tag, {
    style: 'currency',
    currency,
    currencyDisplay: 'name',
    minimumFractionDigits: Number.isInteger(value) ? 0 : 2,
    useGrouping: false,
  }).format(value);
}

/** A telephone number digit by digit, with a pause between groups. */
function sayPhoneNumber(number: string, plus: string): string {
  const groups = number.slice(1).match(/\d+/g) ?? [];
  return `${plus} ${groups.map((group) => [...group].join(' ')).join(', ')}`;
}
