import { z } from 'zod';
import { closedObject } from './closed-object.js';
import { answerName, spokenText, stepFields, stepName } from './step-fields.js';
import { hasBrokenVariable } from '#dialogue/variables.js';

/*
 * Schemas of the steps that act outside of the conversation: `tool` sends a request to a server, `press` sends DTMF
 * keys to a phone menu.
 */

/** An argument of a tool. */
const argument = z.union([
  z
    .string()
    .max(1_000)
    .refine((text) => !hasBrokenVariable(text), 'holds braces that make no variable such as {{name}}'),
  z.number(),
  z.boolean(),
]);

/** A step that runs a tool of the agent; `ToolPerformer` executes it. */
export const toolStep = closedObject({
  kind: z.literal('tool'),
  tool: z
    .string()
    .regex(/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/, 'is not the name of a tool')
    .meta({ description: 'A tool of the agent with a `url`.', examples: ['book_slot'] }),
  with: z
    .record(z.string().min(1).max(64), argument)
    .nullish()
    .meta({
      description: 'Its arguments. Texts may hold variables; an answer stands in them as the API keeps it.',
      examples: [{ day: '{{day}}' }],
    }),
  say_while: z
    .array(spokenText)
    .max(4)
    .nullish()
    .meta({
      description: "Said while it runs, in place of the tool's own.",
      examples: [['One moment, I am booking it.']],
    }),
  save_as: answerName.nullish().meta({
    description: 'The variable that keeps what it answers. `save` of the tool keeps parts of it.',
    examples: ['booking'],
  }),
  on_error: stepName.meta({
    description: 'The step to take when it fails, takes too long, or does not take its arguments.',
  }),
  next: stepName,
  ...stepFields,
}).meta({
  id: 'PlaybookTool',
  description: 'Runs a tool of the agent, without a model, then goes on with `next`.',
  examples: [
    { kind: 'tool', tool: 'book_slot', with: { day: '{{day}}' }, on_error: 'person', next: 'booked' },
  ],
});

/** A step that sends DTMF keys; `PressPerformer` executes it. */
export const pressStep = closedObject({
  kind: z.literal('press'),
  text: spokenText.nullish().meta({ description: 'Said before the keys are pressed.' }),
  keys: z
    .string()
    .trim()
    .min(1)
    .max(120)
    .meta({
      description: 'Keys to press: 0-9, A-D, `*`, `#`, and `w` for half a second. May hold variables.',
      examples: ['1w{{account}}#'],
    }),
  wait_for: z
    .array(z.string().trim().min(1).max(80))
    .min(1)
    .max(20)
    .nullish()
    .meta({
      description: 'Words of a phone menu that are waited for; without them the keys are pressed at once.',
      examples: [['for appointments', 'press two']],
    }),
  after_ms: z
    .int()
    .min(0)
    .max(30_000)
    .nullish()
    .meta({
      description: 'How long to wait before the first key, in steps of half a second.',
      examples: [1_000],
    }),
  max_seconds: z
    .int()
    .min(5)
    .max(600)
    .nullish()
    .meta({ description: 'How long the words are waited for. Default 60.', examples: [60] }),
  otherwise: stepName.nullish().meta({
    description: 'The step to take when the words do not come; needed with `wait_for`.',
  }),
  next: stepName,
  ...stepFields,
}).meta({
  id: 'PlaybookPress',
  description:
    'Presses keys, such as in the phone menu of whoever was called. `next` is taken once the other end has spoken or ' +
    'been silent.',
  examples: [
    { kind: 'press', wait_for: ['for appointments'], keys: '2', otherwise: 'give_up', next: 'greet' },
  ],
});

export type ToolStep = z.output<typeof toolStep>;
export type PressStep = z.output<typeof pressStep>;
