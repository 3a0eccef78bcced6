import type { ToolResult } from './toolbox.js';
import { valueAt } from './json-path.js';
import { asText, fillHeader, fillUrl, secretsIn } from './templates.js';
import type { HttpTool } from './tool-definition.js';
import { ToolHttpError, type SendToolRequest, type ToolAnswer, type ToolRequest } from './tool-http.js';

/** Longest text of an answer for the model; the rest is cut off. */
const LONGEST_RESULT_CHARACTERS = 8_000;
/** Shorter secrets are not masked: their characters occur in ordinary words too. */
const SHORTEST_MASKED_CHARACTERS = 4;

/** The dependencies of {@link runHttpTool}. */
export interface HttpToolParts {
  send: SendToolRequest;
  /** The secrets of these names; names without a secret are left out. */
  secrets(names: readonly string[]): Promise<Readonly<Record<string, string>>>;
  /** Signature headers for a body, as for webhooks; empty if the customer has no signing secret. */
  sign(message: { id: string; body: string }): Promise<Readonly<Record<string, string>>>;
}

/** The input of {@link runHttpTool}. */
export interface HttpToolCall {
  args: Readonly<Record<string, unknown>>;
  variables: Readonly<Record<string, string>>;
  /** Null if a tool is tested without a call. */
  callId: string | null;
  /** The same for every attempt at this tool call. */
  idempotencyKey: string;
}

/**
 * The request and answer of a tool, for the model and for the test of a tool in the console. Secrets are masked, except
 * in `saved` and `result.value`.
 */
export interface HttpToolExchange {
  /** Null if the request could not be made. */
  request: ToolRequest | null;
  /** Null if no complete answer arrived. */
  answer: ToolAnswer | null;
  result: ToolResult;
  /** Values saved from the answer, by the names of variables. */
  saved: Readonly<Record<string, string>>;
}

/**
 * Runs a customer's HTTP tool: one request, and one retry if the connection fails before any answer and the tool is
 * safe to repeat. A failed request gives a result with the status `failed` or `timed_out`. Rejects only if the secrets
 * cannot be read. Used by `CallToolbox` and the test of a tool.
 */
export async function runHttpTool(
  tool: HttpTool,
  call: HttpToolCall,
  parts: HttpToolParts,
): Promise<HttpToolExchange> {
  const noExchange = { request: null, answer: null, saved: {} };
  const secretNames = secretsIn([tool.url, ...Object.values(tool.headers)]);
  const secrets = await parts.secrets(secretNames);
  const missing = secretNames.find((name) => !Object.hasOwn(secrets, name));
  if (missing !== undefined)
    return { ...noExchange, result: failed(`The tool is not set up: there is no secret ${missing}.`) };
  const mask = createMask(Object.values(secrets));
  let request: ToolRequest | null = null;
  try {
    request = await requestOf(tool, call, { secrets, sign: (message) => parts.sign(message) });
    const answer = await sendWithRetry(tool, request, parts.send);
    const masked = { request: maskedRequest(request, mask), answer: { ...answer, body: mask(answer.body) } };
    const value = isSuccess(answer) ? parsed(answer.body) : undefined;
    const result = { ...resultOf(answer, mask), ...(value !== undefined && { value }) };
    return { ...masked, result, saved: savedValues(tool, value) };
  } catch (error) {
    const isTimeout = error instanceof ToolHttpError && error.reason === 'timeout';
    const reason = error instanceof ToolHttpError ? error.message : 'the request could not be made';
    const result = {
      ...failed(`The tool failed: ${mask(reason)}.`),
      ...(isTimeout && { status: 'timed_out' as const }),
    };
    return { ...noExchange, request: request && maskedRequest(request, mask), result };
  }
}

/**
 * The request of a tool call. Arguments that the address does not name go into the query of a GET or DELETE, or else
 * into the body as JSON.
 */
async function requestOf(
  tool: HttpTool,
  { args, variables, callId, idempotencyKey }: HttpToolCall,
  { secrets, sign }: { secrets: Readonly<Record<string, string>>; sign: HttpToolParts['sign'] },
): Promise<ToolRequest> {
  // Constants come last: the model cannot replace them.
  const values = { ...args, ...tool.constants };
  const { url, used } = fillUrl(tool.url, { secrets, variables }, values);
  const rest = Object.entries(values).filter(([name]) => !used.has(name));
  const isInQuery = tool.method === 'GET' || tool.method === 'DELETE';
  const body = isInQuery ? null : JSON.stringify(Object.fromEntries(rest));
  const headers = Object.entries(tool.headers).map(([name, value]) => [
    name.toLowerCase(),
    fillHeader(value, { secrets, variables }),
  ]);
  return {
    method: tool.method,
    url: isInQuery ? withQuery(url, rest) : url,
    headers: {
      ...Object.fromEntries(headers),
      ...(body !== null && { 'content-type': 'application/json' }),
      ...(callId !== null && { 'x-call-id': callId }),
      'idempotency-key': idempotencyKey,
      ...(await sign({ id: idempotencyKey, body: body ?? '' })),
    },
    body,
    timeoutMs: tool.timeout_ms,
  };
}

/** Sends the request, and repeats it once if the connection fails before any answer and the tool is safe to repeat. */
async function sendWithRetry(
  tool: HttpTool,
  request: ToolRequest,
  send: SendToolRequest,
): Promise<ToolAnswer> {
  try {
    return await send(request);
  } catch (error) {
    const mayRepeat =
      tool.safe_to_repeat &&
      error instanceof ToolHttpError &&
      error.reason === 'unreachable' &&
      !error.hadAnswer;
    if (!mayRepeat) throw error;
    return send(request);
  }
}

function withQuery(url: string, args: readonly (readonly [name: string, value: unknown])[]): string {
  const filled = new URL(url);
  for (const [name, value] of args) filled.searchParams.append(name, asText(value));
  return filled.href;
}

function isSuccess({ status }: ToolAnswer): boolean {
  return status >= 200 && status < 300;
}

/** The result for the model: the answer's body, or the failure that its status means. */
function resultOf(answer: ToolAnswer, mask: (text: string) => string): ToolResult {
  const { status, body } = answer;
  const text = mask(body).slice(0, LONGEST_RESULT_CHARACTERS);
  if (isSuccess(answer)) return { status: 'ok', text: text === '' ? 'Done.' : text };
  return failed(`The tool failed with status ${status}. ${text}`.slice(0, LONGEST_RESULT_CHARACTERS).trim());
}

/**
 * The variables that the tool's `save` takes from an answer.
 * @param root the answer as JSON; undefined if it is not JSON
 */
function savedValues(tool: HttpTool, root: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tool.save).flatMap(([name, path]) => {
      const value = valueAt(root, path);
      return value === undefined || value === null ? [] : [[name, asText(value)]];
    }),
  );
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function failed(text: string): ToolResult {
  return { status: 'failed', text };
}

function maskedRequest(request: ToolRequest, mask: (text: string) => string): ToolRequest {
  const headers = Object.entries(request.headers).map(([name, value]) => [name, mask(value)]);
  return {
    ...request,
    url: mask(request.url),
    headers: Object.fromEntries(headers),
    body: request.body === null ? null : mask(request.body),
  };
}

/** A function that replaces secrets in a text, in plain and in URL-encoded form, by `[secret]`. */
function createMask(secrets: readonly string[]): (text: string) => string {
  const secretForms = secrets
    .filter((secret) => secret.length >= SHORTEST_MASKED_CHARACTERS)
    .flatMap((secret) => [secret, encodeURIComponent(secret)]);
  return (text) => secretForms.reduce((shown, secret) => shown.replaceAll(secret, '[secret]'), text);
}
