import type { CarrierHttpRequest } from '#telephony/port/carrier-webhooks.js';

/**
 * Decodes the fields of carriers' requests, from form or JSON bodies and from queries. Codecs read events from them;
 * signatures are computed over them.
 */

/** A decoded field. */
export type Field = readonly [name: string, value: string];

/**
 * The fields of a request by name: those of the body in order, followed by those of the query. A query field, which not
 * every carrier signs, therefore never replaces a field of the body. Empty values are kept. Of a JSON body, only texts,
 * numbers and booleans at the top level are fields; `json` has the rest.
 */
export interface Fields {
  /** The first value of a name. */
  get(name: string): string | undefined;
  /** All fields, in order. */
  entries(): readonly Field[];
  /** The body if it is JSON; undefined if it is not, or is invalid. */
  json(): unknown;
}

/** Limit of form fields, far more than carriers send. Parsing more would hold up the audio of all calls. */
const MAX_FIELDS = 1_000;
const SEPARATOR = '&'.charCodeAt(0);

/** The format of a request's body. A body of format `other` is not read. */
export type BodyKind = 'none' | 'form' | 'json' | 'other';

/**
 * The format of a request's body, by its content type. A body without a content type counts as a form. A form of more
 * than 1,000 fields is `other`. The body of a GET is neither read nor signed, so it counts as `none`.
 */
export function bodyKindOf(request: CarrierHttpRequest): BodyKind {
  if (request.method === 'GET' || request.rawBody.length === 0) return 'none';
  const contentType = request.headers['content-type'];
  if (contentType === undefined) return formOrOther(request.rawBody);
  const mediaType = contentType.split(';', 1)[0]!.trim().toLowerCase();
  if (mediaType === 'application/x-www-form-urlencoded') return formOrOther(request.rawBody);
  return mediaType === 'application/json' || mediaType.endsWith('+json') ? 'json' : 'other';
}

/** `other` for a form with too many fields. */
function formOrOther(body: Buffer): BodyKind {
  let fieldCount = 1;
  for (let at = body.indexOf(SEPARATOR); at >= 0; at = body.indexOf(SEPARATOR, at + 1)) {
    fieldCount += 1;
    if (fieldCount > MAX_FIELDS) return 'other';
  }
  return 'form';
}

/**
 * Decodes the fields of body and query. Never throws: invalid input has no fields, and invalid UTF-8 becomes U+FFFD.
 */
export function fieldsOf(request: CarrierHttpRequest): Fields {
  const kind = bodyKindOf(request);
  const json = kind === 'json' ? parseJson(request.rawBody) : undefined;
  const body = kind === 'form' ? formFields(request) : scalarsOf(json);
  const entries = [...body, ...queryFields(request.url)];
  return {
    get: (name) => entries.find(([known]) => known === name)?.[1],
    entries: () => entries,
    json: () => json,
  };
}

/** The fields of a form body, in order; empty for any other body. */
export function formFields(request: CarrierHttpRequest): Field[] {
  return bodyKindOf(request) === 'form' ? decode(request.rawBody.toString()) : [];
}

/** The fields of an address's query, in order. */
export function queryFields(url: string): Field[] {
  const address = url.split('#', 1)[0]!;
  const start = address.indexOf('?');
  return start === -1 ? [] : decode(address.slice(start + 1));
}

/** The fields of a URL-encoded text. */
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

/** The top-level strings, numbers and booleans of a JSON object, as text. */
function scalarsOf(json: unknown): Field[] {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return [];
  return Object.entries(json).flatMap(([name, value]): Field[] =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [[name, String(value)]]
      : [],
  );
}
