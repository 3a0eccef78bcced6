/**
 * Telephone numbers as carriers write them. The service only uses E.164 with a plus; the codecs and clients of carriers
 * convert from and to the carrier's spelling.
 */

/** E.164, with or without plus. */
const NUMBER = /^\+?[1-9]\d{6,14}$/;
/**
 * The number in a SIP or `tel:` address (RFC 3261, 19.1.6; RFC 3966). Only with a plus: without one it may be an
 * extension.
 */
const SIP_OR_TEL_ADDRESS = /^(?:sips?|tel):(\+[^@;?]*)/i;

/** The numbers that Twilio sends for a hidden caller: words spelled on a keypad. */
const HIDDEN_CALLERS: ReadonlySet<string> = new Set([
  '266696687', // ANONYMOUS
  '7378742833', // RESTRICTED
  '2562533', // BLOCKED
  '8656696', // UNKNOWN
  '86282452253', // UNAVAILABLE
]);

/** An E.164 number without its plus, as Plivo and Vonage write it. */
export function withoutPlus(number: string): string {
  return number.replace(/^\+/, '');
}

/**
 * Normalises a carrier's spelling of a number to E.164 with plus: `"0049 (30) 123456"` → `"+4930123456"`. Null for
 * hidden numbers and for addresses without a telephone number.
 */
export function toE164(spelling: string | null | undefined): string | null {
  const number = SIP_OR_TEL_ADDRESS.exec(spelling ?? '')?.[1] ?? spelling;
  const compact = number?.replaceAll(/[\s().-]/g, '').replace(/^00/, '+') ?? '';
  const digits = compact.replace('+', '');
  return NUMBER.test(compact) && !HIDDEN_CALLERS.has(digits) ? `+${digits}` : null;
}
