import { z } from 'zod';

/** Schema of the `turn_taking` settings of an agent in the API. */
export const turnTaking = z.object({
  prepare_replies: z
    .boolean()
    .nullish()
    .meta({
      description:
        'Whether a language model is asked while the caller may still go on, on the words so far. The reply is used ' +
        'only where these were all. Default true; each request counts.',
    }),
});
export type TurnTaking = z.output<typeof turnTaking>;
