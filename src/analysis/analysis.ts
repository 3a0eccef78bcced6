import { z } from 'zod';
import type { Outcome } from '#dialogue/outcome.js';

/*
 * The analysis of a finished call: its input, its result as the API shows it, and the port `Analyst`, which the calls
 * module asks after each call. Also the schema of the caller's answers, which the API shows beside it.
 */

/** The customer's sentiment, from the words only. */
export const SENTIMENTS = ['positive', 'neutral', 'negative'] as const;

/** The analysis of a call, as the event `call.transcript_ready` and the metrics of a call contain it. */
export const callAnalysis = z
  .object({
    summary: z.string().meta({ description: 'A few sentences on what happened.' }),
    sentiment: z
      .enum(SENTIMENTS)
      .meta({ description: "From the customer's words; `neutral` when they said nothing." }),
    intent: z
      .string()
      .meta({ description: 'What the customer wanted or did; `unknown` when nothing can be said.' }),
    actionable_items: z
      .array(z.string())
      .meta({ description: 'What the agent promised or the customer asked for.' }),
    keywords: z
      .array(z.string())
      .meta({ description: 'The main words of the conversation, the most important first.' }),
    confidence_score: z
      .number()
      .min(0)
      .max(1)
      .meta({ description: 'How sure the recogniser was of the customer, on average; 0 without any words.' }),
    resolution_achieved: z.boolean().nullable().meta({
      description: 'Whether the purpose of the call was achieved; null if the agent does not define one.',
    }),
  })
  .meta({
    id: 'CallAnalysis',
    description: 'What a call was about.',
    examples: [
      {
        summary: 'Ada confirmed the appointment.',
        sentiment: 'positive',
        intent: 'confirm_appointment',
        actionable_items: ['Send the customer a text message'],
        keywords: ['appointment', 'morning'],
        confidence_score: 0.93,
        resolution_achieved: true,
      },
    ],
  });
export type CallAnalysis = z.output<typeof callAnalysis>;

/** The caller's answers to the questions of a playbook, by name, in the form of the API. */
export const callAnswers = z.record(z.string(), z.string()).meta({
  description:
    'What the caller answered, by `save_as` of the question, or its name: `yes`, the value of an option, ' +
    '`2026-12-31`, `15:30`, a number in digits, E.164, or the words as they were understood, which are left out ' +
    'where `enable_transcription` is false. Empty before the call is over.',
  examples: [{ coming: 'yes', slot: 'morning', day: '2026-12-31' }],
});

/** The intent of a call whose outcome names none. */
export const UNKNOWN_INTENT = 'unknown';

/** One utterance, in the order of the conversation. */
export interface SpokenEntry {
  speaker: 'agent' | 'customer';
  text: string;
  /** The recogniser's confidence, from 0 to 1; 1 for the agent. */
  confidence: number;
}

/** The input of an analysis: a finished call. */
export interface AnalysisInput {
  entries: readonly SpokenEntry[];
  /** A machine's greeting is not counted as the customer's words. */
  answeredBy: 'person' | 'machine';
  /** The cause of the end of the conversation; missing or null if the agent ended it. */
  endedBy?: 'silence' | 'caller' | 'transfer' | null;
  /** The agent's outcome; null if unknown. */
  outcome: Omit<Outcome, 'followUp'> | null;
  /** The texts of the playbook's questions, with `{{variables}}`. The agent promises nothing in them. */
  askedTexts?: readonly string[];
  /** The language of the call (BCP 47); see `analyseCall`. */
  language: string;
}

/** The port for analysing finished calls. All adapters pass the tests of `test/contracts/analysis`. */
export interface Analyst {
  readonly name: string;
  /** Analyses a call, not on the calling thread. A call without words has an analysis, too. */
  analyse(input: AnalysisInput): Promise<CallAnalysis>;
  /** Closes the analyst; pending analyses are rejected. May be called twice. */
  close(): Promise<void>;
}
