import { isCallBackRequested } from '#playbook/contact-preferences/call-back-request.js';
import { isSaid } from '#language/phrasing.js';
import { wordsOf } from '#language/words.js';
import type { SpokenEntry } from './analysis.js';
import { CALL_WISHES, CONDITIONAL, IMPERATIVES, NO_REQUEST, PROMISES, REQUESTS } from './action-phrasings.js';
import { AskedTexts } from './asked-texts.js';
import { SpokenSentence } from './spoken-sentence.js';

const MAX_ITEMS = 10;
const MAX_ITEM_LENGTH = 200;

/**
 * Tasks after the call: the agent's promises and the customer's requests, as instructions, with the customer in the
 * third person.
 * @param sentencesOf cuts a text into sentences
 * @param asked sentences of questions, in which the agent promises nothing
 */
export function actionableItems(
  entries: readonly SpokenEntry[],
  sentencesOf: (text: string) => string[],
  asked: Pick<AskedTexts, 'has'> = new AskedTexts([]),
): string[] {
  const items = new Map<string, string>();
  for (const entry of entries) {
    for (const sentence of sentencesOf(entry.text.replace(/[\u2018\u2019]/g, "'"))) {
      if (entry.speaker === 'agent' && asked.has(sentence)) continue;
      const action = actionIn(sentence, entry.speaker);
      if (action && !items.has(action.toLowerCase())) items.set(action.toLowerCase(), action);
    }
  }
  return [...items.values()].slice(0, MAX_ITEMS);
}

function actionIn(sentence: string, speaker: SpokenEntry['speaker']): string | null {
  const spoken = new SpokenSentence(sentence);
  if (speaker === 'agent') {
    const promised = spoken.find(PROMISES, (head) => !isSaid(CONDITIONAL, head));
    return promised === null ? null : asInstruction(promised, 'you', 'your');
  }
  const asked = spoken.find(REQUESTS, (head) => !isSaid(NO_REQUEST, head)) ?? wishedCall(spoken);
  return asked === null ? null : asInstruction(asked, 'me', 'my');
}

/** "Don't call me again" and "you said you would call me back" are no requests. */
function wishedCall(spoken: SpokenSentence): string | null {
  return spoken.find([{ ways: CALL_WISHES, begins: 'behind' }], (head, wish) =>
    isCallBackRequested(wordsOf(head), wordsOf(wish).slice(0, 3)),
  );
}

function asInstruction(action: string, person: string, owner: string): string {
  const instruction = action
    .replace(/\byou'll\b/gi, 'you will')
    .replace(/^\w+/, (verb) => IMPERATIVES[verb.toLowerCase()] ?? verb)
    .replace(new RegExp(`\\b${person}\\b`, 'gi'), 'the customer')
    .replace(new RegExp(`\\b${owner}\\b`, 'gi'), (_owner: string, at: number, whole: string) =>
      // A customer named before is not named again.
      whole.slice(0, at).includes('the customer') ? 'their' : "the customer's",
    )
    .replace(/[\s,]+(?:please|thanks|thank the customer|thank you|okay|goodbye|bye)*[\s,]*$/i, '')
    .trim();
  const cut =
    instruction.length > MAX_ITEM_LENGTH ? `${instruction.slice(0, MAX_ITEM_LENGTH - 1)}…` : instruction;
  return cut.charAt(0).toUpperCase() + cut.slice(1);
}
