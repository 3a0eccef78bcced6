import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { answer, problems } from '#http/schemas/route-schema.js';
import { fieldProblem, Problem } from '#kernel/errors/errors.js';
import { VoiceNotUsable, type Voices } from '#providers/voices/voices.js';
import { wavOf } from '#media/samples/wav.js';
import { SpeechError } from '#speech/speech-error.js';
import { voiceSettings } from '#speech/voice-settings.js';

const MAX_PREVIEW_CHARACTERS = 500;
/** The sample rates of the qualities of a preview: that of telephone lines, and that of wideband lines. */
const RATES = { telephone: 8000, wide: 16_000 } as const;

const voiceList = z
  .object({
    object: z.literal('list'),
    provider: z.string().meta({ description: 'The name of the provider.' }),
    data: z
      .array(
        z.object({
          id: z.string().meta({ description: 'The value of `voice` of an agent.' }),
          name: z.string().meta({ description: 'As the provider calls it.' }),
          language: z
            .string()
            .nullable()
            .meta({ description: 'Its language; null where it is not said, or there are many.' }),
        }),
      )
      .meta({ description: 'The voices, as the provider lists them.' }),
  })
  .meta({
    id: 'VoiceList',
    description: 'The voices of a provider.',
    examples: [
      {
        object: 'list',
        provider: 'deepgram',
        data: [{ id: 'aura-2-thalia-en', name: 'thalia', language: 'en' }],
      },
    ],
  });

const previewBody = z
  .object({
    text: z
      .string()
      .trim()
      .min(1)
      .max(MAX_PREVIEW_CHARACTERS)
      .meta({ description: 'What is to be said.', examples: ['Good morning, this is the clinic.'] }),
    voice_provider: z
      .string()
      .trim()
      .min(1)
      .max(64)
      .default('builtin')
      .meta({ description: 'A name from `GET /api/providers`.', examples: ['builtin'] }),
    voice: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .nullish()
      .meta({ description: 'Its voice; its default if omitted.', examples: ['slt'] }),
    voice_settings: voiceSettings.nullish().meta({ description: 'As of an agent.', examples: [{}] }),
    language: z
      .string()
      .min(2)
      .max(35)
      .default('en-US')
      .meta({ description: 'BCP 47 tag.', examples: ['en-US'] }),
    quality: z
      .enum(Object.keys(RATES) as [keyof typeof RATES, ...(keyof typeof RATES)[]])
      .default('telephone')
      .meta({ description: '`telephone` is what callers hear; `wide` is for wide-band lines.' }),
  })
  .meta({
    id: 'VoicePreview',
    description: 'A sentence, and the voice that is to speak it.',
    examples: [{ text: 'Good morning, this is the clinic.', voice_provider: 'builtin', voice: 'slt' }],
  });

/**
 * The routes that list the voices of a provider (scope `read`), and speak a sentence in one of them (scope `write`),
 * for the agent editor of the console.
 */
export const voiceRoutes: FastifyPluginAsyncZod<{ voices: Voices }> = async (server, { voices }) => {
  server.route({
    method: 'GET',
    url: '/api/providers/:name/voices',
    schema: {
      operationId: 'listVoices',
      summary: 'List the voices of a provider',
      description: 'As the provider lists them; its answer is kept for ten minutes.',
      tags: ['Agents'],
      params: z.object({
        name: z.string().meta({ description: 'A name from `GET /api/providers`.', examples: ['builtin'] }),
      }),
      response: { 200: answer('The voices.', voiceList), ...problems(409) },
    },
    handler: async ({ params: { name } }) => {
      const data = await voices.list(name).catch((error: unknown) => {
        throw asProblem(error);
      });
      return { object: 'list' as const, provider: name, data };
    },
  });

  server.route({
    method: 'POST',
    url: '/api/voices/preview',
    schema: {
      operationId: 'previewVoice',
      summary: 'Hear a sentence',
      description:
        'A sentence in a voice, as callers would hear it, as a WAV file. A provider that fails is an error here: no ' +
        'other voice takes its place.',
      tags: ['Agents'],
      body: previewBody,
      response: {
        200: {
          description: 'The sound: WAV, 16 bits, mono.',
          content: { 'audio/wav': { schema: z.unknown().meta({ type: 'string', format: 'binary' }) } },
        },
        ...problems(409),
      },
    },
    handler: async ({ body }, reply) => {
      const { text, language, voice_provider: provider } = body;
      const sampleRateHz = RATES[body.quality];
      const choice = { provider, voice: body.voice ?? null, settings: body.voice_settings ?? {} };
      const pieces: Int16Array[] = [];
      try {
        for await (const piece of voices.preview(choice, { text, language, sampleRateHz }))
          pieces.push(piece);
      } catch (error) {
        const problem = asProblem(error);
        throw problem instanceof Problem && problem.code === 'route_not_found'
          ? fieldProblem('validation_error', 'voice_provider', 'is no voice provider; see GET /api/providers')
          : problem;
      }
      return reply.header('content-type', 'audio/wav').send(wavOf(pieces, sampleRateHz));
    },
  });
};

/** Converts the error of an unusable voice or a failed provider to a problem; other errors stay as they are. */
function asProblem(error: unknown): unknown {
  if (error instanceof VoiceNotUsable)
    return new Problem(
      error.reason === 'unknown_provider' ? 'route_not_found' : 'provider_not_configured',
      `${error.message}.`,
    );
  return error instanceof SpeechError ? new Problem('unavailable', `${error.message}.`) : error;
}
