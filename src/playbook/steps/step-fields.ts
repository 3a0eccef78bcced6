import { z } from 'zod';
import { hasBrokenVariable } from '#dialogue/variables.js';

/* Schemas of fields that several kinds of steps have. */

/** Names of steps and of variables. */
const NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** The name of a step, in fields that name the next step. */
export const stepName = z
  .string()
  .regex(NAME, 'is not a name such as ask_slot: small letters, digits and _, at most 64')
  .meta({ description: 'The name of a step: small letters, digits and `_`.', examples: ['ask_slot'] });

/** The name of a variable. The description is that of `save_as`; most other fields replace it. */
export const answerName = z
  .string()
  .regex(NAME, 'is not a name such as slot: small letters, digits and _, at most 64')
  .meta({ description: 'The variable that keeps the answer.', examples: ['slot'] });

/** A text to be spoken, which may hold variables. */
export const spokenText = z
  .string()
  .trim()
  .max(1_000)
  .refine((text) => /[\p{L}\p{N}]/u.test(text), 'holds no word to say')
  .refine((text) => !hasBrokenVariable(text), 'holds braces that make no variable such as {{name}}')
  .meta({
    description:
      'Words to say. `{{name}}` is replaced by the value of that variable, `{{name|there}}` by `there` when the ' +
      'value is not known. Of a value up to 2,000 characters are taken, of all values of one text 6,000, and of all ' +
      'values of one turn 16,000.',
    examples: ['Hello {{name}}, is now a good time?'],
  });

/** Fields that every kind of step may have: parts of the outcome that a call has once it reaches the step. */
export const stepFields = {
  intent: z
    .string()
    .trim()
    .min(1)
    .max(64)
    .nullish()
    .meta({
      description: 'What the caller wants when the call gets here; the last step with an intent decides.',
      examples: ['confirm_appointment'],
    }),
  resolution_achieved: z
    .boolean()
    .nullish()
    .meta({
      description:
        'Whether the purpose of the call is reached when the call gets here; the last step decides.',
      examples: [true],
    }),
  summary: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .refine((text) => !hasBrokenVariable(text), 'holds braces that make no variable such as {{name}}')
    .nullish()
    .meta({
      description: 'How the summary of the call begins when the call gets here; the last step decides.',
      examples: ['{{name|The customer}} confirmed the appointment.'],
    }),
};

/** The field of steps that speak: whether the caller may speak over their text. */
export const interruptible = z
  .boolean()
  .nullish()
  .meta({ description: 'Whether the caller may speak over it. Default true.', examples: [true] });
