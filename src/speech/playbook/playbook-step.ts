import { z } from 'zod';
import { hasBrokenVariable } from './variables.js';

/** The name of a step. */
export const stepName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, 'is not a name such as ask_slot: small letters, digits and _, at most 64')
  .meta({ description: 'The name of a step: small letters, digits and `_`.', examples: ['ask_slot'] });

const answerName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, 'is not a name such as slot: small letters, digits and _, at most 64')
  .meta({ description: 'The variable that keeps the answer.', examples: ['slot'] });

const spokenText = z
  .string()
  .trim()
  .min(1)
  .max(1_000)
  .refine((text) => !hasBrokenVariable(text), 'holds braces that make no variable such as {{name}}')
  .meta({
    description:
      'Words to say. `{{name}}` is replaced by the value of that variable, `{{name|there}}` by `there` when the ' +
      'value is not known.',
    examples: ['Hello {{name}}, is now a good time?'],
  });

/** Fields that every kind of step may carry. */
const stepFields = {
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

const interruptible = z
  .boolean()
  .nullish()
  .meta({ description: 'Whether the caller may speak over it. Default true.', examples: [true] });

const sayStep = z
  .object({ kind: z.literal('say'), text: spokenText, interruptible, next: stepName, ...stepFields })
  .meta({ id: 'PlaybookSay', description: 'Says something, then goes on with `next`.' });

const replyStep = z
  .object({
    kind: z.literal('reply'),
    to: answerName.meta({
      description: 'The answer (`save_as`) that decides what is said.',
      examples: ['slot'],
    }),
    texts: z.record(z.string().min(1).max(64), spokenText).meta({
      description: 'What is said, by the value of the answer.',
      examples: [{ morning: 'Morning it is.' }],
    }),
    text: spokenText.nullish().meta({ description: 'What is said for any other value; nothing without it.' }),
    interruptible,
    next: stepName,
    ...stepFields,
  })
  .meta({
    id: 'PlaybookReply',
    description: 'Says what fits an answer that was given before, then goes on with `next`.',
  });

const choiceOption = z
  .object({
    value: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_]{0,63}$/, 'is not a value such as morning: small letters, digits and _')
      .meta({ description: 'What is kept as the answer.', examples: ['morning'] }),
    phrases: z
      .array(z.string().trim().min(1).max(80))
      .min(1)
      .max(30)
      .meta({
        description: 'What callers say when they mean it.',
        examples: [['morning', 'before noon', 'early']],
      }),
  })
  .meta({ id: 'PlaybookOption', description: 'One answer to choose.' });

const ownPhrases = z
  .array(z.string().trim().min(1).max(80))
  .max(30)
  .meta({ description: 'Further phrases with this meaning.', examples: [['cancel', 'call it off']] });

const expectation = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('yes_no'), yes: ownPhrases.nullish(), no: ownPhrases.nullish() }).meta({
      title: 'Yes or no',
      description:
        'Yes or no, in whatever words. The answer is `yes` or `no`. The lists name further phrases that mean yes ' +
        'or no to this question only.',
    }),
    z
      .object({ kind: z.literal('choice'), options: z.array(choiceOption).min(2).max(20) })
      .meta({ title: 'Choice', description: 'One of a few things. The answer is the value of the option.' }),
    z.object({ kind: z.literal('anything') }).meta({
      title: 'Anything',
      description: 'Free speech, kept as it was understood. `answers` may still treat `yes` and `no` apart.',
    }),
  ])
  .meta({ id: 'PlaybookExpectation', description: 'What the agent hopes to hear.' });

const askStep = z
  .object({
    kind: z.literal('ask'),
    text: spokenText,
    interruptible,
    expect: expectation,
    save_as: answerName.nullish(),
    answers: z
      .record(z.string().min(1).max(64), stepName)
      .nullish()
      .meta({
        description: 'The next step by answer: `yes`, `no`, or the value of an option.',
        examples: [{ yes: 'confirmed', no: 'declined' }],
      }),
    next: stepName.nullish().meta({ description: 'The next step for answers that are not in `answers`.' }),
    retry: z
      .array(spokenText)
      .max(5)
      .nullish()
      .meta({
        description: 'Other words for the question, one after the other, when the answer was not understood.',
        examples: [['Sorry, will you come: yes or no?']],
      }),
    max_attempts: z
      .int()
      .min(1)
      .max(5)
      .nullish()
      .meta({
        description: 'How often the question is put before `otherwise` is taken. Default 3.',
        examples: [3],
      }),
    otherwise: stepName.meta({ description: 'The step to take when no answer was understood.' }),
    ...stepFields,
  })
  .meta({ id: 'PlaybookAsk', description: 'Asks something and goes on as the answer says.' });

const endStep = z
  .object({ kind: z.literal('end'), text: spokenText.nullish(), ...stepFields })
  .meta({ id: 'PlaybookEnd', description: 'Says its closing words, if any, and hangs up.' });

export const step = z
  .discriminatedUnion('kind', [sayStep, replyStep, askStep, endStep])
  .meta({ id: 'PlaybookStep', description: 'One step of a conversation.' });

export const wording = z
  .object({
    not_understood: spokenText.nullish().meta({ description: 'Before a question that was not understood.' }),
    still_there: spokenText.nullish().meta({ description: 'To a caller who says nothing.' }),
    cannot_hear: spokenText.nullish().meta({ description: 'To a caller who still says nothing.' }),
    who: spokenText.nullish().meta({ description: 'To a caller who asks who is calling, and why.' }),
    goodbye: spokenText.nullish().meta({ description: 'To a caller who says goodbye.' }),
    do_not_call: spokenText.nullish().meta({ description: 'To a caller who wants no more calls.' }),
    later: spokenText.nullish().meta({ description: 'To a caller who wants to talk another time.' }),
    hold: spokenText.nullish().meta({ description: 'To a caller who asks for a moment.' }),
    wrong_number: spokenText.nullish().meta({ description: 'To a caller who is somebody else.' }),
  })
  .meta({
    id: 'PlaybookWording',
    description: 'Sentences that belong to no step. Without them the agent uses its own, in English.',
    examples: [{ goodbye: 'Thank you for your time. Goodbye.' }],
  });

export type PlaybookStep = z.output<typeof step>;
export type PlaybookExpectation = z.output<typeof expectation>;
export type AskStep = z.output<typeof askStep>;
export type Wording = z.output<typeof wording>;
