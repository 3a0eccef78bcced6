import { createGeneratorSync } from 'json-schema-faker';
import type { OpenApiDocument, OpenApiOperation } from '#http/openapi/openapi-document.js';

/** A request that may be valid, invalid or absurd, with its operation. */
export interface FuzzRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  payload?: string;
  /** The path in the document, such as `/api/calls/{call_id}`. */
  path: string;
  /** The method in the document; null if it was replaced by another. */
  operation: { method: string; is: OpenApiOperation } | null;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;
const ODD_METHODS = ['PUT', 'PATCH', 'DELETE', 'POST', 'GET', 'HEAD', 'TRACE', 'PROPFIND'];
const ODD_TYPES = [
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'nonsense',
  'application/json;',
];
const ODD_TEXTS = [
  '',
  ' ',
  '\u0000',
  '💥'.repeat(50),
  '\uD800',
  '../../etc/passwd',
  "'; drop table calls; --",
  '%',
  'null',
];
const ODD_VALUES: readonly unknown[] = [
  ...ODD_TEXTS,
  'x'.repeat(5_000),
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  [],
  [[[]]],
  {},
  { a: { b: { c: [1, { d: null }] } } },
  '+14155550123',
  '2026-12-01T15:00:00Z',
  '9999-99-99T99:99:99Z',
];

/** Makes requests from an OpenAPI document, reproducible for a seed. */
export class RequestMaker {
  readonly #operations: { path: string; method: string; is: OpenApiOperation }[];
  readonly #random: () => number;
  readonly #sample: (schema: unknown) => unknown;
  readonly #key: string;
  /** Ids from answers, by field name. */
  readonly #known = new Map<string, string[]>();

  constructor(document: OpenApiDocument, options: { seed: number; key: string }) {
    this.#key = options.key;
    this.#random = createRandom(options.seed);
    this.#operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      METHODS.flatMap((method) => {
        const is = methods[method];
        return is && !isStream(is) ? [{ path, method, is }] : [];
      }),
    );
    const shared = {
      seed: options.seed,
      optionalsProbability: 0.5,
      maxItems: 4,
      maxLength: 40,
      refDepthMax: 4,
    };
    const plain = createGeneratorSync({ ...shared });
    const likely = createGeneratorSync({ ...shared, useExamplesValue: true });
    this.#sample = (schema) => {
      const root = { ...(schema as object), components: document.components };
      return (this.#chance(0.75) ? likely : plain).generate(root);
    };
  }

  next(): FuzzRequest {
    const { path, method, is } = this.#pick(this.#operations);
    const isOddMethod = this.#chance(0.04);
    const request: FuzzRequest = {
      method: isOddMethod ? this.#pick(ODD_METHODS) : method.toUpperCase(),
      url: this.#url(path, is),
      headers: this.#credentials(),
      path,
      operation: isOddMethod ? null : { method, is },
    };
    if (is.requestBody || this.#chance(0.05)) this.#addBody(request, is);
    if (this.#chance(0.05)) request.headers['idempotency-key'] = this.#pick(['a', 'b', 'x'.repeat(300), '']);
    return request;
  }

  /** Stores the ids of an answer, so that later requests refer to existing objects. */
  learn(answer: unknown): void {
    if (typeof answer !== 'object' || answer === null) return;
    for (const [name, value] of Object.entries(answer)) {
      if (name.endsWith('_id') && typeof value === 'string' && value.includes('_')) {
        const values = this.#known.get(name) ?? [];
        this.#known.set(name, [...values.slice(-20), value]);
      } else this.learn(value);
    }
  }

  #url(path: string, is: OpenApiOperation): string {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) =>
      encodeURIComponent(this.#idFor(name)),
    );
    const query = (is.parameters ?? [])
      .filter((parameter) => parameter.in === 'query' && (parameter.required || this.#chance(0.3)))
      .map(({ name, schema }) => {
        const value = this.#chance(0.25) ? this.#pick(ODD_VALUES) : this.#sample(schema);
        return `${name}=${encodeText(typeof value === 'string' ? value : JSON.stringify(value))}`;
      });
    const slash = this.#chance(0.03) ? '/' : '';
    return `${filled}${slash}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  }

  #idFor(name: string): string {
    const known =
      this.#known.get(name) ?? this.#known.get(name.replace(/^number_id$/, 'phone_number_id')) ?? [];
    if (known.length > 0 && this.#chance(0.7)) return this.#pick(known);
    const odd = this.#pick(['nothing', 'call_01kakb8x6te1tr7m3qf0c9w2af', 'x'.repeat(300), ...ODD_TEXTS]);
    return odd === '' || odd === '\uD800' ? 'empty' : odd;
  }

  #credentials(): Record<string, string> {
    if (this.#chance(0.03)) return {};
    if (this.#chance(0.03))
      return { authorization: this.#pick(['Bearer x', 'Basic YTpi', 'Bearer eyJh.eyJz.c2ln', '']) };
    return { 'x-api-key': this.#key };
  }

  #addBody(request: FuzzRequest, is: OpenApiOperation): void {
    const schema = is.requestBody?.content['application/json']?.schema;
    const value = schema ? this.#withKnownIds(this.#sample(schema)) : this.#pick(ODD_VALUES);
    const body = this.#chance(0.45) ? this.#mutate(value, 2) : value;
    const text = JSON.stringify(body) ?? '';
    const broken = this.#chance(0.03) ? text.slice(0, Math.floor(text.length * this.#random())) : text;
    request.payload = this.#chance(0.01) ? `{"metadata":${'['.repeat(500)}` : broken;
    request.headers['content-type'] = this.#chance(0.03) ? this.#pick(ODD_TYPES) : 'application/json';
  }

  #withKnownIds(value: unknown): unknown {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const entries = Object.entries(value).map(([name, item]) => {
      const known = this.#known.get(name.replace(/^backup_/, ''));
      return [name, known && this.#chance(0.8) ? this.#pick(known) : item];
    });
    return Object.fromEntries(entries);
  }

  /** Changes one value at a random place. */
  #mutate(value: unknown, depth: number): unknown {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || this.#chance(0.1))
      return this.#pick(ODD_VALUES);
    const entries = Object.entries(value);
    if (entries.length === 0 || this.#chance(0.1)) return { ...value, surprise: this.#pick(ODD_VALUES) };
    const [name, item] = this.#pick(entries);
    if (this.#chance(0.2)) return Object.fromEntries(entries.filter(([other]) => other !== name));
    return {
      ...value,
      [name]: depth > 0 && this.#chance(0.5) ? this.#mutate(item, depth - 1) : this.#pick(ODD_VALUES),
    };
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)]!;
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }
}

function encodeText(text: string): string {
  // Half of a surrogate pair cannot be encoded.
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '?'));
}

/** Mulberry32: a small, fast generator, sufficient for this purpose. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** True for a stream, whose answer never ends. */
function isStream({ responses }: OpenApiOperation): boolean {
  return responses['200']?.content?.['text/event-stream'] !== undefined;
}
