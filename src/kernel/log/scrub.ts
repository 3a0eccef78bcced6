import { LRUCache } from 'lru-cache';

/** Fields whose values are never logged, at any depth. Compared in lower case without `_` and `-`. */
const SECRET_FIELDS = new Set(
  (
    'authorization cookie setcookie xapikey apikey key secret token password jwt signature audio payload body ' +
    'transcript text summary name calleename customername email customerdata customercontext metadata variables ' +
    'initialmessage systemprompt playbook query'
  ).split(' '),
);

/** Deeper objects are not copied: the log shows `[deep]`. */
const MAX_DEPTH = 8;
/** E.164 numbers in running text. The plus sign keeps digits inside ids from matching. */
const PHONE_IN_TEXT = /\+[1-9]\d{6,14}\b/g;
/** From this length on, a masked number shows eight digits; a shorter number shows four. */
const LONG_NUMBER = '+14155552671'.length;
/** API keys, stream and recording tokens, webhook secrets, JWTs, and tokens in a query string. */
const SECRET_IN_TEXT =
  /\b(?:cw_live_|st_|rt_|whsec_)[A-Za-z0-9_-]{8,}|\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*|((?:token|api_key|key)=)[^&\s"']+/g;

/** A phone number masked for logs: `+1415***2671`, a shorter one `+47***78`, a very short one `***`. */
export function maskPhone(e164: string): string {
  if (e164.length < 8) return '***';
  const [first, last] = e164.length < LONG_NUMBER ? [3, 2] : [5, 4];
  return `${e164.slice(0, first)}***${e164.slice(-last)}`;
}

/**
 * A deep copy of a logged value without secrets and personal data; binary data is replaced by its size. `createLog`
 * passes every field and every finished line through it.
 */
export function scrub(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return scrubText(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value;
  if (depth > MAX_DEPTH) return '[deep]';
  if (value instanceof Error) return scrubError(value, depth);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.map((item) => scrub(item, depth + 1));
  const copy: Record<string, unknown> = {};
  for (const field of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[field];
    const isHidden = item !== null && item !== undefined && isSecretField(field);
    // Assigning a field named __proto__ would replace the prototype of the copy.
    if (field === '__proto__') continue;
    copy[field] = isHidden ? '[scrubbed]' : scrub(item, depth + 1);
  }
  return copy;
}

/** The limits of the cache of field names: objects of libraries in the log may have any number of fields. */
const MAX_CACHED_FIELDS = 1_000;
const MAX_CACHED_FIELD_CHARACTERS = 40;
const secretFieldCache = new LRUCache<string, boolean>({ max: MAX_CACHED_FIELDS });

/** True if a field of this name holds a secret. */
function isSecretField(field: string): boolean {
  const known = secretFieldCache.get(field);
  if (known !== undefined) return known;
  const isSecret = SECRET_FIELDS.has(field.toLowerCase().replace(/[_-]/g, ''));
  if (field.length <= MAX_CACHED_FIELD_CHARACTERS) secretFieldCache.set(field, isSecret);
  return isSecret;
}

/** An error as a log shows it: its texts and causes without secrets. */
function scrubError(error: Error, depth: number): unknown {
  return {
    type: error.name,
    message: scrubText(error.message),
    stack: scrubText(error.stack ?? ''),
    ...(error.cause === undefined ? {} : { cause: scrub(error.cause, depth + 1) }),
  };
}

/** Searches before it replaces: nearly every text is clean, and a search without a match is much cheaper. */
function scrubText(text: string): string {
  const shown = text.search(PHONE_IN_TEXT) === -1 ? text : text.replace(PHONE_IN_TEXT, maskPhone);
  if (shown.search(SECRET_IN_TEXT) === -1) return shown;
  return shown.replace(SECRET_IN_TEXT, (_match, prefix?: string) => `${prefix ?? ''}[scrubbed]`);
}
