import { z } from 'zod';
import { closedObject } from './closed-object.js';
import { expectation } from './playbook-expectation.js';
import { answerName, spokenText, stepFields, stepName } from './step-fields.js';
import { hasBrokenVariable } from '#dialogue/variables.js';

const toolName = z
  .string()
  .regex(/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/, 'is not the name of a tool')
  .meta({ description: 'The name of a tool of the agent.', examples: ['find_slot'] });

/** Instructions for the language model of a talk step, which may hold variables. */
const instructions = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .refine((text) => !hasBrokenVariable(text), 'holds braces that make no variable such as {{name}}');

/** The fields that a value to collect has in addition to those of an expected answer. */
const collectFields = {
  description: z
    .string()
    .trim()
    .min(1)
    .max(300)
    .nullish()
    .meta({ description: 'What the value is, for the model.', examples: ['The day of the visit.'] }),
  required: z
    .boolean()
    .nullish()
    .meta({
      description:
        'Whether the model has to ask for it, and may not end the call before it is known. Default false.',
      examples: [true],
    }),
  confirm: z
    .union([z.boolean(), spokenText])
    .nullish()
    .meta({
      description:
        'Whether it is read back before it counts, as an `ask` does: `true`, or the words. Not for `yes_no`.',
      examples: ['That is {{day}}, right?'],
    }),
};

/** The schemas of expected answers, each with the additional fields. */
const collectedKinds = expectation.options.map((kind) =>
  closedObject({ ...kind.shape, ...collectFields }).meta({ title: kind.meta()?.title }),
);

/** A value that a talk step collects: any of the kinds that `ask` can expect. */
const collected = z
  // The cast restores the types of the fields, which `map` has lost.
  .discriminatedUnion('kind', collectedKinds as unknown as CollectedKinds)
  .meta({ id: 'PlaybookCollected', description: 'A value to collect: what an `ask` may expect.' });
type CollectFields = typeof collectFields;
type CollectedKind<Kind> =
  Kind extends z.ZodObject<infer Shape> ? z.ZodObject<Shape & CollectFields, z.core.$strict> : never;
type CollectedKinds = [CollectedKind<(typeof expectation.options)[number]>];

/** A condition on the last result of a tool. */
const result = closedObject({
  tool: toolName,
  equals: closedObject({
    path: z
      .string()
      .regex(/^\$(?:\.[\w-]+|\[\d+\]|\['[^']+'\])*$/, 'is no path such as $.slots[0]')
      .meta({ description: 'Where the value stands in the answer of the tool.', examples: ['$.free'] }),
    value: z
      .union([z.string().max(200), z.number(), z.boolean(), z.null()])
      .meta({ description: 'What stands there.', examples: [0] }),
  }).meta({ description: 'A value in the answer of the tool.' }),
}).meta({ id: 'PlaybookToolResult', description: 'What the last answer of a tool in this step holds.' });

const when = closedObject({
  known: z
    .array(answerName)
    .min(1)
    .max(20)
    .nullish()
    .meta({ description: 'All of these variables have a value.', examples: [['service', 'day']] }),
  result: result.nullish(),
  said: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .nullish()
    .meta({
      description: 'What the caller has said or wants, in words: the model tells when it is so.',
      examples: ['wants to speak to a person'],
    }),
}).meta({ id: 'PlaybookWhen', description: 'When a talk step is left; all that is given has to hold.' });

const exit = closedObject({ when, next: stepName }).meta({
  id: 'PlaybookExit',
  description: 'A way out of a talk step.',
  examples: [{ when: { known: ['service', 'day'] }, next: 'reserve' }],
});

/** A step in which the language model talks with the caller; `TalkPerformer` executes it. */
export const talkStep = closedObject({
  kind: z.literal('talk'),
  text: spokenText.nullish().meta({
    description:
      'What is said when the call gets here, before the caller is listened to. Without it the model speaks first; ' +
      'at the very beginning of a call it is the opening message.',
    examples: ['Which visit would you like, and when?'],
  }),
  goal: instructions(500).meta({
    description: 'What the step is for, told to the model.',
    examples: ['Find out which visit they want and agree on a day.'],
  }),
  prompt: instructions(8_000)
    .nullish()
    .meta({
      description: 'Further instructions for the model. `system_prompt` of the agent stands before them.',
      examples: ['Look up free visits before you name any.'],
    }),
  tools: z
    .array(toolName)
    .max(32)
    .nullish()
    .meta({
      description: 'Tools of the agent, and built-in ones, that the model may use here. Default none.',
      examples: [['find_slot']],
    }),
  collect: z
    .record(answerName, collected)
    .refine((values) => Object.keys(values).length <= 20, 'has more than 20 values')
    .nullish()
    .meta({
      description:
        'Values that the talk is to bring, by their variables. The model saves them as it hears them, and each is ' +
        'read again as an `ask` would read it; one that does not hold is refused.',
      examples: [{ day: { kind: 'date', required: true, confirm: true } }],
    }),
  exits: z.array(exit).max(20).nullish().meta({
    description:
      'Ways out, tried in order after every turn: first those that need no model, then those with `said`.',
  }),
  max_turns: z
    .int()
    .min(1)
    .max(60)
    .meta({
      description: 'How many replies of the caller are answered here; after that `otherwise` is taken.',
      examples: [12],
    }),
  max_seconds: z
    .int()
    .min(10)
    .max(3_600)
    .nullish()
    .meta({ description: 'After so long `otherwise` is taken. Default 300.', examples: [180] }),
  max_visits: z
    .int()
    .min(1)
    .max(20)
    .nullish()
    .meta({
      description: 'How often a call may come back here; after that `otherwise` is taken. Default 5.',
      examples: [5],
    }),
  otherwise: stepName.meta({
    description: 'The step to take when the talk brings nothing: too long, or the model does not answer.',
  }),
  ...stepFields,
}).meta({
  id: 'PlaybookTalk',
  description:
    'Lets the language model of the agent talk with the caller until one of the exits holds. What callers have a ' +
    'right to (no more calls, a person, who is calling, a goodbye, a moment) holds here as everywhere.',
  examples: [
    {
      kind: 'talk',
      goal: 'Find out which visit they want and agree on a day.',
      tools: ['find_slot'],
      collect: { day: { kind: 'date', required: true, confirm: true } },
      exits: [
        { when: { known: ['day'] }, next: 'reserve' },
        { when: { said: 'wants to speak to a person' }, next: 'person' },
      ],
      max_turns: 12,
      otherwise: 'person',
    },
  ],
});

export type TalkStep = z.output<typeof talkStep>;
/** A value that a talk step collects. */
export type WantedValue = NonNullable<TalkStep['collect']>[string];
/** An exit of a talk step. */
export type TalkExit = NonNullable<TalkStep['exits']>[number];
