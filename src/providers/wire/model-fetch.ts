import { badAnswer, connectionError, refusalError } from '#dialogue/llm/model-errors.js';
import { repairedStream, type StreamRepairs } from './repaired-stream.js';

/** Limit of the body that is read for an error: some bodies are whole HTML pages. */
const MAX_ERROR_BODY_CHARACTERS = 64 * 1024;
/** How much of an HTML page an error quotes. */
const QUOTED_CHARACTERS = 200;

/** The dependencies of one request to a model. */
interface ModelFetchOptions {
  provider: string;
  fetch: typeof fetch;
  /** Epoch milliseconds, for a `retry-after` header with a date. */
  wallMs: () => number;
  /** Called when the headers of an accepted answer have arrived, before its body is read. */
  onAccepted: () => void;
}

/** A request as the arguments of `fetch`. */
export type FetchArguments = Parameters<typeof fetch>;

/**
 * Makes the `fetch` that `aiSdkSource` passes to an AI SDK package for one request to a model. It turns failures on the
 * wire into a ModelError before the package sees them: refusals, and with `repairs` also pages of proxies, cut streams
 * and deviations from the format.
 * @param options.repairs null to pass the body on unchanged, for formats that only the package knows
 */
export function createModelFetch(
  options: ModelFetchOptions & { repairs: StreamRepairs | null },
): typeof fetch {
  const { provider, repairs, onAccepted } = options;
  return async (...request) => {
    if (repairs === null) {
      const response = await acceptedResponse(request, options);
      onAccepted();
      return response;
    }
    const body = await fetchAnswer(request, options);
    const signal = request[1]?.signal ?? null;
    return new Response(repairedStream(body, { provider, repairs, signal }), {
      headers: { 'content-type': 'text/event-stream' },
    });
  };
}

/**
 * Sends a request and returns the body of the streamed answer. Used by `createModelFetch`, and by `aiSdkSource` for
 * answers that `ChatAnswer` parses.
 * @throws {ModelError} if the request fails or the answer is no stream
 */
export async function fetchAnswer(
  request: FetchArguments,
  options: ModelFetchOptions,
): Promise<ReadableStream<Uint8Array>> {
  const response = await acceptedResponse(request, options);
  const type = response.headers.get('content-type') ?? '';
  if (response.body === null || /json|html/i.test(type))
    throw await notStreamedError(options.provider, type, response);
  options.onAccepted();
  return response.body;
}

/** Sends a request. @throws {ModelError} if it fails or is refused; the original error after an abort */
async function acceptedResponse(
  [input, init]: FetchArguments,
  { provider, fetch, wallMs }: ModelFetchOptions,
): Promise<Response> {
  const response = await fetch(input, init).catch((error: unknown) => {
    throw init?.signal?.aborted ? error : connectionError(provider, error);
  });
  if (response.ok) return response;
  throw refusalError({
    provider,
    status: response.status,
    header: (name) => response.headers.get(name),
    body: await beginningOf(response),
    nowMs: wallMs(),
  });
}

/** The error for a 200 answer that is no stream: an error body, or the page of a proxy. */
async function notStreamedError(provider: string, type: string, response: Response): Promise<Error> {
  const body = await beginningOf(response);
  if (/json/i.test(type) && /"error"\s*:/.test(body))
    return refusalError({ provider, status: statusIn(body), header: () => null, body, nowMs: 0 });
  // JSON may contain words of the agent and is not quoted; an HTML page is a proxy's message.
  const page = body.replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>|\s+/g, ' ').trim();
  const quotation = /html/i.test(type) ? `: ${page.slice(0, QUOTED_CHARACTERS)}` : '';
  return badAnswer(provider, `answered with ${type || 'nothing'} instead of a stream${quotation}`);
}

/** The HTTP status that an error body names; 502 without one. */
function statusIn(body: string): number {
  const code = Number(/"(?:code|status)"\s*:\s*"?(\d{3})\b/.exec(body)?.[1]);
  return code >= 400 && code < 600 ? code : 502;
}

/** The beginning of a body, as text. */
async function beginningOf(response: Response): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const bytes of response.body) {
      text += decoder.decode(bytes as Uint8Array, { stream: true });
      if (text.length >= MAX_ERROR_BODY_CHARACTERS) break;
    }
  } catch {
    // The part that arrived is enough for an error.
  }
  return text;
}
