/** E.164, as carriers write it; with or without its plus, of which `00` is another spelling. */
const NUMBER = /^\+?[1-9]\d{6,14}$/;
/** The number in an address of SIP or `tel:` (RFC 3261, 19.1.6; RFC 3966). Without a plus it may be an extension. */
const ADDRESS = /^(?:sips?|tel):(\+[^@;?]*)/i;

/** Words for a hidden number, as the keys of a telephone spell them: Twilio writes them so. No numbers of anybody. */
const HIDDEN: ReadonlySet<string> = new Set([
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

/** A number with its plus; null for callers who hide theirs, and for addresses that are no telephone numbers. */
export function readNumber(written: string | null | undefined): string | null {
  const number = ADDRESS.exec(written ?? '')?.[1] ?? written;
  const bare = number?.replaceAll(/[\s().-]/g, '').replace(/^00/, '+') ?? '';
  const digits = bare.replace('+', '');
  return NUMBER.test(bare) && !HIDDEN.has(digits) ? `+${digits}` : null;
}
