import { z } from 'zod';
import type { CallOrder } from './emulated-call.js';

/** A refusal of the API. Source: Vonage's "API Errors" (RFC 7807). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly #type: string;
  readonly #parameters: readonly string[];

  constructor(
    status: number,
    type: string,
    message: string,
    more: { parameters?: readonly string[]; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.status = status;
    this.#type = type;
    this.#parameters = more.parameters ?? [];
    this.headers = more.headers ?? {};
  }

  body(): object {
    return {
      type: `https://developer.vonage.com/api-errors#${this.#type}`,
      title: this.#type,
      detail: this.message,
      instance: 'bf0ca0bf927b3b52e3cb03217e1a1ddf',
      ...(this.#parameters.length > 0
        ? { invalid_parameters: this.#parameters.map((name) => ({ name, reason: 'is not valid' })) }
        : {}),
    };
  }
}

const endpoint = z.strictObject({ type: z.literal('phone'), number: z.string().regex(/^\d{7,15}$/) });
const address = z.tuple([z.url({ protocol: /^https?$/ })]);
const method = z.enum(['GET', 'POST']);

/** Source: Voice API reference, "Create an outbound call". */
const order = z.strictObject({
  to: z.tuple([endpoint]),
  from: endpoint,
  answer_url: address.optional(),
  answer_method: method.default('GET'),
  ncco: z.array(z.unknown()).optional(),
  event_url: address.optional(),
  event_method: z.literal('POST').optional(),
  ringing_timer: z.number().int().min(1).max(120).default(60),
  length_timer: z.number().int().min(1).max(86_400).optional(),
  advanced_machine_detection: z
    .strictObject({
      behavior: z.enum(['continue', 'hangup']),
      mode: z.enum(['default', 'detect', 'detect_beep']),
      beep_timeout: z.number().int().min(45).max(120),
    })
    .optional(),
});

/** @throws ApiError */
export function readOrder(
  json: unknown,
  isValidNumber: (to: string) => boolean,
): CallOrder & { to: string; from: string } {
  const parsed = order.safeParse(json);
  if (!parsed.success) throw invalid(parsed.error.issues.map(({ path }) => path.join('.')));
  const asked = parsed.data;
  const to = asked.to[0].number;
  if (!isValidNumber(`+${to}`)) throw invalid(['to.0.number']);
  if ((asked.answer_url === undefined) === (asked.ncco === undefined)) throw invalid(['answer_url']);
  return {
    to,
    from: asked.from.number,
    ...(asked.answer_url ? { answerUrl: asked.answer_url[0] } : { ncco: JSON.stringify(asked.ncco) }),
    answerMethod: asked.answer_method,
    eventUrl: asked.event_url?.[0] ?? null,
    ringingTimerSeconds: asked.ringing_timer,
    machineDetection: asked.advanced_machine_detection !== undefined,
  };
}

const change = z.union([
  z.strictObject({ action: z.literal('hangup') }),
  z.strictObject({
    action: z.literal('transfer'),
    destination: z.strictObject({ type: z.literal('ncco'), ncco: z.array(z.unknown()) }),
  }),
]);

/** @throws ApiError */
export function readChange(json: unknown): { kind: 'hangup' } | { kind: 'transfer'; ncco: string } {
  const parsed = change.safeParse(json);
  if (!parsed.success) throw invalid(['action']);
  return parsed.data.action === 'hangup'
    ? { kind: 'hangup' }
    : { kind: 'transfer', ncco: JSON.stringify(parsed.data.destination.ncco) };
}

/** @throws ApiError */
export function readDigits(json: unknown): string {
  const parsed = z.strictObject({ digits: z.string().regex(/^[0-9*#p]+$/) }).safeParse(json);
  if (!parsed.success) throw invalid(['digits']);
  return parsed.data.digits;
}

function invalid(parameters: readonly string[]): ApiError {
  return new ApiError(400, 'invalid-params', 'The request parameters are invalid', { parameters });
}
