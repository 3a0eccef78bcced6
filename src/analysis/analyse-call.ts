import { actionableItems } from './actionable-items.js';
import { QuestionTexts } from './question-texts.js';
import { UNKNOWN_INTENT, type AnalysisInput, type CallAnalysis } from './analysis.js';
import { sentimentOf } from './sentiment.js';
import { summaryOf } from './summary.js';
import winkModel from 'wink-eng-lite-web-model';
import winkNLP, { type ItsFunction } from 'wink-nlp';

/** Splits English text into sentences and finds its nouns: only these parts of the library are loaded. */
const nlp = winkNLP(winkModel, ['sbd', 'pos']);
const { its } = nlp;
// The declaration has one parameter less than wink-nlp passes.
const lemmaOf = its.lemma as unknown as ItsFunction<string>;

/** Nouns that occur in every call, and are no keywords. */
const NOUNS_OF_EVERY_CALL = new Set(
  'hello goodbye bye thanks thank please yes no okay ok sorry moment minute lot time thing way call name'.split(
    ' ',
  ),
);
const SHORTEST_KEYWORD = 3;
const MAX_KEYWORDS = 8;
/** The customer's nouns weigh more than the agent's, because the agent's are the same in every call. */
const CUSTOMER_WEIGHT = 2;
/** The intent of an opt-out. */
const NO_MORE_CALLS = 'do_not_call';

/**
 * Analyses a finished call by rules, without a language model. Only English calls get keywords, a sentiment and tasks
 * from the words; an opt-out is a task in every language.
 * Runs on the analysis thread (`analysis-thread.ts`): its dictionaries take about 140 ms to load.
 */
export function analyseCall({
  entries: allEntries,
  answeredBy,
  endedBy,
  outcome,
  language,
  askedTexts = [],
}: AnalysisInput): CallAnalysis {
  // A machine's greeting is not the customer's words.
  const entries =
    answeredBy === 'machine' ? allEntries.filter(({ speaker }) => speaker === 'agent') : allEntries;
  const customerTurns = entries.filter((entry) => entry.speaker === 'customer' && entry.text.trim() !== '');
  const isEnglish = /^en\b/i.test(language);
  const keywords = isEnglish ? keywordsOf(entries) : [];
  const items = isEnglish ? actionableItems(entries, sentencesOf, new QuestionTexts(askedTexts)) : [];
  if (outcome?.intent === NO_MORE_CALLS) items.unshift('Do not call the customer again');
  return {
    summary: summaryOf({ entries, answeredBy, endedBy, outcome, keywords, sentencesOf }),
    sentiment: isEnglish ? sentimentOf(customerTurns.map((entry) => entry.text)) : 'neutral',
    intent: outcome?.intent ?? UNKNOWN_INTENT,
    actionable_items: items,
    keywords,
    confidence_score: meanConfidence(customerTurns.map((entry) => entry.confidence)),
    resolution_achieved: outcome?.resolutionAchieved ?? null,
  };
}

/**
 * The most frequent nouns, those of the customer counted twice; the most frequent first, equally frequent ones in the
 * order of the conversation.
 */
function keywordsOf(entries: AnalysisInput['entries']): string[] {
  const weights = new Map<string, number>();
  for (const entry of entries) {
    const weight = entry.speaker === 'customer' ? CUSTOMER_WEIGHT : 1;
    for (const noun of nounsOf(entry.text)) weights.set(noun, (weights.get(noun) ?? 0) + weight);
  }
  return [...weights]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MAX_KEYWORDS)
    .map(([noun]) => noun);
}

/** The mean confidence of the recogniser, from 0 to 1 with three decimals; 0 without any words. */
function meanConfidence(confidences: readonly number[]): number {
  if (confidences.length === 0) return 0;
  const mean = confidences.reduce((sum, confidence) => sum + confidence, 0) / confidences.length;
  return Math.round(Math.max(0, Math.min(1, mean)) * 1_000) / 1_000;
}

/** Splits English text into sentences. */
function sentencesOf(text: string): string[] {
  return nlp
    .readDoc(text)
    .sentences()
    .out()
    .map((sentence) => sentence.trim());
}

/** The nouns and names of an English text in their base form, lower case, one entry per occurrence. */
function nounsOf(text: string): string[] {
  const tokens = nlp.readDoc(text).tokens();
  const lemmas = tokens.out(lemmaOf);
  const kinds = tokens.out(its.pos);
  return lemmas
    .map((lemma) => lemma.toLowerCase())
    .filter(
      (lemma, index) =>
        (kinds[index] === 'NOUN' || kinds[index] === 'PROPN') &&
        lemma.length >= SHORTEST_KEYWORD &&
        /^\p{L}[\p{L}'-]*$/u.test(lemma) &&
        !NOUNS_OF_EVERY_CALL.has(lemma),
    );
}
