import type { SpokenRule } from './spoken-rule.js';

/** The name of a currency after the amount 1, and after any other amount. */
interface Currency {
  one: string;
  many: string;
}

const EURO: Currency = { one: 'euro', many: 'euros' };
const POUND: Currency = { one: 'pound', many: 'pounds' };
const DOLLAR: Currency = { one: 'dollar', many: 'dollars' };
const YEN: Currency = { one: 'yen', many: 'yen' };
const RUPEE: Currency = { one: 'rupee', many: 'rupees' };
const CENT: Currency = { one: 'cent', many: 'cents' };

const dollars = (country: string): Currency => ({ one: `${country} dollar`, many: `${country} dollars` });
const AUSTRALIAN = dollars('Australian');
const CANADIAN = dollars('Canadian');
const NEW_ZEALAND = dollars('New Zealand');
const HONG_KONG = dollars('Hong Kong');
const SINGAPORE = dollars('Singapore');

/** Currencies by sign or code (ISO 4217). */
const CURRENCIES: Readonly<Record<string, Currency>> = {
  '€': EURO,
  EUR: EURO,
  '£': POUND,
  GBP: POUND,
  $: DOLLAR,
  USD: DOLLAR,
  '¥': YEN,
  JPY: YEN,
  '₹': RUPEE,
  INR: RUPEE,
  '¢': CENT,
  US$: DOLLAR,
  A$: AUSTRALIAN,
  AU$: AUSTRALIAN,
  AUD: AUSTRALIAN,
  C$: CANADIAN,
  CA$: CANADIAN,
  CAD: CANADIAN,
  NZ$: NEW_ZEALAND,
  NZD: NEW_ZEALAND,
  HK$: HONG_KONG,
  HKD: HONG_KONG,
  S$: SINGAPORE,
  SGD: SINGAPORE,
};

/** Letters after an amount, as in "$5m". */
const MAGNITUDES: Readonly<Record<string, string>> = {
  k: 'thousand',
  m: 'million',
  b: 'billion',
  bn: 'billion',
};

const CODE = 'EUR|GBP|USD|JPY|INR|AUD|CAD|NZD|HKD|SGD';
/** Signs before an amount, without the plain `$`, which the synthesiser reads. */
const SIGN = String.raw`[€£¥₹]|\b(?:US|AU?|CA?|NZ|HK|S)\$`;
/** The groups whole and fraction of "1,234.50", and of the continental form "1.234,50". */
const AMOUNT = String.raw`(\d{1,3}(?:[,.]\d{3})+|\d+)(?:[.,](\d+))?`;

/**
 * Rules of `speakableText` for amounts of money in English, with the sign before or after them. The synthesiser reads
 * "$12.50" well by itself.
 */
export const MONEY_RULES: readonly SpokenRule[] = [
  // "$1.5 million" is "1.5 million dollars", "€20k" is "20 thousand euros".
  {
    written: new RegExp(
      String.raw`(${SIGN}|\$|\b(?:${CODE}))\s?(\d[\d,]*(?:\.\d+)?)(?:\s?(thousand|million|billion)|(k|m|bn?))\b`,
      'gi',
    ),
    said: (_all, sign, amount, word, letter) =>
      `${amount} ${word || MAGNITUDES[letter.toLowerCase()]!} ${currencyOf(sign).many}`,
  },
  // "£12.50" and "EUR 12".
  {
    written: new RegExp(String.raw`(${SIGN}|\b(?:${CODE}))\s?${AMOUNT}`, 'g'),
    said: (_all, sign, whole, fraction) => sayMoney(whole, fraction, currencyOf(sign)),
  },
  // "12,50 €" and "12 EUR".
  {
    written: new RegExp(String.raw`(?<![\d.,])${AMOUNT}\s?([€£¥₹$¢]|(?:${CODE})\b)(?!\s?\d)`, 'g'),
    said: (_all, whole, fraction, sign) => sayMoney(whole, fraction, currencyOf(sign)),
  },
];

/** The currency of a sign or code that a rule has matched. */
function currencyOf(written: string): Currency {
  return CURRENCIES[written.toUpperCase()]!;
}

/** An amount with its currency, such as "12 euros 50", or "1.5 euros" if the fraction is no number of cents. */
function sayMoney(whole: string, fraction: string | undefined, currency: Currency): string {
  // With separators: a long row of figures would be read digit by digit.
  const amount = whole.replace(/\D/g, '').replace(/\B(?=(?:\d{3})+$)/g, ',');
  const isPrice = fraction === undefined || fraction.length === 2;
  if (!isPrice) return `${amount}.${fraction} ${currency.many}`;
  const cents = fraction === undefined || fraction === '00' ? '' : ` ${fraction}`;
  return `${amount} ${amount === '1' ? currency.one : currency.many}${cents}`;
}
