import { z } from 'zod';
import { ApiError } from './api-error.js';

const base64 = z.base64().max(4_096);
const number = z.string().regex(/^\+[1-9]\d{6,14}$/);
const shared = { command_id: z.string().max(256).optional(), client_state: base64.optional() };
const stream = {
  stream_url: z.string().regex(/^wss?:\/\/[^?#]+$/),
  stream_track: z.enum(['inbound_track', 'outbound_track', 'both_tracks']).optional(),
  // By default a stream is one-way in the codec of the line, or MP3.
  stream_codec: z.literal('PCMU'),
  stream_bidirectional_mode: z.literal('rtp'),
  stream_bidirectional_codec: z.literal('PCMU'),
};

/** The body of `POST /v2/calls` as the service sends it; streams start only after the answer. */
export const dialOrder = z.strictObject({
  ...shared,
  connection_id: z.string(),
  to: number,
  from: number,
  timeout_secs: z.int().min(5).max(600).default(30),
  webhook_url: z.url({ protocol: /^https?$/ }).optional(),
  webhook_url_method: z.enum(['POST', 'GET']).optional(),
  answering_machine_detection: z
    .enum(['premium', 'detect', 'detect_beep', 'detect_words', 'greeting_end', 'disabled'])
    .default('disabled'),
});
export type DialOrder = z.output<typeof dialOrder>;

/** Commands on a call by name. Source: Telnyx's Node library 7.24.0, `calls.actions`. */
export const COMMANDS = {
  answer: z.strictObject({ ...shared, ...stream }),
  reject: z.strictObject({ ...shared, cause: z.enum(['CALL_REJECTED', 'USER_BUSY']) }),
  hangup: z.strictObject(shared),
  streaming_start: z.strictObject({ ...shared, ...stream }),
  streaming_stop: z.strictObject(shared),
  transfer: z.strictObject({
    ...shared,
    to: number,
    from: number,
    target_leg_client_state: base64.optional(),
  }),
  send_dtmf: z.strictObject({ ...shared, digits: z.string().regex(/^[0-9A-D*#wW]+$/) }),
};
export type CommandName = keyof typeof COMMANDS;
export type Command = {
  [Name in CommandName]: { name: Name; content: z.output<(typeof COMMANDS)[Name]> };
}[CommandName];

/** @throws ApiError for what the API would refuse */
export function readOrder<Output>(schema: z.ZodType<Output>, body: unknown): Output {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const pointer = `/${issue.path.join('/')}`;
  throw pointer === '/to' || pointer === '/from'
    ? new ApiError(422, '10016', 'Phone number must be in +E.164 format', pointer)
    : new ApiError(422, '10015', `Bad Request: ${issue.message}`, pointer);
}

/** @throws ApiError for what the API would refuse */
export function readCommand(name: string, body: unknown): Command {
  if (!Object.hasOwn(COMMANDS, name)) throw new ApiError(404, '10005', 'Resource not found');
  const schema: z.ZodType = COMMANDS[name as CommandName];
  return { name, content: readOrder(schema, body) } as Command;
}
