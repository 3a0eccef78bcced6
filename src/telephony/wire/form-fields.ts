import type { CarrierHttpRequest } from '#telephony/port/carrier-webhooks.js';

/** A field as it was sent, decoded once. */
export type Field = readonly [name: string, value: string];

/**
 * What a request says, by name: the fields of its body in their order, and then those of its query, so that a field of
 * the query (which not every carrier signs) never stands in for one of the body. Empty values are kept.
 */
export interface Fields {
  /** The first value of that name. */
  get(name: string): string | undefined;
  /** Every value of that name, in order. */
  all(name: string): readonly string[];
  entries(): readonly Field[];
  /** The body, where it is JSON; undefined where it is not, or is broken. */
  json(): unknown;
}

/** Many times what a carrier sends. Taking more apart for every signature would hold up the sound of all calls. */
const MOST_FIELDS = 1_000;
const SEPARATOR = '&'.charCodeAt(0);

/** What the body of a request is to be read as. `other` is read by nobody: its bytes say nothing. */
export type BodyKind = 'none' | 'form' | 'json' | 'other';

/**
 * Goes by the content type; without one a body is taken for a form, as carriers send them. A form of more than 1,000
 * fields is none. The body of a GET is no part of what a carrier says or signs.
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

/** Reads query and body. It never fails: rubbish has no fields, and broken UTF-8 becomes U+FFFD. */
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

/** The fields of a form POST alone, in the order in which they were sent. */
export function formFields(request: CarrierHttpRequest): Field[] {
  return bodyKindOf(request) === 'form' ? decode(request.rawBody.toString()) : [];
}

/** The fields of an address' query, in order. */
export function queryFields(url: string): Field[] {
  const address = url.split('#', 1)[0]!;
  const start = address.indexOf('?');
  return start === -1 ? [] : decode(address.slice(start + 1));
}

function decode(encoded: string): Field[] {
  // URLSearchParams eats one leading "?", which may be the first letter of a name.
  return [...new URLSearchParams(`?${encoded}`)];
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** What a JSON object says on its top level with a text, a number or a boolean, as text. */
function scalarsOf(json: unknown): Field[] {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return [];
  return Object.entries(json).flatMap(([name, value]): Field[] =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [[name, String(value)]]
      : [],
  );
}
