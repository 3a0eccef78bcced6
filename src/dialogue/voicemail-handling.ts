import { z } from 'zod';
import { hasBrokenVariable } from './variables.js';

/** Schema of an agent's setting for calls that an answering machine answers (see docs/decisions.md). */
export const voicemailHandling = z
  .discriminatedUnion('action', [
    z.object({ action: z.literal('hang_up') }),
    z.object({
      action: z.literal('leave_message'),
      message: z
        .string()
        .trim()
        .min(1)
        .max(1_000)
        .refine((text) => !hasBrokenVariable(text), 'holds braces that make no variable such as {{name}}')
        .meta({ description: 'What is said after the beep; may hold `{{name}}` variables.' }),
    }),
    z.object({ action: z.literal('continue') }),
  ])
  .meta({
    id: 'VoicemailHandling',
    description:
      'What the agent does when an answering machine picks up: hang up, leave a message after the ' +
      'beep (or, if there is none, after the greeting), or continue as if it were a person.',
    examples: [{ action: 'leave_message', message: 'Hello {{name}}, please call us back. Goodbye.' }],
  });
export type VoicemailHandling = z.output<typeof voicemailHandling>;
