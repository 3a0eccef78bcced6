import { badAnswer, connectionError, refusalError } from '#dialogue/llm/model-errors.js';
import { repairedStream, type StreamRepairs } from './repaired-stream.js';

/** Enough of a refusal to know why; some are whole pages. */
const LARGEST_REFUSAL_BYTES = 64 * 1024;
const SHOWN_CHARACTERS = 200;

/** What one request needs on its way. */
export interface ModelFetchOptions {
  provider: string;
  fetch: typeof fetch;
  /** Null where the body is passed on as it is. */
  repairs: StreamRepairs | null;
  wallMs: () => number;
  /** Called when the headers of an answer are there, and are no refusal. */
  onAccepted: () => void;
}

/**
 * The `fetch` of one request to a model. Everything that can go wrong on the wire is decided here, before a library
 * sees it: refusals, pages of proxies, streams that are cut, servers that depart from their format.
 */
export function modelFetch(options: ModelFetchOptions): typeof fetch {
  const { provider, repairs, onAccepted, wallMs } = options;
  return async (input, init) => {
    const signal = init?.signal ?? null;
    const response = await options.fetch(input, init).catch((error: unknown) => {
      throw signal?.aborted ? error : connectionError(provider, error);
    });
    if (!response.ok) {
      throw refusalError({
        provider,
        status: response.status,
        header: (name) => response.headers.get(name),
        body: await beginningOf(response),
        nowMs: wallMs(),
      });
    }
    if (repairs === null) {
      onAccepted();
      return response;
    }
    const type = response.headers.get('content-type') ?? '';
    if (response.body === null || /json|html/i.test(type)) throw await noStream(provider, type, response);
    onAccepted();
    return new Response(repairedStream(response.body, { provider, repairs, signal }), {
      status: response.status,
      headers: { 'content-type': 'text/event-stream' },
    });
  };
}

/** A body of 200 that is no stream: an error after all, or the page of something in between. */
async function noStream(provider: string, type: string, response: Response): Promise<Error> {
  const body = await beginningOf(response);
  if (/json/i.test(type) && /"error"\s*:/.test(body))
    return refusalError({ provider, status: statusIn(body), header: () => null, body, nowMs: 0 });
  // JSON may hold what the agent was to say; a page holds what a proxy says of itself.
  const page = body.replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>|\s+/g, ' ').trim();
  const shown = /html/i.test(type) ? `: ${page.slice(0, SHOWN_CHARACTERS)}` : '';
  return badAnswer(provider, `answered with ${type || 'nothing'} instead of a stream${shown}`);
}

function statusIn(body: string): number {
  const code = Number(/"(?:code|status)"\s*:\s*"?(\d{3})\b/.exec(body)?.[1]);
  return code >= 400 && code < 600 ? code : 502;
}

async function beginningOf(response: Response): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const bytes of response.body) {
      text += decoder.decode(bytes as Uint8Array, { stream: true });
      if (text.length >= LARGEST_REFUSAL_BYTES) break;
    }
  } catch {
    // What has come of it is enough: the status counts.
  }
  return text;
}
