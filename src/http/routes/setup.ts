import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Principal } from '#access/keys/principal.js';
import { answer } from '#http/schemas/route-schema.js';

/** One part of the service: whether it is ready for real calls, and the next step if it is not. */
export interface SetupItem {
  name: 'carrier' | 'language_model' | 'public_address' | 'api_keys' | 'phone_numbers' | 'webhooks';
  /** `trial`: good enough to try the service, not for real calls. */
  status: 'ready' | 'trial' | 'missing';
  detail: string;
  next: string | null;
}

/** A setting and its present value; null for a secret, and for a setting without a value. */
export interface ShownSetting {
  name: string;
  value: string | null;
  isSet: boolean;
  isSecret: boolean;
  docs: string;
}

/** The dependencies of the routes of the setup. */
export interface SetupRouteParts {
  /** Checks each part of the service for the workspace of the principal. */
  checkParts(principal: Principal): Promise<SetupItem[]>;
  settings: readonly ShownSetting[];
}

const setup = z
  .object({
    object: z.literal('setup'),
    items: z
      .array(
        z.object({
          name: z
            .enum(['carrier', 'language_model', 'public_address', 'api_keys', 'phone_numbers', 'webhooks'])
            .meta({ description: 'What it is about.' }),
          status: z.enum(['ready', 'trial', 'missing']).meta({
            description: 'Ready for real calls, good for trying out, or to be set up.',
          }),
          detail: z.string().meta({ description: 'How it stands.' }),
          next: z.string().nullable().meta({ description: 'What to do next; null when nothing is.' }),
        }),
      )
      .meta({ description: 'In the order in which to set them up.' }),
  })
  .meta({
    id: 'Setup',
    description: 'What is set up, and what to do next.',
    examples: [
      {
        object: 'setup',
        items: [
          {
            name: 'carrier',
            status: 'trial',
            detail: 'Calls go to the simulated network.',
            next: 'Set CARRIER and the settings of your carrier (docs/carriers.md).',
          },
        ],
      },
    ],
  });

const settings = z
  .object({
    object: z.literal('settings'),
    data: z
      .array(
        z.object({
          name: z.string().meta({ description: 'The environment variable.' }),
          value: z
            .string()
            .nullable()
            .meta({ description: 'What holds; null for a secret, and for nothing.' }),
          is_set: z.boolean().meta({ description: 'Whether it was set; else the usual value holds.' }),
          is_secret: z.boolean().meta({ description: 'Whether its value is never shown.' }),
          description: z.string().meta({ description: 'What it means.' }),
        }),
      )
      .meta({ description: 'Every setting.' }),
  })
  .meta({
    id: 'Settings',
    description: 'The settings of this process as they hold.',
    examples: [
      {
        object: 'settings',
        data: [
          { name: 'PORT', value: '8010', is_set: false, is_secret: false, description: 'Port to listen on.' },
        ],
      },
    ],
  });

/**
 * The routes for the setup page of the console: the state of the setup (scope `read`), and all settings (scope
 * `admin`).
 */
export const setupRoutes: FastifyPluginAsyncZod<SetupRouteParts> = async (server, parts) => {
  server.route({
    method: 'GET',
    url: '/api/setup',
    schema: {
      operationId: 'getSetup',
      summary: 'Get what is set up',
      description: 'The parts that real calls need, how each stands, and what to do next.',
      tags: ['Console'],
      response: { 200: answer('How it stands.', setup) },
    },
    handler: async ({ principal }) => ({
      object: 'setup' as const,
      items: await parts.checkParts(principal),
    }),
  });

  server.route({
    method: 'GET',
    url: '/api/settings',
    config: { scope: 'admin' },
    schema: {
      operationId: 'getSettings',
      summary: 'Get the settings in force',
      description: 'Every setting of this process as it holds, without the values of secrets.',
      tags: ['Console'],
      response: { 200: answer('The settings.', settings) },
    },
    handler: () => ({
      object: 'settings' as const,
      data: parts.settings.map(({ name, value, isSet, isSecret, docs }) => ({
        name,
        value,
        is_set: isSet,
        is_secret: isSecret,
        description: docs,
      })),
    }),
  });
};
