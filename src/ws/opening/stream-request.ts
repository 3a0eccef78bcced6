import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Problem } from '#kernel/errors/errors.js';
import type { FreeForm } from '#kernel/input/free-form.js';
import { readPhoneNumber } from '#kernel/input/phone-number.js';
import { flagQuery, NO_PHONE_NUMBER, wholeNumberQuery } from '#kernel/input/fields.js';
import { messageOf } from '#kernel/input/issue-message.js';
import { ProtocolError } from '#media/protocols/stream-protocol.js';
import type { RawAudioFormat } from '#telephony/raw-audio.js';

/* Reads the path and query of a request for an audio socket, and the caller's data in its first message. */

/** The range of sample rates that a client may choose, which includes those of most recordings and microphones. */
const LOWEST_RATE_HZ = 8_000;
const HIGHEST_RATE_HZ = 48_000;
/** Limit of a JSON object in a query or first message; servers and proxies refuse longer addresses. */
const LONGEST_DATA_CHARACTERS = 16_000;

/** An object, given as JSON text. */
const dataField = z
  .preprocess(
    (value) => (typeof value === 'string' ? parsedOrText(value) : value),
    z.record(z.string(), z.unknown()),
  )
  .refine(
    (data) => JSON.stringify(data).length <= LONGEST_DATA_CHARACTERS,
    `is longer than ${LONGEST_DATA_CHARACTERS} characters`,
  )
  .optional();

/** Fields about the caller, in the query or in the first message. */
const callerFields = {
  variables: dataField,
  customer_data: dataField,
  caller_number: z
    .string()
    .transform((text, context) => {
      const number = readPhoneNumber(text);
      if (number !== null) return number;
      context.addIssue({ code: 'custom', message: NO_PHONE_NUMBER });
      return z.NEVER;
    })
    .optional(),
};

/** The query of an audio socket, as docs/audio-socket.md describes it. */
const streamQuerySchema = z
  .object({
    agent_id: z.string().max(128).optional(),
    encoding: z.enum(['pcm16', 'mulaw']).optional(),
    sample_rate: wholeNumberQuery(z.int().min(LOWEST_RATE_HZ).max(HIGHEST_RATE_HZ)).optional(),
    events: flagQuery.optional(),
    ...callerFields,
  })
  .refine(
    ({ encoding, sample_rate: rate = LOWEST_RATE_HZ }) => encoding !== 'mulaw' || rate === LOWEST_RATE_HZ,
    {
      path: ['sample_rate'],
      message: 'must be 8000 for mulaw',
    },
  );

/** The caller on an audio socket, as the client describes them. */
export interface StreamCaller {
  /** E.164; empty if not given. */
  number: string;
  /** Variables for the agent's texts. */
  variables: FreeForm;
}

/** A request for an audio socket. `agentId` is null if the request names no agent. */
export interface StreamRequest {
  agentId: string | null;
  format: RawAudioFormat;
  /** True if the request names a format of the plain protocol, so that it need not be detected by a first message. */
  isPlain: boolean;
  /** The caller, as far as the request describes them. */
  caller: StreamCaller;
  /** True for an address that only carriers get: a carrier sends the first message, however late. */
  isCarrier: boolean;
}

/** Parses path and query; an agent in the path takes precedence. @throws Problem `validation_error`, with the fields */
export function readStreamRequest(request: FastifyRequest): StreamRequest {
  const parsed = streamQuerySchema.safeParse(request.query);
  if (!parsed.success) {
    const details = parsed.error.issues.map((issue) => ({
      field: `query.${issue.path.join('.')}`,
      code: issue.code === 'custom' ? 'invalid_value' : issue.code,
      message: messageOf(issue),
    }));
    const sentence = details.map(({ field, message }) => `${field} ${message}`).join('; ');
    throw new Problem('validation_error', `${sentence}.`, { details });
  }
  const { agent_id, encoding, sample_rate, events } = parsed.data;
  const { agentId = agent_id, token } = request.params as { agentId?: string; token?: string };
  return {
    agentId: agentId || null,
    format: {
      encoding: encoding ?? 'pcm16',
      // The call itself runs at 8 or 16 kHz; other rates of the client are converted.
      sampleRateHz: (sample_rate ?? (encoding === 'mulaw' ? 8000 : 16000)) === 8000 ? 8000 : 16000,
      ...(sample_rate !== undefined && { peerRateHz: sample_rate }),
      events: events ?? false,
    },
    isPlain: encoding !== undefined || sample_rate !== undefined || events !== undefined,
    caller: callerOf(parsed.data),
    isCarrier: token !== undefined,
  };
}

/**
 * The caller by the parameters of a stream's first message, which take precedence over the request.
 * @throws ProtocolError for invalid parameters
 */
export function callerIn(
  parameters: Readonly<Record<string, string>>,
  requested: StreamCaller,
): StreamCaller {
  const parsed = z.object(callerFields).safeParse(parameters);
  if (!parsed.success) throw new ProtocolError('the first message says of the caller what cannot be read');
  const { number, variables } = callerOf(parsed.data);
  return { number: number || requested.number, variables: { ...requested.variables, ...variables } };
}

/** The caller by the fields of a query or a first message; `customer_data` takes precedence over `variables`. */
function callerOf(fields: CallerFields): StreamCaller {
  const { variables, customer_data: data, caller_number: number = '' } = fields;
  return { number, variables: { ...variables, ...data } };
}

/** The parsed {@link callerFields}. */
interface CallerFields {
  variables?: FreeForm | undefined;
  customer_data?: FreeForm | undefined;
  caller_number?: string | undefined;
}

/** The value of JSON text; the text itself if it is not JSON, so that the schema refuses it. */
function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
