// Requests to the service, typed by its OpenAPI document. The session cookie is the credential; writes carry the token
// that a page of another origin cannot read.
import type { Operations, Schemas } from './openapi.js';

export type Operation = keyof Operations;
export type Response<O extends Operation> = Operations[O]['response'];
export type Query<O extends Operation> = Operations[O]['query'];
type Problem = Schemas['Problem'];

export interface RequestOptions<O extends Operation> {
  path?: Operations[O]['path'];
  query?: Query<O>;
  body?: Operations[O]['body'] | FormData;
  signal?: AbortSignal;
}

/** What the service, or the network in front of it, answered instead of a result. */
export class RequestFailed extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Problem['details'];

  constructor(status: number, code: string, message: string, details: Problem['details'] = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }

  /** What is wrong with one field of the request; undefined when nothing is. */
  about(field: string): string | undefined {
    return this.details.find((detail) => detail.field === field)?.message;
  }
}

let csrfToken = '';
let onSignedOut = (): void => {};

/** Sets the token that writes carry, and what happens when the session is over. */
export function setSession(token: string, signedOut: () => void): void {
  csrfToken = token;
  onSignedOut = signedOut;
}

/** The address of an operation, with its path and query filled in. */
export function addressOf<O extends Operation>(operation: O, options: RequestOptions<O> = {}): string {
  const template = operation.slice(operation.indexOf(' ') + 1);
  const path = Object.entries(options.path ?? {}).reduce(
    (filled, [name, value]) => filled.replace(`{${name}}`, encodeURIComponent(value)),
    template,
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(options.query ?? {})) {
    if (value === undefined || value === null || value === '') continue;
    for (const item of Array.isArray(value) ? value : [value]) query.append(name, String(item));
  }
  return query.size > 0 ? `${path}?${query.toString()}` : path;
}

/** Performs an operation. @throws RequestFailed */
export async function request<O extends Operation>(
  operation: O,
  options: RequestOptions<O> = {},
): Promise<Response<O>> {
  const method = operation.slice(0, operation.indexOf(' '));
  return await send(method, addressOf(operation, options), options.body, options.signal);
}

/** Performs an operation whose answer is a file. @throws RequestFailed */
export async function requestFile<O extends Operation>(
  operation: O,
  options: RequestOptions<O> = {},
): Promise<Blob> {
  const method = operation.slice(0, operation.indexOf(' '));
  return (await fetchFrom(method, addressOf(operation, options), options.body, options.signal)).blob();
}

/** Fetches JSON from an address of the service. @throws RequestFailed */
export async function send(
  method: string,
  address: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<unknown> {
  const response = await fetchFrom(method, address, body, signal);
  return response.status === 204 ? undefined : await response.json();
}

async function fetchFrom(
  method: string,
  address: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<globalThis.Response> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (method !== 'GET') headers['x-csrf-token'] = csrfToken;
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) headers['content-type'] = 'application/json';
  let response: globalThis.Response;
  try {
    response = await fetch(address, {
      method,
      headers,
      body: body === undefined ? null : isForm ? body : JSON.stringify(body),
      credentials: 'same-origin',
      signal: signal ?? null,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new RequestFailed(
      0,
      'unreachable',
      'The service cannot be reached. Is it running? Trying again may help.',
    );
  }
  if (response.status === 401 && !address.startsWith('/console/')) onSignedOut();
  if (!response.ok) throw await failureOf(response);
  return response;
}

async function failureOf(response: globalThis.Response): Promise<RequestFailed> {
  const { status } = response;
  try {
    const problem = (await response.json()) as Partial<Problem>;
    const message = problem.message ?? problem.error ?? `The service answered ${status}.`;
    return new RequestFailed(status, problem.code ?? 'unknown', message, problem.details ?? []);
  } catch {
    return new RequestFailed(
      status,
      'unknown',
      `The service answered ${status}, and not in a form the console knows.`,
    );
  }
}
