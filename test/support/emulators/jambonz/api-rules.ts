import { z } from 'zod';

/** An unsuccessful answer of the REST API. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

const hook = z.union([
  z.url({ protocol: /^https?$/ }).transform((url) => ({ url, method: 'POST' as const })),
  z.object({ url: z.url({ protocol: /^https?$/ }), method: z.enum(['GET', 'POST']).default('POST') }),
]);
const order = z.object({
  application_sid: z.string().optional(),
  call_hook: hook.optional(),
  call_status_hook: hook.optional(),
  from: z.string().min(1),
  // Any text is dialled.
  to: z.object({ type: z.literal('phone'), number: z.string() }),
  timeout: z.int().positive().default(60),
  tag: z.record(z.string(), z.unknown()).optional(),
  amd: z.object({ actionHook: z.url() }).optional(),
});
export type Order = z.infer<typeof order>;

const SPEECH = [
  'speech_synthesis_vendor',
  'speech_synthesis_language',
  'speech_synthesis_voice',
  'speech_recognizer_vendor',
  'speech_recognizer_language',
];

/** The webhook URLs of an application. */
export type Application = Required<Pick<Order, 'call_hook' | 'call_status_hook'>>;

/**
 * Parses a place request. URLs of the application are used for missing ones.
 * @throws ApiError
 */
export function readOrder(body: unknown, applications: Readonly<Record<string, Application>>): Order {
  const result = order.safeParse(body);
  if (!result.success) throw new ApiError(400, z.prettifyError(result.error));
  const { application_sid } = result.data;
  if (application_sid === undefined) {
    const isComplete = SPEECH.every((name) => (body as Record<string, unknown>)[name]);
    if (!isComplete) throw new ApiError(400, 'either application_sid or set of speech parameters required');
    if (!result.data.call_hook) throw new ApiError(400, 'either call_hook or application_sid required');
    return result.data;
  }
  const application = applications[application_sid];
  if (!application) throw new ApiError(400, `application_sid not found ${application_sid}`);
  return { ...result.data, ...application };
}

const update = z.union([
  z.strictObject({ call_status: z.enum(['completed', 'no-answer']) }),
  z.strictObject({ call_hook: hook }),
  z.strictObject({
    dtmf: z.object({ digit: z.string().regex(/^[0-9A-D*#]$/), duration: z.int().default(250) }),
  }),
]);
export type Update = z.infer<typeof update>;

/** Parses a change of a call: exactly one. @throws ApiError */
export function readUpdate(body: unknown): Update {
  const result = update.safeParse(body);
  if (!result.success)
    throw new ApiError(400, 'multiple options are not allowed in updateCall, or none is valid');
  return result.data;
}
