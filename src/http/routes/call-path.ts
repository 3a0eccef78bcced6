import { z } from 'zod';

/** The path parameter of routes about one call. Any text is accepted; an unknown id gives 404. */
export const callPath = z.object({
  call_id: z
    .string()
    .meta({ description: 'The id of the call.', examples: ['call_01kakb8x6te1tr7m3qf0c9w2af'] }),
});
