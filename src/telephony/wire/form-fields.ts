import type { CarrierHttpRequest } from '#telephony/port/carrier-webhooks.js';

/** A decoded field. */
export type Field = readonly [name: string, value: string];

/**
 * The fields of a request by name: the body's in order, followed by the query's, so that a query field (not signed by
 * every carrier) never replaces one of the body. Empty values are kept.
 */
export interface Fields {
  /** The first value of a name. */
  get(name: string): string | undefined;
  /** All values of a name, in order. */
  all(name: string): readonly string[];
  entries(): readonly Field[];
  /** The body if it is JSON; undefined if it is not, or is invalid. */
  json(): unknown;
}

/** Far more than carriers send. Parsing more for every signature would hold up the audio of all calls. */
const MOST_FIELDS = 1_000;
const SEPARATOR = '&'.charCodeAt(0);

/** Format of a request's body. `other` is not read. */
export type BodyKind = 'none' | 'form' | 'json' | 'other';

/**
 * Determined by the content type; a body without one is a form, as carriers send them, and a form of more than 1,000
 * fields is `other`. The body of a GET is neither read nor signed.
 */
export function bodyKindOf(request: CarrierHttpRequest): BodyKind {
  if (request.method === 'GET' || request.rawBody.length === 0) return 'none';
  const contentType = request.headers['content-type'];
  if (contentType === undefined) return formOrOther(request.rawBody);
  const mediaType = contentType.split(';', 1)[0]!.trim().toLowerCase();
  if (mediaType === 'application/x-www-form-urlencoded') return formOrOther(request.rawBody);
  return mediaType === 'application/json' || mediaType.endsWith('+json') ? 'json' : 'other';
}

function formOrOther(body: Buffer): BodyKind {
  let fields = 1;
  for (let at = body.indexOf(SEPARATOR); at >= 0; at = body.indexOf(SEPARATOR, at + 1)) {
    fields += 1;
    if (fields > MOST_FIELDS) return 'other';
  }
  return 'form';
}

/** Reads body and query. Never fails: invalid input has no fields, and invalid UTF-8 becomes U+FFFD. */
export function fieldsOf(request: CarrierHttpRequest): Fields {
  const kind = bodyKindOf(request);
  const json = kind === 'json' ? parseJson(request.rawBody) : undefined;
  const body = kind === 'form' ? formFields(request) : scalarsOf(json);
  const entries = [...body, ...queryFields(request.url)];
  const all = (name: string) => entries.filter(([known]) => known === name).map(([, value]) => value);
  return {
    get: (name) => entries.find(([known]) => known === name)?.[1],
    all,
    entries: () => entries,
    json: () => json,
  };
}

/** The fields of a form POST, in order. */
export function formFields(request: CarrierHttpRequest): Field[] {
  return bodyKindOf(request) === 'form' ? decode(request.rawBody.toString()) : [];
}

/** The fields of an address's query, in order. */
export function queryFields(url: string): Field[] {
  const address = url.split('#', 1)[0]!;
  const start = address.indexOf('?');
  return start === -1 ? [] : decode(address.slice(start + 1));
}

function decode(encoded: string): Field[] {
  // URLSearchParams strips one leading "?", which may belong to a name.
  return [...new URLSearchParams(`?${encoded}`)];
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** Top-level strings, numbers and booleans of a JSON object, as text. */
function scalarsOf(json: unknown): Field[] {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return [];
  return Object.entries(json).flatMap(([name, value]): Field[] =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [[name, String(value)]]
      : [],
  );
}
