/* The port through which tools send HTTP requests; `fetch-tool-request.ts` implements it. */

/** A request of a tool, as sent. */
export interface ToolRequest {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Null for none. */
  body: string | null;
  /** For connection, headers and body together. */
  timeoutMs: number;
}

/** An answer of any status. */
export interface ToolAnswer {
  status: number;
  body: string;
}

/** There was no complete answer. The message is for operators and models, and contains no secret. */
export class ToolHttpError extends Error {
  override readonly name = 'ToolHttpError';
  readonly reason: 'blocked' | 'unreachable' | 'timeout' | 'too_large' | 'cut';
  /** True if a part of the answer had arrived. */
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
