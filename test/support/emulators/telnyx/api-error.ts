/** An unsuccessful answer of the REST API. Source: Telnyx, "API error codes". */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly pointer: string | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    title: string,
    pointer: string | null = null,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(title);
    this.status = status;
    this.code = code;
    this.pointer = pointer;
    this.headers = headers;
  }

  body(): object {
    const { code, message: title, pointer } = this;
    return { errors: [{ code, title, detail: title, ...(pointer ? { source: { pointer } } : {}) }] };
  }
}

export const INVALID_CALL = () => new ApiError(422, '90015', 'Invalid Call Control ID');
export const CALL_ENDED = () => new ApiError(422, '90018', 'Call has already ended');
export const NOT_ANSWERED = () => new ApiError(422, '90034', 'Call not answered yet');
export const TOO_MANY = (seconds: number) =>
  new ApiError(429, '10011', 'Too many requests', null, {
    'x-ratelimit-reset': String(seconds),
    'retry-after': String(seconds),
  });
export const FAILED = () => new ApiError(500, '10007', 'Unexpected error');
