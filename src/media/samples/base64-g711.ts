import { ULAW_OF_PCM } from './g711.js';

/*
 * Converts G.711 in base64 directly from and into samples: a conversion by way of strings and buffers would cost five
 * times as much. Used for the media messages of JSON protocols, the audio of most carriers.
 */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** The character code of each base64 digit (0 to 63). */
const CODE_OF_DIGIT = Uint8Array.from(ALPHABET, (character) => character.charCodeAt(0));
const PAD = '='.charCodeAt(0);
/** The entry of bytes that are no base64 digit: a bit that no digit (six bits) has. */
const NO_DIGIT = 64;
/** The digit of each character code. */
const DIGIT_OF_CODE = new Uint8Array(256).fill(NO_DIGIT);
for (let digit = 0; digit < 64; digit++) DIGIT_OF_CODE[CODE_OF_DIGIT[digit]!] = digit;

/** Number of samples in the base64 text from `from` up to `to`; −1 unless its length is a multiple of four. */
export function samplesInBase64(bytes: Uint8Array, from: number, to: number): number {
  const length = to - from;
  if (length % 4 !== 0) return -1;
  if (length === 0) return 0;
  const padding = bytes[to - 1] !== PAD ? 0 : bytes[to - 2] !== PAD ? 1 : 2;
  return (length / 4) * 3 - padding;
}

/**
 * Decodes base64 text from `from` until `into` is full; {@link samplesInBase64} gives the length of `into`. Returns
 * false for invalid base64; the content of `into` is undefined then.
 * @param pcmOfCode a decoding table of g711.ts
 */
export function decodeBase64G711(
  bytes: Uint8Array,
  from: number,
  into: Int16Array,
  pcmOfCode: Int16Array,
): boolean {
  // Four base64 digits of six bits are three codes of eight bits.
  let seenBits = 0;
  let at = from;
  let i = 0;
  for (; i + 3 <= into.length; i += 3, at += 4) {
    const a = DIGIT_OF_CODE[bytes[at]!]!;
    const b = DIGIT_OF_CODE[bytes[at + 1]!]!;
    const c = DIGIT_OF_CODE[bytes[at + 2]!]!;
    const d = DIGIT_OF_CODE[bytes[at + 3]!]!;
    seenBits |= a | b | c | d;
    into[i] = pcmOfCode[(a << 2) | (b >> 4)]!;
    into[i + 1] = pcmOfCode[((b << 4) & 0xf0) | (c >> 2)]!;
    into[i + 2] = pcmOfCode[((c << 6) & 0xc0) | d]!;
  }
  // The last group holds one or two codes before its padding.
  if (i < into.length) {
    const a = DIGIT_OF_CODE[bytes[at]!]!;
    const b = DIGIT_OF_CODE[bytes[at + 1]!]!;
    seenBits |= a | b;
    into[i] = pcmOfCode[((a << 2) | (b >> 4)) & 0xff]!;
    if (i + 1 < into.length) {
      const c = DIGIT_OF_CODE[bytes[at + 2]!]!;
      seenBits |= c;
      into[i + 1] = pcmOfCode[((b << 4) & 0xf0) | ((c >> 2) & 0x0f)]!;
    }
  }
  return (seenBits & NO_DIGIT) === 0;
}

/** Length of the base64 text of `count` samples. */
export function base64Length(count: number): number {
  return Math.ceil(count / 3) * 4;
}

/** Writes `samples` as base64 text at `from`, which needs room for {@link base64Length}. */
export function encodeBase64Ulaw(samples: Int16Array, into: Uint8Array, from: number): void {
  const whole = samples.length - (samples.length % 3);
  let at = from;
  let i = 0;
  for (; i < whole; i += 3) {
    const a = ULAW_OF_PCM[samples[i]! & 0xffff]!;
    const b = ULAW_OF_PCM[samples[i + 1]! & 0xffff]!;
    const c = ULAW_OF_PCM[samples[i + 2]! & 0xffff]!;
    into[at] = CODE_OF_DIGIT[a >> 2]!;
    into[at + 1] = CODE_OF_DIGIT[((a & 0x03) << 4) | (b >> 4)]!;
    into[at + 2] = CODE_OF_DIGIT[((b & 0x0f) << 2) | (c >> 6)]!;
    into[at + 3] = CODE_OF_DIGIT[c & 0x3f]!;
    at += 4;
  }
  if (i === samples.length) return;
  // One or two samples remain: their group is padded.
  const a = ULAW_OF_PCM[samples[i]! & 0xffff]!;
  const hasTwo = i + 1 < samples.length;
  const b = hasTwo ? ULAW_OF_PCM[samples[i + 1]! & 0xffff]! : 0;
  into[at] = CODE_OF_DIGIT[a >> 2]!;
  into[at + 1] = CODE_OF_DIGIT[((a & 0x03) << 4) | (b >> 4)]!;
  into[at + 2] = hasTwo ? CODE_OF_DIGIT[(b & 0x0f) << 2]! : PAD;
  into[at + 3] = PAD;
}
