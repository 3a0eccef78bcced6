import type { Clock } from '#kernel/time/clock.js';
import { ToolHttpError, type SendToolRequest, type ToolAnswer, type ToolRequest } from './tool-http.js';

/** The largest body of an answer. A larger one is a failure. */
const LARGEST_ANSWER_BYTES = 1024 * 1024;

/** A `fetch` behind the SSRF guard, which blocks addresses inside the operator's network. */
type Fetch = (input: string, init: RequestInit) => Promise<Response>;

/**
 * Creates the {@link SendToolRequest} of the service over a `fetch` behind the SSRF guard. Redirects are not followed.
 * Used by the composition root for all HTTP tools.
 */
export function createToolRequestSender(fetch: Fetch, clock: Clock): SendToolRequest {
  return async (request) => {
    const abort = new AbortController();
    const cancel = clock.after(request.timeoutMs, () => abort.abort());
    let hadAnswer = false;
    try {
      const response = await fetch(request.url, initOf(request, abort.signal));
      hadAnswer = true;
      return await readAnswer(response);
    } catch (error) {
      if (error instanceof ToolHttpError) throw error;
      throw failureOf(error, { hadAnswer, isLate: abort.signal.aborted });
    } finally {
      cancel();
    }
  };
}

function initOf({ method, headers, body }: ToolRequest, signal: AbortSignal): RequestInit {
  return { method, headers: { ...headers }, redirect: 'manual', signal, ...(body !== null && { body }) };
}

/** Reads a whole answer as text. @throws ToolHttpError for one that is larger than {@link LARGEST_ANSWER_BYTES} */
async function readAnswer(response: Response): Promise<ToolAnswer> {
  const decoder = new TextDecoder();
  let [body, sizeBytes] = ['', 0];
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    sizeBytes += chunk.length;
    if (sizeBytes > LARGEST_ANSWER_BYTES)
      throw new ToolHttpError('the answer is too large', { reason: 'too_large', hadAnswer: true });
    body += decoder.decode(chunk, { stream: true });
  }
  // The database stores no NUL in a text.
  return { status: response.status, body: (body + decoder.decode()).replaceAll('\0', '') };
}

/**
 * The error for a request without a complete answer.
 * @param progress.hadAnswer true if the headers of an answer had arrived
 * @param progress.isLate true if the timeout ended the request
 */
function failureOf(error: unknown, progress: { hadAnswer: boolean; isLate: boolean }): ToolHttpError {
  const { hadAnswer, isLate } = progress;
  const options = { hadAnswer, cause: error };
  if (isLate) return new ToolHttpError('there was no answer in time', { ...options, reason: 'timeout' });
  if (isBlocked(error))
    return new ToolHttpError('its address is not allowed', { ...options, reason: 'blocked' });
  if (hadAnswer) return new ToolHttpError('the answer broke off', { ...options, reason: 'cut' });
  return new ToolHttpError('its server cannot be reached', { ...options, reason: 'unreachable' });
}

/** True if the SSRF guard caused the error: `fetch` wraps the guard's error, one or more times, as `cause`. */
function isBlocked(error: unknown): boolean {
  // The limit of five levels is enough, and ends the search in causes that form a circle.
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++)
    if (cause.name === 'BlockedAddress') return true;
  return false;
}
