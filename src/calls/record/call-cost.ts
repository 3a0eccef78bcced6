import { z } from 'zod';

// The schemas of the usage and the cost of a call: columns of its row (`CallRow`) and fields of the API. Hearing is
// speech recognition, thinking is language models, speaking is voices.

const usedUnits = (description: string) => z.number().nullable().meta({ description });

/** What a call has used of one language model; a count is null unless all requests were counted. */
export const ModelUse = z.object({
  provider: z.string().meta({ description: 'The provider of the model.' }),
  model: z.string().meta({ description: 'The name of the model.' }),
  requests: z.int().meta({ description: 'How often it was asked.' }),
  input_tokens: usedUnits('Tokens of what it was given; null where the provider did not count them.'),
  cached_input_tokens: usedUnits('Those of them that it had cached; null where they were not counted.'),
  output_tokens: usedUnits('Tokens of its answers; null where they were not counted.'),
});
export type ModelUse = z.output<typeof ModelUse>;

/** What a call has used of one voice model. */
export const SpeakingUse = z.object({
  provider: z.string().meta({ description: 'The provider of the voice.' }),
  model: z.string().nullable().meta({ description: 'Its model, or its voice where that is the model.' }),
  sentences: z.int().meta({ description: 'How often it was asked.' }),
  characters: usedUnits(
    'Characters that it was given; those of sentences that were kept from before are none.',
  ),
  sound_seconds: usedUnits('How long it spoke.'),
});
export type SpeakingUse = z.output<typeof SpeakingUse>;

/** What a call has used of one speech recogniser. */
export const HearingUse = z.object({
  provider: z.string().meta({ description: 'The recogniser.' }),
  model: z.string().nullable().meta({ description: 'Its model, where it is known.' }),
  sound_seconds: usedUnits('Sound that it was given; null where that was not counted.'),
});
export type HearingUse = z.output<typeof HearingUse>;

/** What a call has used, leg by leg, in the units of its providers. */
export const CallUsage = z
  .object({
    carrier: z
      .object({
        provider: z.string().meta({ description: 'The carrier.' }),
        seconds: z.int().meta({ description: 'From being answered to the end.' }),
      })
      .meta({ description: 'The line.' }),
    hearing: z.array(HearingUse).meta({ description: 'By recogniser.' }),
    thinking: z.array(ModelUse).meta({ description: 'By language model.' }),
    speaking: z.array(SpeakingUse).meta({ description: 'By voice provider and model.' }),
    tools: z.int().meta({ description: 'How often tools were called.' }),
  })
  .meta({ id: 'CallUsageByLeg', description: 'What a call has used, in the units of its providers.' });
export type CallUsage = z.output<typeof CallUsage>;

const legCost = (what: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `What ${what} cost, in US dollars; null where that is not known.` });

/** What a call has cost. */
export const CallCost = z
  .object({
    total_usd: z
      .number()
      .nullable()
      .meta({ description: 'All legs together; null while one of them is not known.' }),
    carrier_usd: legCost('the line'),
    hearing_usd: legCost('recognition'),
    thinking_usd: legCost('language models'),
    speaking_usd: legCost('voices'),
    is_complete: z.boolean().meta({ description: 'Whether every leg is known.' }),
  })
  .meta({
    id: 'CallCost',
    description: 'What a call has cost, leg by leg; what is not known is null, never 0.',
  });
export type CallCost = z.output<typeof CallCost>;
