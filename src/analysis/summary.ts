import { type AnalysisInput, type SpokenEntry, UNKNOWN_INTENT, type CallAnalysis } from './analysis.js';

/** The most sentences of the customer in a summary. */
const MAX_QUOTES = 2;
/** Shorter sentences are not quoted: they are answers, which the outcome contains. */
const SHORTEST_QUOTE_WORDS = 5;
/** The most characters of an answer in a summary, and of the whole summary. */
const MAX_ANSWER_LENGTH = 120;
const MAX_SUMMARY_LENGTH = 1_000;

const NOTHING_SAID = 'Nothing was said.';
const MACHINE_PICKED_UP = 'An answering machine picked up.';

/**
 * The summary of a call in a few English sentences: the outcome in the words of the playbook's author (`summary` of a
 * step), answers that it does not contain, the customer's sentences with the most keywords, and how the call ended.
 * Used by `analyseCall`.
 */
export function summaryOf(input: {
  entries: readonly SpokenEntry[];
  answeredBy: AnalysisInput['answeredBy'];
  endedBy?: AnalysisInput['endedBy'];
  outcome: AnalysisInput['outcome'];
  keywords: readonly string[];
  sentencesOf: (text: string) => string[];
}): string {
  const { entries, outcome } = input;
  if (input.answeredBy === 'machine') return machineSummary(entries.at(-1)?.text ?? '');
  if (entries.length === 0) return NOTHING_SAID;
  const customerSpoke = entries.some((entry) => entry.speaker === 'customer' && entry.text.trim() !== '');
  const parts = customerSpoke
    ? [openingSentence(outcome), answersOf(outcome), quotesOf(input), endingOf(input)]
    : [outcome?.summary ? withFullStop(outcome.summary) : '', summaryWithoutCustomer(entries)];
  const summary = parts.filter((part) => part !== '').join(' ');
  return shortened(summary || 'Agent and customer spoke with each other.');
}

/** The summary of a call in which no words of the customer were understood. */
function summaryWithoutCustomer(entries: readonly SpokenEntry[]): string {
  return entries.some((entry) => entry.speaker === 'customer')
    ? 'The customer spoke but could not be understood.'
    : 'Only the agent spoke; the customer said nothing.';
}

/** A sentence on how the call ended. A hang-up or transfer is mentioned only without a summary of the author. */
function endingOf({ endedBy, outcome }: Pick<AnalysisInput, 'endedBy' | 'outcome'>): string {
  if (endedBy === 'silence') return 'Then the customer no longer answered.';
  if (outcome?.summary) return '';
  if (endedBy === 'transfer') return 'The customer was handed over to somebody else.';
  return endedBy === 'caller' ? 'Then the customer hung up.' : '';
}

function shortened(summary: string): string {
  return summary.length > MAX_SUMMARY_LENGTH ? `${summary.slice(0, MAX_SUMMARY_LENGTH - 1)}…` : summary;
}

/** The summary of a call to an answering machine: the agent's last words show whether it left a message. */
function machineSummary(lastWords: string): string {
  return lastWords === ''
    ? MACHINE_PICKED_UP
    : shortened(`${MACHINE_PICKED_UP} The agent said: “${withFullStop(lastWords)}”`);
}

/** The first sentence: the author's summary, else the intent; empty without both. */
function openingSentence(outcome: AnalysisInput['outcome']): string {
  if (outcome?.summary) return withFullStop(outcome.summary);
  return outcome?.intent ? `The call was about: ${outcome.intent.replaceAll('_', ' ')}.` : '';
}

/** True if a text contains an answer as whole words: "no" is not found in "note", nor 2 in "23rd". */
function containsAnswer(summary: string, answer: string): boolean {
  const pattern = answer.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, 'iu').test(summary);
}

/** A sentence with the answers that the author's summary does not contain; empty if there are none. */
function answersOf(outcome: AnalysisInput['outcome']): string {
  const summary = outcome?.summary ?? '';
  const answers = Object.entries(outcome?.answers ?? {})
    .map(([name, answer]) => ({ name, answer, said: inOneLine(outcome?.said?.[name] ?? answer) }))
    .filter(
      ({ answer, said }) => !containsAnswer(summary, said) && !containsAnswer(summary, inOneLine(answer)),
    )
    .map(({ name, said }) => `${name.replaceAll('_', ' ')}: ${said.slice(0, MAX_ANSWER_LENGTH)}`);
  return answers.length === 0 ? '' : `Answers: ${answers.join('; ')}.`;
}

/** The customer's sentences with the most keywords, in the order of the conversation; empty if there are none. */
function quotesOf(input: Parameters<typeof summaryOf>[0]): string {
  const summary = input.outcome?.summary ?? '';
  const sentences = input.entries
    .filter((entry) => entry.speaker === 'customer')
    .flatMap((entry) => input.sentencesOf(entry.text))
    .map(inOneLine)
    .map((text, order) => ({ text, order, score: scoreOf(text, input.keywords) }))
    .filter(
      ({ text, score }) =>
        score > 0 && text.split(/\s+/).length >= SHORTEST_QUOTE_WORDS && !summary.includes(text),
    )
    .sort((a, b) => b.score - a.score || a.order - b.order)
    .slice(0, MAX_QUOTES)
    .sort((a, b) => a.order - b.order);
  return sentences.length === 0
    ? ''
    : `The customer said: ${sentences.map(({ text }) => `“${withFullStop(text)}”`).join(' ')}`;
}

/** The weight of a sentence by its keywords; earlier keywords weigh more. */
function scoreOf(sentence: string, keywords: readonly string[]): number {
  const words = sentence.toLowerCase();
  return keywords.reduce(
    (score, word, rank) => (words.includes(word) ? score + keywords.length - rank : score),
    0,
  );
}

/** A text without line breaks: typed answers may have them, and the author's summary does not. */
function inOneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

function withFullStop(sentence: string): string {
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}

/**
 * The analysis of a call in which nothing was said. It is the same for all of these calls, so the end of a call stores
 * it at once, and no analyst is asked.
 */
export function analysisOfSilence(answeredBy: AnalysisInput['answeredBy']): CallAnalysis {
  return {
    summary: answeredBy === 'machine' ? MACHINE_PICKED_UP : NOTHING_SAID,
    sentiment: 'neutral',
    intent: UNKNOWN_INTENT,
    actionable_items: [],
    keywords: [],
    confidence_score: 0,
    resolution_achieved: null,
  };
}
