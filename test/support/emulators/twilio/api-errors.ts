import type { CallRecord } from './call-record.js';

/** An unsuccessful answer of the REST API. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }

  body(): Record<string, unknown> {
    const { code, message, status } = this;
    return { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status };
  }
}

const TWIML_LIMIT = 4000;
const LONGEST_RING_SECONDS = 600;
const EVENTS = ['initiated', 'ringing', 'answered', 'completed'];

/** Why a place request is invalid; null if it is valid. */
export function badOrder(form: URLSearchParams, isValidNumber: (to: string) => boolean): ApiError | null {
  const refused = (code: number, message: string) => new ApiError(400, code, message);
  const [to, from, timeout] = [form.get('To'), form.get('From'), Number(form.get('Timeout') ?? 60)];
  const twiml = form.get('Twiml') ?? form.get('Laml');
  if (!to) return refused(21201, "No 'To' number is specified");
  if (!from) return refused(21213, "No 'From' number is specified");
  if (!isValidNumber(to)) return refused(21211, "Invalid 'To' Phone Number");
  if (!/^\+[1-9]\d{6,14}$/.test(from)) return refused(21212, "Invalid 'From' Phone Number");
  if (!form.get('Url') && !twiml) return refused(21205, 'Url parameter is required');
  if (twiml && twiml.length > TWIML_LIMIT) return refused(21200, 'Twiml is too long');
  if (!Number.isInteger(timeout) || timeout < 1 || timeout > LONGEST_RING_SECONDS)
    return refused(21200, 'Timeout is not valid');
  const events = form.getAll('StatusCallbackEvent').flatMap((event) => event.split(' '));
  if (events.some((event) => !EVENTS.includes(event)))
    return refused(21200, 'StatusCallbackEvent is not valid');
  const bad = ['Url', 'StatusCallback', 'AsyncAmdStatusCallback'].find(
    (name) => form.get(name) && !isAddress(form.get(name)!),
  );
  return bad ? refused(21205, `${bad} is not a valid URL`) : null;
}

/** Why a change of a call is invalid; null if it is valid. */
export function badUpdate(
  form: URLSearchParams,
  { status, isOver }: CallRecord,
  redirections: readonly string[],
): ApiError | null {
  if (isOver) return new ApiError(404, 20404, 'The call is over');
  const wanted = form.get('Status');
  if (wanted === 'completed') return null;
  const hasNotBegun = status !== 'in-progress';
  if (wanted === 'canceled' && hasNotBegun) return null;
  if (wanted !== null) return new ApiError(400, 21220, 'Invalid call state');
  if (hasNotBegun) return new ApiError(400, 21220, 'Call is not in-progress. Cannot redirect.');
  const documents = redirections.filter((name) => form.get(name));
  return documents.length === 1 ? null : new ApiError(400, 21200, `Give one of ${redirections.join(', ')}`);
}

/** Host names must not contain an underscore. */
function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return /^https?:$/.test(protocol) && !hostname.includes('_');
}
