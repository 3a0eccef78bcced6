import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Problem } from '#kernel/errors/errors.js';
import { flagQuery } from '#kernel/input/fields.js';
import { messageOf } from '#kernel/input/issue-message.js';
import type { RawAudioFormat } from '#telephony/raw-audio.js';

/** The query of an audio socket (docs/audio-socket.md). */
const streamQuerySchema = z
  .object({
    agent_id: z.string().max(128).optional(),
    encoding: z.enum(['pcm16', 'mulaw']).optional(),
    sample_rate: z
      .enum(['8000', '16000'])
      .transform((rate) => (rate === '8000' ? 8000 : 16000))
      .optional(),
    events: flagQuery.optional(),
  })
  .refine((query) => query.encoding !== 'mulaw' || query.sample_rate !== 16000, {
    path: ['sample_rate'],
    message: 'must be 8000 for mulaw',
  });

/** A request for an audio socket. */
export interface StreamRequest {
  agentId: string | null;
  format: RawAudioFormat;
  /** True if the request names a format of the plain protocol, so that no first message is needed to detect it. */
  isPlain: boolean;
  /** True for an address that only carriers receive: the carrier sends first, however late. */
  isCarrier: boolean;
}

/** Parses path and query. @throws Problem `validation_error` that names the field */
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
      sampleRateHz: sample_rate ?? (encoding === 'mulaw' ? 8000 : 16000),
      events: events ?? false,
    },
    isPlain: encoding !== undefined || sample_rate !== undefined || events !== undefined,
    isCarrier: token !== undefined,
  };
}
