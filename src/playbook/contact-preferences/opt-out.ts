import { callPhrasing } from './call-words.js';
import { isDescribed, isLimited, isNaming, isReplaced, isSentenceOver, optOutTail } from './opt-out-tail.js';
import {
  ANNOUNCED,
  ANNOUNCED_AFTER,
  HAVE_I_NOT,
  JUST_NOW,
  LIMITED_FROM_THE_START,
  NOT_SAID,
  STATED,
  STATED_OF_STAFF,
  TOLD,
} from './opt-out-exceptions.js';
import { OPT_OUT_RULES, type OptOutRule } from './opt-out-rules.js';
import { matches, toMatchText } from '#language/phrasing.js';

/** The end of a demand to remove a number: "delete my number". */
const ASKS_FOR_REMOVAL = callPhrasing('(number|details|name|it|off) $');
/** "Ever" within the opt-out phrase makes it permanent. */
const SAYS_EVER = callPhrasing('ever');
/** Prohibitions that count without a target at the end of an utterance: "please don't call". */
const WITHOUT_TARGET = callPhrasing('^(do not|never) <ever>* (call|calling|contact) $');
/** The beginning of a prohibition, which may apply only to the present. */
const FORBIDDING = callPhrasing('^do not');
/** Swear words, which only add emphasis. */
const EXPLETIVE = callPhrasing(
  '(bloody|bleeding|sodding|flipping|blooming|blasted|damn|damned|goddamn|goddamned|freaking|frigging|fricking|' +
    'effing|fucking|bleeping|the (hell|heck|fuck|devil))',
);
/** The number of characters before a match that are read for exceptions. */
const HEAD_LENGTH = 80;

/**
 * True if the caller wants no more calls: then the number is suppressed and the call ends. An opt-out is permanent,
 * so a wish for one time or place ("never call me at work") is no opt-out. English only; other languages use
 * `Language.forbidsCalls`.
 * @param words the words of the utterance, as `wordsOf` returns them
 */
export function isOptOutIn(words: readonly string[]): boolean {
  const said = toMatchText(words).replace(EXPLETIVE, '');
  // Most utterances match no rule, and a test for a match is cheaper than finding all matches.
  return OPT_OUT_RULES.some(
    (rule) =>
      matches(rule.phrasing, said) &&
      [...said.matchAll(rule.phrasing)].some((match) => countsAsOptOut(said, match, rule)),
  );
}

/** True if the words around a match of a rule leave it an opt-out. */
function countsAsOptOut(said: string, match: RegExpExecArray, rule: OptOutRule): boolean {
  const [wish] = match;
  const head = said.slice(Math.max(0, match.index - HEAD_LENGTH), match.index);
  const end = match.index + wish.length;
  const following = said.slice(end);
  // From the last word of the match on, which ends with a blank.
  if (isNaming(said.slice(said.lastIndexOf(' ', end - 2) + 1))) return false;
  if (matches(NOT_SAID, head) && !matches(HAVE_I_NOT, head)) return false;
  if (matches(ANNOUNCED, head) || matches(ANNOUNCED_AFTER, following)) return false;
  if (matches(ASKS_FOR_REMOVAL, wish) && isReplaced(following)) return false;
  const tail = optOutTail(following);
  const isPermanent = tail.isPermanent || matches(SAYS_EVER, wish);
  if (hasOtherMeaning(head, rule, isPermanent) || matches(LIMITED_FROM_THE_START, head)) return false;
  // Rules without a condition ask to stop or to remove: a time after them may describe the calls instead.
  if (isLimited(tail.rest, rule.requiredTail === 'anything')) return false;
  // "I'm in a meeting, don't call me" may apply only to the present: the agent asks instead.
  if (!isPermanent && matches(FORBIDDING, wish) && matches(JUST_NOW, head)) return false;
  return isPermanent || isComplete(wish, tail, rule);
}

/** True if the words before the match are an exception of its rule. Only STATED has exceptions of its own (TOLD). */
function hasOtherMeaning(head: string, rule: OptOutRule, isPermanent: boolean): boolean {
  if (!rule.unless) return false;
  if (rule.unless !== STATED) return matches(rule.unless, head);
  const isStated = matches(STATED, head) || (!isPermanent && matches(STATED_OF_STAFF, head));
  return isStated && !matches(TOLD, head);
}

/** True if the words after an opt-out phrase without "again" or "ever" are those that its rule requires. */
function isComplete(
  wish: string,
  { target, rest }: ReturnType<typeof optOutTail>,
  { requiredTail }: OptOutRule,
): boolean {
  switch (requiredTail) {
    case 'ever':
      return false;
    case 'anything':
      return true;
    case 'nothing':
      return isSentenceOver(rest);
    case 'clause':
      return isSentenceOver(rest) || isDescribed(rest);
    case 'target':
      return target === ''
        ? rest === '' && matches(WITHOUT_TARGET, wish)
        : isSentenceOver(rest) || isDescribed(rest);
  }
}
