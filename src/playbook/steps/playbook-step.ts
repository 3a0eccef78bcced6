import { LEAST_RING_SECONDS, MOST_RING_SECONDS, DEFAULT_RING_SECONDS } from '#dialogue/dialogue-manager.js';
import { z } from 'zod';
import { closedObject } from './closed-object.js';
import { expectation } from './playbook-expectation.js';
import { answerName, interruptible, spokenText, stepFields, stepName } from './step-fields.js';
import { pressStep, toolStep } from './tool-and-press-steps.js';
import { talkStep } from './talk-step.js';
import { hasBrokenVariable } from '#dialogue/variables.js';

/*
 * Schemas of the steps of a playbook. They check what a customer saves and document it in the API; the performers and
 * `PlaybookFlow` execute the parsed steps.
 */

const sayStep = closedObject({
  kind: z.literal('say'),
  text: spokenText,
  interruptible,
  next: stepName,
  ...stepFields,
}).meta({
  id: 'PlaybookSay',
  description: 'Says something, then goes on with `next`.',
  examples: [{ kind: 'say', text: 'Hello {{name}}.', next: 'ask_day' }],
});

const replyStep = closedObject({
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
}).meta({
  id: 'PlaybookReply',
  description: 'Says what fits an answer that was given before, then goes on with `next`.',
  examples: [
    { kind: 'reply', to: 'slot', texts: { either: 'Any time, then.' }, text: 'Good.', next: 'thank' },
  ],
});

const askStep = closedObject({
  kind: z.literal('ask'),
  text: spokenText,
  interruptible,
  expect: expectation,
  save_as: answerName.nullish(),
  confirm: spokenText.nullish().meta({
    description:
      'Read back before the answer counts, for what must not be misheard. "Yes" accepts it, "no" ' +
      'asks again, "no, I said Tuesday" corrects it. Not for `yes_no`.',
    examples: ['That is {{day}}, right?'],
  }),
  answers: z
    .record(z.string().min(1).max(64), stepName)
    .nullish()
    .meta({
      description:
        'The next step by answer: `yes`, `no`, or the value of an option. With `unsure`, "maybe" and "I do not know yet" ' +
        'answer a `yes_no`, too; without it the question is put again.',
      examples: [{ yes: 'confirmed', no: 'declined' }],
    }),
  next: stepName.nullish().meta({ description: 'The next step for answers that are not in `answers`.' }),
  retry: z
    .array(spokenText)
    .max(5)
    .nullish()
    .meta({
      description: 'Other wordings of the question, used in turn when the answer was not understood.',
      examples: [['Sorry, will you come: yes or no?']],
    }),
  max_attempts: z
    .int()
    .min(1)
    .max(8)
    .nullish()
    .meta({
      description:
        'How often the question is put before `otherwise` is taken. Default 3, or more when `retry` has more words.',
      examples: [3],
    }),
  max_visits: z
    .int()
    .min(1)
    .max(20)
    .nullish()
    .meta({
      description:
        'How often a call may come back to this question in a circle; after that `otherwise` is taken. Default 5.',
      examples: [5],
    }),
  otherwise: stepName.meta({ description: 'The step to take when no answer was understood.' }),
  ...stepFields,
}).meta({
  id: 'PlaybookAsk',
  description:
    'Asks a question and continues according to the answer. The answer to the previous question ' +
    'can still be corrected here: "no, I said Tuesday".',
  examples: [
    {
      kind: 'ask',
      text: 'Which day suits you?',
      expect: { kind: 'date', earliest: 'today+1' },
      save_as: 'day',
      confirm: 'That is {{day}}, right?',
      next: 'ask_time',
      retry: ['Please name a day, such as next Tuesday.'],
      otherwise: 'not_understood',
    },
  ],
});

/** One case of a `branch`. */
const branchCase = closedObject({
  variable: answerName.meta({ description: 'An answer, or a variable of the call.', examples: ['rating'] }),
  is: z
    .array(
      z
        .string()
        .min(1)
        .max(120)
        .refine((text) => !hasBrokenVariable(text), 'holds braces that make no variable such as {{name}}'),
    )
    .min(1)
    .max(20)
    .nullish()
    .meta({
      description:
        'Holds for these values. They may hold variables: `{{birth_date}}` compares an answer with what the call knows; ' +
        'a variable without a value is equal to nothing.',
      examples: [['morning']],
    }),
  at_least: z
    .union([z.number(), z.string().min(1).max(40)])
    .nullish()
    .meta({ description: 'Holds from here on: a number, a day or a time.', examples: [9] }),
  at_most: z
    .union([z.number(), z.string().min(1).max(40)])
    .nullish()
    .meta({ description: 'Holds up to here.', examples: [6] }),
  known: z
    .boolean()
    .nullish()
    .meta({ description: 'Whether there is a value.', examples: [true] }),
  next: stepName,
}).meta({
  id: 'PlaybookCase',
  description: 'Where to go when all that is said of a variable holds.',
  examples: [{ variable: 'rating', at_least: 9, next: 'promoter' }],
});

const branchStep = closedObject({
  kind: z.literal('branch'),
  cases: z.array(branchCase).min(1).max(20).meta({ description: 'The first one that holds is taken.' }),
  next: stepName.meta({ description: 'The step to take when none holds.' }),
  ...stepFields,
}).meta({
  id: 'PlaybookBranch',
  description: 'Says nothing and continues according to the variables.',
  examples: [
    { kind: 'branch', cases: [{ variable: 'rating', at_least: 9, next: 'promoter' }], next: 'thank' },
  ],
});

const setStep = closedObject({
  kind: z.literal('set'),
  variables: z
    .record(answerName, spokenText)
    .refine((variables) => Object.keys(variables).length > 0, 'names no variable')
    .meta({ description: 'Values by variable.', examples: [{ appointment: '{{day}} at {{time}}' }] }),
  next: stepName,
  ...stepFields,
}).meta({
  id: 'PlaybookSet',
  description: 'Fills variables, then goes on with `next`.',
  examples: [{ kind: 'set', variables: { appointment: '{{day}} at {{time}}' }, next: 'thank' }],
});

const endStep = closedObject({ kind: z.literal('end'), text: spokenText.nullish(), ...stepFields }).meta({
  id: 'PlaybookEnd',
  description: 'Says its closing words, if any, and hangs up.',
  examples: [{ kind: 'end', text: 'Thank you. Goodbye.', resolution_achieved: true }],
});

const transferStep = closedObject({
  kind: z.literal('transfer'),
  mode: z
    .enum(['cold', 'warm'])
    .nullish()
    .meta({
      description:
        '`cold`: the caller is handed over at once. Default. `warm`: the caller is on hold while the person is called, told the briefing and asked whether they take the call.',
      examples: ['warm'],
    }),
  text: spokenText.nullish(),
  to: z
    .string()
    .trim()
    .min(1)
    .max(80)
    .meta({
      description: 'A phone number (E.164), or a variable that holds one.',
      examples: ['+14155550100'],
    }),
  briefing: spokenText.nullish().meta({
    description:
      'What the person of a warm transfer is told. Without it, what a language model makes of the talk so far.',
    examples: ['{{name}} wants to move a visit.'],
  }),
  ring_seconds: z
    .int()
    .min(LEAST_RING_SECONDS)
    .max(MOST_RING_SECONDS)
    .nullish()
    .meta({
      description: `How long the phone of a warm transfer rings. Default ${DEFAULT_RING_SECONDS}.`,
      examples: [30],
    }),
  stay: z
    .boolean()
    .nullish()
    .meta({
      description:
        'Whether the agent goes on with `next` when the person of a warm transfer has hung up. Else the call ends then.',
      examples: [true],
    }),
  next: stepName.nullish().meta({ description: 'The step after that, with `stay`.', examples: ['goodbye'] }),
  otherwise: stepName.nullish().meta({
    description:
      'The step to take when the variable holds no phone number, and when the call cannot be connected. Without ' +
      'it a call that cannot be connected ends with a goodbye.',
  }),
  ...stepFields,
}).meta({
  id: 'PlaybookTransfer',
  description:
    'Says its words, if any, and hands the caller over to somebody else: the call ends as `transferred`. Where the ' +
    'carrier cannot or does not, or the person does not take the call, the agent says so (`not_connected` of `wording`) ' +
    'and goes on with `otherwise`.',
  examples: [
    {
      kind: 'transfer',
      mode: 'warm',
      text: 'One moment please.',
      to: '+14155550100',
      briefing: '{{name}} wants to move a visit.',
      otherwise: 'call_back',
    },
  ],
});

const suppressStep = closedObject({
  kind: z.literal('suppress'),
  text: spokenText.nullish(),
  ...stepFields,
}).meta({
  id: 'PlaybookSuppress',
  description:
    'Says its closing words, if any, hangs up, and sees to it that the number is not called again. Callers who ask ' +
    'for that ("do not call me again") are understood at every question, without such a step.',
  examples: [{ kind: 'suppress', text: 'You will not hear from us again. Goodbye.' }],
});

const callBackStep = closedObject({
  kind: z.literal('call_back'),
  text: spokenText.nullish(),
  date: answerName.nullish().meta({
    description:
      'The answer that holds the day. Without a time: at the time of day of this call, or today in an hour.',
    examples: ['day'],
  }),
  time: answerName.nullish().meta({
    description: 'The answer that holds the time. Without a day: the next time that it is so late.',
    examples: ['time'],
  }),
  ...stepFields,
}).meta({
  id: 'PlaybookCallBack',
  description:
    'Says its closing words, if any, hangs up, and plans another call at the time agreed on, in the time zone of ' +
    'the callee. Without a time no call is planned; the wish is kept with the call. A time that has passed ("today at ' +
    'ten", at noon) is not agreed on: the agent says so (`time_passed` of `wording`) and asks for the day again.',
  examples: [{ kind: 'call_back', text: 'I will call you on {{day}}. Goodbye.', date: 'day', time: 'time' }],
});

/** The schema of any step, by its `kind`. */
export const step = z
  .discriminatedUnion('kind', [
    sayStep,
    replyStep,
    askStep,
    talkStep,
    toolStep,
    pressStep,
    branchStep,
    setStep,
    endStep,
    transferStep,
    suppressStep,
    callBackStep,
  ])
  .meta({ id: 'PlaybookStep', description: 'One step of a conversation.' });

export type PlaybookStep = z.output<typeof step>;
export type AskStep = z.output<typeof askStep>;
export type BranchCase = z.output<typeof branchCase>;
export type { PressStep, ToolStep } from './tool-and-press-steps.js';
export type { TalkExit, TalkStep } from './talk-step.js';
export type { PlaybookExpectation } from './playbook-expectation.js';
