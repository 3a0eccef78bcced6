import { isCallBackRequested } from '../playbook/contact-preferences/call-back-request.js';
import { isSaid } from '../language/phrasing.js';
import { wordsOf } from '../language/words.js';
import type { SpokenEntry } from './analysis.js';
import { CALLS, CONDITIONAL, DOING, NO_REQUEST, PROMISES, REQUESTS } from './deeds.js';
import { Told } from './told.js';

const MAX_ITEMS = 10;
const MAX_ITEM_LENGTH = 200;

/**
 * What somebody has to do after the call: what the agent promised and what the customer asked for, as orders, with
 * the customer in the third person.
 * @param sentencesOf cuts a text into sentences
 */
export function actionableItems(
  entries: readonly SpokenEntry[],
  sentencesOf: (text: string) => string[],
): string[] {
  const items = new Map<string, string>();
  for (const entry of entries) {
    for (const sentence of sentencesOf(entry.text.replace(/[\u2018\u2019]/g, "'"))) {
      const deed = deedIn(sentence, entry.speaker);
      if (deed && !items.has(deed.toLowerCase())) items.set(deed.toLowerCase(), deed);
    }
  }
  return [...items.values()].slice(0, MAX_ITEMS);
}

function deedIn(sentence: string, speaker: SpokenEntry['speaker']): string | null {
  const told = new Told(sentence);
  if (speaker === 'agent') {
    const promised = told.find(PROMISES, (head) => !isSaid(CONDITIONAL, head));
    return promised === null ? null : asOrder(promised, 'you', 'your');
  }
  const asked = told.find(REQUESTS, (head) => !isSaid(NO_REQUEST, head)) ?? wishedCall(told);
  return asked === null ? null : asOrder(asked, 'me', 'my');
}

/** "Don't call me again" and "you said you would call me back" ask for nothing. */
function wishedCall(told: Told): string | null {
  return told.find([{ ways: CALLS, begins: 'behind' }], (head, wish) =>
    isCallBackRequested(wordsOf(head), wordsOf(wish).slice(0, 3)),
  );
}

function asOrder(deed: string, person: string, owner: string): string {
  const order = deed
    .replace(/\byou'll\b/gi, 'you will')
    .replace(/^\w+/, (verb) => DOING[verb.toLowerCase()] ?? verb)
    .replace(new RegExp(`\\b${person}\\b`, 'gi'), 'the customer')
    .replace(new RegExp(`\\b${owner}\\b`, 'gi'), (_owner: string, at: number, whole: string) =>
      // Who was named before is not named again.
      whole.slice(0, at).includes('the customer') ? 'their' : "the customer's",
    )
    .replace(/[\s,]+(?:please|thanks|thank the customer|thank you|okay|goodbye|bye)*[\s,]*$/i, '')
    .trim();
  const cut = order.length > MAX_ITEM_LENGTH ? `${order.slice(0, MAX_ITEM_LENGTH - 1)}…` : order;
  return cut.charAt(0).toUpperCase() + cut.slice(1);
}
