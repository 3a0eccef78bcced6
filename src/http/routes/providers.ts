import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { ProviderListing, ProviderListings } from '#providers/provider-listing.js';
import { answer } from '#http/schemas/route-schema.js';

/** The providers by kind. Agents name those of `ProviderListings`: models, voices and recognisers. */
export interface Providers extends ProviderListings {
  /** The carriers, which phone numbers name. */
  telephony: readonly ProviderListing[];
  /** Where recordings can be stored. */
  storage: readonly ProviderListing[];
}

const providers = z.array(
  z
    .object({
      name: z.string().meta({ description: 'The name that agents and numbers use.', examples: ['builtin'] }),
      configured: z.boolean().meta({ description: 'Whether it is configured and can be used.' }),
      missing: z
        .array(z.string())
        .optional()
        .meta({
          description: 'The settings without which it cannot be used.',
          examples: [['OPENAI_API_KEY']],
        }),
      default_model: z
        .string()
        .nullish()
        .meta({ description: 'The model that is used where none is named.', examples: ['gpt-4.1'] }),
      needs_url: z.boolean().optional().meta({
        description: 'Whether each agent has to name its server in `model_settings.url`.',
      }),
      speech_to_speech: z.boolean().optional().meta({
        description: 'Whether its models hear and speak by themselves, without a voice and a recogniser.',
      }),
      default_voice: z
        .string()
        .nullish()
        .meta({ description: 'The voice that is used where none is named.', examples: ['alloy'] }),
      voices: z.array(z.string()).optional().meta({
        description: 'Its voices, the default first; left out where they are not known beforehand.',
      }),
      languages: z
        .array(z.string())
        .optional()
        .meta({ description: 'Languages that it can do (ISO 639); left out where it can do any.' }),
      tells_language: z.boolean().optional().meta({
        description:
          'Whether a recogniser tells which language was spoken, so that a talk may change to it (`languages` of an agent).',
      }),
    })
    .meta({ id: 'Provider', description: 'A provider that this service knows.' }),
);

const providerList = z
  .object({
    ai: providers.meta({ description: 'Values of `ai_provider`.' }),
    voice: providers.meta({ description: 'Values of `voice_provider`.' }),
    transcription: providers.meta({ description: 'Values of `transcription_provider`.' }),
    telephony: providers.meta({ description: "Carriers: values of a phone number's `provider`." }),
    storage: providers.meta({ description: 'Values of `record_storage` of a call.' }),
  })
  .meta({
    id: 'Providers',
    description: 'The providers that this service knows, by what they do.',
    examples: [
      {
        ai: [{ name: 'builtin', configured: true }],
        voice: [{ name: 'builtin', configured: true }],
        transcription: [{ name: 'builtin', configured: true }],
        telephony: [{ name: 'sandbox', configured: true }],
        storage: [{ name: 'local', configured: true }],
      },
    ],
  });

/**
 * The route with the providers that agents, phone numbers and calls may name, for the editors of the console. Requires
 * the scope `read`.
 */
export const providerRoutes: FastifyPluginAsyncZod<{ providers: Providers }> = async (server, parts) => {
  // The providers follow from settings, which do not change while the process runs.
  const listed = providerList.parse(parts.providers);
  server.route({
    method: 'GET',
    url: '/api/providers',
    schema: {
      operationId: 'listProviders',
      summary: 'List providers',
      description: 'The provider names that agents and numbers may use, and which of them are configured.',
      tags: ['Agents'],
      response: { 200: answer('The providers.', providerList) },
    },
    handler: async () => listed,
  });
};
