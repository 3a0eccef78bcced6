import { isCallWished } from '../playbook/call-wish.js';
import { wordsOf } from '../playbook/words.js';
import type { SpokenEntry } from './analysis.js';

/** What an office can be asked to do; other verbs ("I will be there") leave nothing to act on. */
const DEED =
  'add|arrange|book|bring|call|cancel|change|check|confirm|contact|correct|deliver|email|fix|forward|get|give|inform|' +
  'let|mail|make|move|order|pass|prepare|refund|remind|remove|repair|reschedule|reserve|return|send|ship|show|tell|' +
  'text|transfer|update';
/** Up to the end of the clause. */
const REST = `(?:${DEED})\\b[^.!?;]*`;

const PROMISE = new RegExp(
  `\\b(?:i|we)(?:'ll| will| shall|'m going to|'re going to| am going to| are going to) (${REST})`,
  'i',
);
/** "Our adjuster will call you": who does it is part of the item. */
const PROMISE_FOR = new RegExp(`\\b((?:the|our|my|a|an|one of our) [a-z]+(?: [a-z]+)? will ${REST})`, 'i');
const REQUEST = new RegExp(
  `\\b(?:please|(?:can|could|would|will) you|(?:want|need) you to|'d like you to|would like you to)(?: please)? (${REST})`,
  'i',
);
const CALL_BACK = new RegExp(
  '\\b((?:call|ring|phone|remind|text|email) me ' +
    '(?:back|again|later|tomorrow|on|at|in|about|when|with)\\b[^.!?;]*)',
  'i',
);
/** "I don't need you to send me anything", "how could you tell him": nothing that is to be done. */
const NO_REQUEST =
  /(?:(?:\b(?:not|never|no longer|no need for you)|n't)(?: (?:really|actually|even|ever|to|you|want|need|like|think|have|that|i|for|would|should|expect|ask))*|\b(?:how|why))\s*$/i;

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
  if (speaker === 'agent') {
    const promised = (PROMISE.exec(sentence) ?? PROMISE_FOR.exec(sentence))?.[1];
    return promised === undefined ? null : asOrder(promised, 'you', 'your');
  }
  const asked = requestIn(sentence);
  return asked === undefined ? null : asOrder(asked, 'me', 'my');
}

/** What a customer asks for; "don't call me again" and "you said you would call me back" ask for nothing. */
function requestIn(sentence: string): string | undefined {
  const request = REQUEST.exec(sentence);
  if (request) return NO_REQUEST.test(sentence.slice(0, request.index)) ? undefined : request[1];
  const call = CALL_BACK.exec(sentence);
  const isWished =
    call && isCallWished(wordsOf(sentence.slice(0, call.index)), wordsOf(call[1]!).slice(0, 3));
  return isWished ? call[1] : undefined;
}

function asOrder(deed: string, person: string, owner: string): string {
  const order = deed
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
