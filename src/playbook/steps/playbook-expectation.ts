import { z } from 'zod';
import { closedObject } from './closed-object.js';
import { isSupportedCountry } from 'libphonenumber-js/max';

/* Schemas of the answers that a question of a playbook can expect (`expect`), one for each kind of answer. */

const choiceOption = closedObject({
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
}).meta({ id: 'PlaybookOption', description: 'One answer to choose.' });

/** Phrases that mean yes (or no) to one question only. */
const ownPhrases = z
  .array(z.string().trim().min(1).max(80))
  .max(30)
  .meta({ description: 'Further phrases with this meaning.', examples: [['cancel', 'call it off']] });

/** A first or last day: `today`, `today+14`, `2026-12-31`. */
const dayBound = z
  .string()
  .regex(/^(?:today(?:[+-]\d{1,4})?|\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))$/, {
    error: 'is no day such as today, today+14 or 2026-12-31',
    abort: true,
  })
  .refine(
    (bound) => bound.startsWith('today') || z.iso.date().safeParse(bound).success,
    'is a day that no calendar has',
  )
  .nullish();

/** A first or last time of day, `HH:MM`. */
const timeBound = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'is no time such as 08:30')
  .nullish();

const yesNo = closedObject({
  kind: z.literal('yes_no'),
  yes: ownPhrases.nullish(),
  no: ownPhrases.nullish(),
}).meta({
  title: 'Yes or no',
  description:
    'Yes or no, in whatever words; the key 1 is yes, 2 is no. The answer is `yes` or `no`. The lists name further ' +
    'phrases that mean yes or no to this question only.',
  examples: [{ kind: 'yes_no', no: ['cancel', 'call it off'] }],
});

const choice = closedObject({
  kind: z.literal('choice'),
  options: z.array(choiceOption).min(2).max(20).meta({ description: 'The answers to choose from.' }),
}).meta({
  title: 'Choice',
  description:
    'One of a few things. The answer is the value of the option. The key 1 is the first one, 2 the second.',
  examples: [
    {
      kind: 'choice',
      options: [
        { value: 'morning', phrases: ['morning', 'before noon'] },
        { value: 'afternoon', phrases: ['afternoon', 'after lunch'] },
      ],
    },
  ],
});

const date = closedObject({
  kind: z.literal('date'),
  earliest: dayBound.meta({
    description: 'The first day that counts. Default `today` when `latest` is not in the past.',
    examples: ['today+1'],
  }),
  latest: dayBound.meta({ description: 'The last day that counts.', examples: ['today+60'] }),
}).meta({
  title: 'Date',
  description:
    'A day: "tomorrow", "next Tuesday", "the 24th", "a week from Monday", "March 1st 1980". The answer is ' +
    '`YYYY-MM-DD`; in texts it is said as "Tuesday, November 24th". Days are those of the time zone of the call.',
  examples: [{ kind: 'date', earliest: 'today+1', latest: 'today+60' }],
});

const time = closedObject({
  kind: z.literal('time'),
  earliest: timeBound.meta({ description: 'The first time that counts.', examples: ['08:00'] }),
  latest: timeBound.meta({ description: 'The last time that counts.', examples: ['17:30'] }),
}).meta({
  title: 'Time',
  description:
    'A time of day: "half past three", "ten a.m.", "quarter to four". The answer is `HH:MM`; in texts it is said ' +
    'as "3:30 PM". Where a caller leaves morning or afternoon open, the limits decide, else the usual hours.',
  examples: [{ kind: 'time', earliest: '08:00', latest: '17:30' }],
});

const number = closedObject({
  kind: z.literal('number'),
  min: z
    .number()
    .min(-1e9)
    .max(1e9)
    .nullish()
    .meta({ description: 'The smallest that counts.', examples: [0] }),
  max: z
    .number()
    .min(-1e9)
    .max(1e9)
    .nullish()
    .meta({ description: 'The largest that counts.', examples: [10] }),
  whole: z
    .boolean()
    .nullish()
    .meta({ description: 'Whether it must be whole. Default true.', examples: [true] }),
}).meta({
  title: 'Number',
  description:
    'A number: "nine", "forty two", "two thousand and five", "three and a half", or keyed in. The answer is written ' +
    'in digits. ' +
    'The narrower the limits, the better it is heard.',
  examples: [{ kind: 'number', min: 0, max: 10 }],
});

const phoneNumber = closedObject({
  kind: z.literal('phone_number'),
  region: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .refine(isSupportedCountry, 'is no country such as US')
    .nullish()
    .meta({
      description:
        "The country whose numbers are said as they are there. Default: that of the agent's language.",
      examples: ['US'],
    }),
}).meta({
  title: 'Phone number',
  description:
    'A phone number, digit by digit, with "double seven", "oh" and corrections, or keyed in. The answer is E.164, or ' +
    'the bare digits where no country is known.',
  examples: [{ kind: 'phone_number', region: 'US' }],
});

const name = closedObject({
  kind: z.literal('name'),
  likely: z
    .array(z.string().trim().min(1).max(80))
    .max(50)
    .nullish()
    .meta({
      description: 'Names that are likely; they are heard best. May hold variables.',
      examples: [['{{name}}', 'Ada Lovelace']],
    }),
}).meta({
  title: 'Name',
  description:
    'The name of a person, said or spelled. The built-in recogniser knows common English names, and the likely ones.',
  examples: [{ kind: 'name', likely: ['{{name}}'] }],
});

const anything = closedObject({ kind: z.literal('anything') }).meta({
  title: 'Anything',
  description: 'Free speech, kept as it was understood. `answers` may still treat `yes` and `no` apart.',
  examples: [{ kind: 'anything' }],
});

/** The answer that an `ask` step expects; values to collect in a `talk` step extend these kinds. */
export const expectation = z
  .discriminatedUnion('kind', [yesNo, choice, date, time, number, phoneNumber, name, anything])
  .meta({ id: 'PlaybookExpectation', description: 'What the agent hopes to hear.' });

export type PlaybookExpectation = z.output<typeof expectation>;
