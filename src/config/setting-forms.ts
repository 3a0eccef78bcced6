import { HOLD_SOUNDS } from '#media/samples/hold-sound.js';
import { createPrivateKey } from 'node:crypto';
import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { getCountries } from 'libphonenumber-js/max';
import { z } from 'zod';
import { minuteOf } from '#policy/hours/call-window.js';
import { postgresAddress } from '#store/database-url.js';
import { readFaults } from '#telephony/sandbox/faults.js';

// Schemas (zod) of settings by their form, such as a flag, an hour or a URL; for the tables of settings. Each parses
// the text of a variable. Their messages continue the setting's name ("must be …") and never repeat its value.

const FLAG_WORDS = new Map([
  ...['true', '1', 'on', 'yes'].map((word) => [word, true] as const),
  ...['false', '0', 'off', 'no'].map((word) => [word, false] as const),
]);

/** A strict boolean: a misspelt "flase" must not count as true. */
export const flag = z.string().transform((word, context) => {
  const value = FLAG_WORDS.get(word.toLowerCase());
  if (value !== undefined) return value;
  return refuse(context, 'must be true or false (1/0, on/off and yes/no are understood too)');
});

/** An integer from `least` to `most`. */
export function wholeNumber(least: number, most: number) {
  return z.string().transform((digits, context) => {
    const value = /^\d{1,15}$/.test(digits) ? Number(digits) : Number.NaN;
    if (value >= least && value <= most) return value;
    return refuse(context, `must be a whole number from ${least} to ${most}`);
  });
}

/** One of several words in any case; returns the spelling in the list. */
export function choice<const Word extends string>(words: readonly Word[]) {
  return z.string().transform((given, context) => {
    const word = words.find((known) => known.toLowerCase() === given.toLowerCase());
    return word ?? refuse(context, `must be one of ${words.join(', ')}`);
  });
}

/** Hours of a day, such as `09:00-20:00`, as minutes since midnight. */
export const hours = z.string().transform((given, context) => {
  const times = given.split('-').map((time) => minuteOf(time.trim()));
  const [startMinute, endMinute] = times;
  if (
    times.length === 2 &&
    typeof startMinute === 'number' &&
    typeof endMinute === 'number' &&
    startMinute < endMinute
  ) {
    return { startMinute, endMinute };
  }
  return refuse(context, 'must be two times of a day, the later one last, such as 09:00-20:00');
});

/** A text that matches a pattern; any other text is refused with the message. */
export function text(pattern: RegExp, message: string) {
  return z.string().regex(pattern, message);
}

/** A secret of a minimum length that can be sent in a header. */
export function secret(leastCharacters: number) {
  return z
    .string()
    .min(leastCharacters, `must be at least ${leastCharacters} characters long`)
    .regex(/^[\x21-\x7e]+$/, 'must be of printable ASCII characters without spaces');
}

/** An RSA private key in PEM; its lines may be joined by `\n`, for single-line variables. */
export const privateKey = z.string().transform((given, context) => {
  const pem = given.replaceAll('\\n', '\n');
  try {
    if (createPrivateKey(pem).asymmetricKeyType === 'rsa') return pem;
  } catch {
    // The error may contain parts of the key.
  }
  return refuse(context, 'must be an RSA private key in PEM, from -----BEGIN to the last -----');
});

/** Items separated by commas, at least one; duplicates are removed. */
export function list<Item extends z.ZodType<string, string>>(item: Item) {
  return z
    .string()
    .transform((items) =>
      [...new Set(items.split(',').map((part) => part.trim()))].filter((part) => part !== ''),
    )
    .pipe(z.array(item).min(1, 'must name at least one, separated by commas'));
}

/** A path; a relative path starts from the folder in which the service was started. */
export const location = text(/^[^\0]+$/, 'must be a path');

/** The path of an existing file. */
export const file = location.refine(
  (path) => statOrUndefined(path)?.isFile() === true,
  'must name a file that is there',
);
/** The path of an existing folder. */
export const folder = location.refine(
  (path) => statOrUndefined(path)?.isDirectory() === true,
  'must name a folder that is there',
);

/** A built-in sound, or the path of an existing file. */
export const holdSound = z.union([choice([...HOLD_SOUNDS]), file], {
  error: `must be ${HOLD_SOUNDS.join(', ')}, or name a file that is there`,
});

/** The facts of a file or folder; undefined if it does not exist or cannot be inspected. */
function statOrUndefined(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // A path that cannot be inspected cannot be read either.
    return undefined;
  }
}

/** An HTTP address. */
export const url = z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' });

/** `host` or `host:port`. */
export const serverDomain = z.string().transform((given, context) => {
  const domain = given.toLowerCase();
  const isBare =
    /^([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/.test(domain) && URL.canParse(`http://${domain}`);
  return isBare
    ? domain
    : refuse(context, 'must be a domain such as voice.example.com, without scheme or path');
});

/** An origin of web pages, normalised as browsers send it, without a default port; or `*` for all origins. */
export const origin = z.string().transform((given, context) => {
  if (given === '*') return given;
  if (/^https?:\/\/[^/\s*]+$/i.test(given) && URL.canParse(given)) return new URL(given).origin;
  return refuse(context, 'must be * or whole origins such as https://console.example.com');
});

/** `sqlite:<file>`, or the address of a PostgreSQL database. */
export const databaseUrl = z.string().transform((given, context) => {
  if (given === 'sqlite::memory:') return refuse(context, 'must name a file: in memory, nothing would last');
  if (/^sqlite:\S.*$/.test(given) || postgresAddress(given)) return given;
  return refuse(context, 'must be sqlite:<file> or postgres://<user>:<password>@<host>:<port>/<database>');
});

/** A two-letter country code, in any case. */
export const country = z.string().transform((given, context) => {
  const code = getCountries().find((known) => known === given.toUpperCase());
  return code ?? refuse(context, 'must be the two-letter code of a country, such as US or GB');
});

/** Networks such as `10.0.0.0/8`; `none` for no network. */
export const networks = z.string().transform((given, context) => {
  if (given.toLowerCase() === 'none') return [];
  const parts = given.split(',').map((part) => part.trim());
  if (parts.every(isNetwork)) return parts;
  return refuse(context, 'must be networks such as 10.0.0.0/8, separated by commas, or none');
});

/** True for a complete address with a prefix length: `10/8` would be read as 0.0.0.10/8. */
function isNetwork(given: string): boolean {
  return isIP(given.split('/', 1)[0]!) > 0 && ipaddr.isValidCIDR(given);
}

/** Trusted reverse proxies: false for none, their number, or their addresses. */
export const proxies = z.string().transform((given, context): false | number | string[] => {
  if (FLAG_WORDS.get(given.toLowerCase()) === false) return false;
  if (/^\d{1,2}$/.test(given)) return Number(given);
  const addresses = given.split(',').map((part) => part.trim());
  if (addresses.every((address) => isIP(address) > 0 || isNetwork(address))) return addresses;
  return refuse(context, 'must be off, the number of proxies, or their addresses separated by commas');
});

/** Injected faults of the sandbox network (the simulated carrier): `latency_ms=50,lost_answers=0.03`. */
export const faults = z
  .string()
  .transform(
    (written, context) =>
      readFaults(written) ??
      refuse(
        context,
        'must be like latency_ms=50,lost_answers=0.03, with delays up to 60000 and shares up to 1',
      ),
  );

/** Refuses a value: adds an issue with this message. */
function refuse(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}
