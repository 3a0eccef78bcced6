import { z } from 'zod';
import { requireSuccess as requireSuccessWith, type Refusal } from '#telephony/wire/api-refusal.js';
import type { ApiAnswer, CarrierHttp } from '#telephony/wire/carrier-http.js';

/** The error body of the API; some errors name the field that they are about. */
const Failure = z.object({
  errors: z
    .array(
      z.object({
        code: z.coerce.string().max(64),
        source: z.object({ pointer: z.string().nullish() }).nullish(),
      }),
    )
    .min(1),
});

/** Codes of an invalid number: "Invalid phone number" and "Phone number must be in +E.164 format". */
const INVALID_NUMBER_CODES = new Set(['10002', '10016']);
/** The field of the called number, in Call Control and TeXML. */
const CALLED_NUMBER_FIELD = /(^|\/)to$/i;
/** The code of too many requests. */
const TOO_MANY_REQUESTS = '10011';
/** Codes of an ended call: "Resource not found", "Invalid Call Control ID", "Call is no longer active" and the like. */
const ENDED_CALL_CODES = new Set(['10005', '90015', '90016', '90018']);

/**
 * The client of Telnyx's REST API, version 2, for `TelnyxCallControl` and `TexmlApi`. Answers may have any status; see
 * {@link isCallOver} and {@link requireSuccess}.
 */
export class TelnyxClient {
  readonly #http: CarrierHttp;
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  /** @param access `url`: the base URL of the API, without version and trailing slash */
  constructor(access: { url: string; apiKey: string }, http: CarrierHttp) {
    this.#http = http;
    this.#url = `${access.url}/v2`;
    this.#headers = { authorization: `Bearer ${access.apiKey}`, accept: 'application/json' };
  }

  /** Sends a GET. @param path below `/v2` */
  get(path: string): Promise<ApiAnswer> {
    return this.#http.send({ method: 'GET', url: this.#url + path, headers: this.#headers });
  }

  /** Sends a POST with JSON. */
  post(path: string, content: object, signal?: AbortSignal): Promise<ApiAnswer> {
    const headers = { ...this.#headers, 'content-type': 'application/json' };
    const body = JSON.stringify(content);
    return this.#http.send({ method: 'POST', url: this.#url + path, headers, body }, signal);
  }

  /** Sends a POST with form fields, as TeXML expects them. */
  postForm(path: string, form: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<ApiAnswer> {
    const headers = { ...this.#headers, 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams(form).toString();
    return this.#http.send({ method: 'POST', url: this.#url + path, headers, body }, signal);
  }
}

/** True if an answer says that the call does not exist or is over. */
export function isCallOver({ status, json }: ApiAnswer): boolean {
  return (
    status === 404 ||
    Failure.safeParse(json).data?.errors.some(({ code }) => ENDED_CALL_CODES.has(code)) === true
  );
}

/** Returns for a successful answer. @throws CarrierError for any other */
export function requireSuccess(answer: ApiAnswer): void {
  requireSuccessWith(answer, readRefusal);
}

/** The explanation of a refusal: its code, and whether it is about the number or the rate of requests (`pace`). */
function readRefusal({ json }: ApiAnswer): Refusal {
  const errors = Failure.safeParse(json).data?.errors ?? [];
  const code = errors[0]?.code;
  if (code === TOO_MANY_REQUESTS) return { code, cause: 'pace' };
  return errors.some(isAboutCalledNumber) ? { code, cause: 'number' } : { code };
}

/** True if an error is about the called number rather than the caller id. */
function isAboutCalledNumber({ code, source }: z.output<typeof Failure>['errors'][number]): boolean {
  return source?.pointer ? CALLED_NUMBER_FIELD.test(source.pointer) : INVALID_NUMBER_CODES.has(code);
}
