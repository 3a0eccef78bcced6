/** Crockford's alphabet, in lower case, as TypeIDs have it. */
const DIGITS = Uint8Array.from('0123456789abcdefghjkmnpqrstvwxyz', (digit) => digit.charCodeAt(0));
const TEXT_LENGTH = 26;
/** Behind the first byte, which has two digits, every five bytes have eight. */
const GROUP_BYTES = 5;

const text = Buffer.alloc(TEXT_LENGTH);

/**
 * A TypeID: a prefix and the 16 bytes of a UUID in base32. The same as `typeid-js` writes, in a quarter of the time:
 * several are made for every call, and more for each of its events.
 */
export function typeId(prefix: string, uuid: Uint8Array): string {
  text[0] = DIGITS[uuid[0]! >> 5]!;
  text[1] = DIGITS[uuid[0]! & 31]!;
  for (let from = 1, at = 2; at < TEXT_LENGTH; from += GROUP_BYTES) {
    const upper = (uuid[from]! << 12) | (uuid[from + 1]! << 4) | (uuid[from + 2]! >> 4);
    const lower = ((uuid[from + 2]! & 15) << 16) | (uuid[from + 3]! << 8) | uuid[from + 4]!;
    at = write(upper, at);
    at = write(lower, at);
  }
  return `${prefix}_${text.toString('latin1')}`;
}

/** Twenty bits as four digits. Returns where the next ones go. */
function write(bits: number, at: number): number {
  text[at] = DIGITS[bits >> 15]!;
  text[at + 1] = DIGITS[(bits >> 10) & 31]!;
  text[at + 2] = DIGITS[(bits >> 5) & 31]!;
  text[at + 3] = DIGITS[bits & 31]!;
  return at + 4;
}
