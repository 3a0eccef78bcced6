import { z } from 'zod';

/** The group of the webhook routes in the OpenAPI document. */
export const WEBHOOK_TAGS = ['Webhooks'];

/** The path parameter of routes about one webhook. */
export const webhookPath = z.object({
  webhook_id: z
    .string()
    .meta({ description: 'The id of the webhook.', examples: ['wh_01kakb8x6te1tr7m3qf0c9w2an'] }),
});
