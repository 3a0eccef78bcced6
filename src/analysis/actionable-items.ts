import { isCallBackRequested } from '#playbook/contact-preferences/call-back-request.js';
import { matches, toMatchText } from '#language/phrasing.js';
import { wordsOf } from '#language/words.js';
import type { SpokenEntry } from './analysis.js';
import {
  CALL_WISHES,
  CONDITIONAL,
  IMPERATIVES,
  NO_REQUEST,
  PROMISES,
  REQUESTS,
  type ActionPhrasing,
} from './action-phrasings.js';
import { QuestionTexts } from './question-texts.js';

/** The most tasks of a call, and the most characters of a task. */
const MAX_ITEMS = 10;
const MAX_ITEM_LENGTH = 200;

/**
 * The tasks that remain after a call: the agent's promises and the customer's requests, as instructions that name the
 * customer in the third person ("Send the customer a copy"). English only. `analyseCall` uses it.
 * @param sentencesOf splits a text into sentences
 * @param questions the questions of the playbook, in which the agent promises nothing
 */
export function actionableItems(
  entries: readonly SpokenEntry[],
  sentencesOf: (text: string) => string[],
  questions: Pick<QuestionTexts, 'has'> = new QuestionTexts([]),
): string[] {
  const items = new Map<string, string>();
  for (const entry of entries) {
    for (const sentence of sentencesOf(entry.text.replace(/[\u2018\u2019]/g, "'"))) {
      if (entry.speaker === 'agent' && questions.has(sentence)) continue;
      const action = taskIn(sentence, entry.speaker);
      if (action && !items.has(action.toLowerCase())) items.set(action.toLowerCase(), action);
    }
  }
  return [...items.values()].slice(0, MAX_ITEMS);
}

/** The task in one sentence; null if the sentence contains none. */
function taskIn(sentence: string, speaker: SpokenEntry['speaker']): string | null {
  const spoken = new SpokenSentence(sentence);
  if (speaker === 'agent') {
    const promised = spoken.find(PROMISES, (head) => !matches(CONDITIONAL, head));
    return promised === null ? null : asInstruction(promised, 'you', 'your');
  }
  const requested = spoken.find(REQUESTS, (head) => !matches(NO_REQUEST, head)) ?? requestedCall(spoken);
  return requested === null ? null : asInstruction(requested, 'me', 'my');
}

/** The request for another call in a sentence; null for "don't call me again" and "you said you would call me back". */
function requestedCall(spoken: SpokenSentence): string | null {
  return spoken.find([{ ways: CALL_WISHES, begins: 'behind' }], (head, wish) =>
    // Three words are the wish itself: "call me back".
    isCallBackRequested(wordsOf(head), wordsOf(wish).slice(0, 3)),
  );
}

/**
 * The words of an action as an instruction: "send me a copy" becomes "Send the customer a copy".
 * @param person the word for the customer in the sentence: "me" or "you"
 * @param owner the word for what belongs to the customer: "my" or "your"
 */
function asInstruction(action: string, person: string, owner: string): string {
  const instruction = action
    .replace(/\byou'll\b/gi, 'you will')
    .replace(/^\w+/, (verb) => IMPERATIVES[verb.toLowerCase()] ?? verb)
    .replace(new RegExp(`\\b${person}\\b`, 'gi'), 'the customer')
    .replace(new RegExp(`\\b${owner}\\b`, 'gi'), (_owner: string, at: number, whole: string) =>
      // "The customer" is said once; a later "my" is "their".
      whole.slice(0, at).includes('the customer') ? 'their' : "the customer's",
    )
    // "Thank you" may have become "thank the customer" above.
    .replace(/[\s,]+(?:please|thanks|thank the customer|thank you|okay|goodbye|bye)*[\s,]*$/i, '')
    .trim();
  const cut =
    instruction.length > MAX_ITEM_LENGTH ? `${instruction.slice(0, MAX_ITEM_LENGTH - 1)}…` : instruction;
  return cut.charAt(0).toUpperCase() + cut.slice(1);
}

/** The text up to the end of a clause. */
const CLAUSE = /^[^.!?;]*/;

/**
 * A sentence of a transcript. Phrasings match its words in their plain form; results are the text as it was written,
 * with capitals and punctuation.
 */
class SpokenSentence {
  readonly #text: string;
  readonly #words: string;
  /** The start of each word in `#text`, by its start in `#words`. */
  readonly #places = new Map<number, number>();

  constructor(text: string) {
    this.#text = text;
    let words = '';
    for (const { 0: written, index } of text.matchAll(/\S+/g)) {
      this.#places.set(words.length, index);
      words += toMatchText(wordsOf(written));
    }
    this.#words = words;
  }

  /**
   * The first action that one of the phrasings announces, up to the end of its clause ("send me a copy"); null if there
   * is none.
   * @param isMeant true if a match counts, by the words before it and the words from the action on
   */
  find(
    phrasings: readonly ActionPhrasing[],
    isMeant: (head: string, action: string) => boolean,
  ): string | null {
    for (const { ways, begins, lead = '' } of phrasings) {
      for (const match of this.#words.matchAll(ways)) {
        const at = begins === 'with' ? match.index : match.index + match[0].length;
        const textStart = this.#places.get(at);
        const counts =
          textStart !== undefined && isMeant(this.#words.slice(0, match.index), this.#words.slice(at));
        if (counts) return lead + CLAUSE.exec(this.#text.slice(textStart))![0];
      }
    }
    return null;
  }
}
