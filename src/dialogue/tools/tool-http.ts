/* The port through which HTTP tools send their requests; `fetch-tool-request.ts` implements it. */

/** A request of a tool, with its templates filled. */
export interface ToolRequest {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Null for none. */
  body: string | null;
  /** Limit for the whole exchange: connection, request and complete answer. */
  timeoutMs: number;
}

/** A complete answer of the server, whatever its status. */
export interface ToolAnswer {
  /** HTTP status. */
  status: number;
  body: string;
}

/**
 * The error for a request without a complete answer. Its message is for customers and models, and contains no secret.
 */
export class ToolHttpError extends Error {
  override readonly name = 'ToolHttpError';
  /**
   * `blocked`: the SSRF guard refused the address. `unreachable`: the connection failed before any answer. `timeout`:
   * no complete answer within `timeoutMs`. `too_large`: the answer exceeds the size limit. `cut`: the answer broke off.
   */
  readonly reason: 'blocked' | 'unreachable' | 'timeout' | 'too_large' | 'cut';
  /** True if at least the headers of an answer had arrived. */
  readonly hadAnswer: boolean;

  constructor(
    message: string,
    options: { reason: ToolHttpError['reason']; hadAnswer: boolean; cause?: unknown },
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.reason = options.reason;
    this.hadAnswer = options.hadAnswer;
  }
}

/**
 * Sends requests of tools (port): only to addresses that customers may use, without redirects.
 * @throws ToolHttpError
 */
export type SendToolRequest = (request: ToolRequest) => Promise<ToolAnswer>;
