import type { OutcomeName } from './outcome.js';

/** What is sent, to the byte. */
export interface PostRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer;
}

/** How an attempt ended; `stopped` is none: it was called off before there was an answer. */
export interface PostResult {
  outcome: OutcomeName | 'stopped';
  /** Null when no answer came. */
  statusCode: number | null;
  /** The beginning of the answer's body as text; null when there was none. */
  responseBody: string | null;
  /** The header `Retry-After`, as it came. */
  retryAfter: string | null;
}

/** Sends one request to a receiver and says how it ended (port). It never rejects and never outlasts its deadline. */
export type Post = (request: PostRequest, stop: AbortSignal) => Promise<PostResult>;

/** A {@link Post} with connections of its own: whoever opens it closes it. */
export interface PostClient {
  post: Post;
  /** Drops every connection. Closing twice is harmless. */
  close(): Promise<void>;
}
