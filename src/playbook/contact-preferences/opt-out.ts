import { aboutCalls } from './call-words.js';
import { isDescribed, isLimited, isNaming, isReplaced, isSentenceOver, optOutTail } from './opt-out-tail.js';
import {
  ANNOUNCED,
  ANNOUNCED_BEHIND,
  HAVE_I_NOT,
  JUST_NOW,
  LIMITED_FROM_THE_START,
  NOT_SAID,
  STATED,
  STATED_OF_STAFF,
  TOLD,
} from './opt-out-heads.js';
import { OPT_OUT_WAYS, type OptOutWay } from './opt-out-ways.js';
import { isSaid, spoken } from '#language/phrasing.js';

/** "Delete my number", and the like. */
const FORGETTING = aboutCalls('(number|details|name|it|off) $');
const SAYS_EVER = aboutCalls('ever');
/** Phrases that count without a target: "please don't call". */
const WITHOUT_TARGET = aboutCalls('^(do not|never) <ever>* (call|calling|contact) $');
const FORBIDDING = aboutCalls('^do not');
/** Swear words, which only add emphasis. */
const EXPLETIVE = aboutCalls(
  '(bloody|bleeding|sodding|flipping|blooming|blasted|damn|damned|goddamn|goddamned|freaking|frigging|fricking|' +
    'effing|fucking|bleeping|the (hell|heck|fuck|devil))',
);
/** How many characters before a match are read. */
const HEAD_LENGTH = 80;

/**
 * True if the speaker wants no more calls. An opt-out is permanent, so a wish limited to a time or place ("never call
 * me at work") is none. Expects the words of `wordsOf`.
 */
export function isOptOutIn(words: readonly string[]): boolean {
  const said = spoken(words).replace(EXPLETIVE, '');
  // Performance: most utterances match no rule, and testing for a match is cheaper than finding all matches.
  return OPT_OUT_WAYS.some(
    (way) =>
      isSaid(way.said, said) && [...said.matchAll(way.said)].some((match) => isMeant(said, match, way)),
  );
}

function isMeant(said: string, match: RegExpExecArray, way: OptOutWay): boolean {
  const [wish] = match;
  const head = said.slice(Math.max(0, match.index - HEAD_LENGTH), match.index);
  const end = match.index + wish.length;
  const behind = said.slice(end);
  if (isNaming(said.slice(said.lastIndexOf(' ', end - 2) + 1))) return false;
  if (isSaid(NOT_SAID, head) && !isSaid(HAVE_I_NOT, head)) return false;
  if (isSaid(ANNOUNCED, head) || isSaid(ANNOUNCED_BEHIND, behind)) return false;
  if (isSaid(FORGETTING, wish) && isReplaced(behind)) return false;
  const tail = optOutTail(behind);
  const isForEver = tail.isForEver || isSaid(SAYS_EVER, wish);
  if (isSomethingElse(head, way, isForEver) || isSaid(LIMITED_FROM_THE_START, head)) return false;
  if (isLimited(tail.rest, way.needs === 'anything')) return false;
  // "Don't call me" is permanent unless the words before it are about the present; the agent then asks instead.
  if (!isForEver && isSaid(FORBIDDING, wish) && isSaid(JUST_NOW, head)) return false;
  return isForEver || isEnough(wish, tail, way);
}

function isSomethingElse(head: string, way: OptOutWay, isForEver: boolean): boolean {
  if (!way.unless) return false;
  if (way.unless !== STATED) return isSaid(way.unless, head);
  const isStated = isSaid(STATED, head) || (!isForEver && isSaid(STATED_OF_STAFF, head));
  return isStated && !isSaid(TOLD, head);
}

/** True if an opt-out without "again" or "ever" is completed by the words after it. */
function isEnough(
  wish: string,
  { target, rest }: ReturnType<typeof optOutTail>,
  { needs }: OptOutWay,
): boolean {
  switch (needs) {
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
        ? rest === '' && isSaid(WITHOUT_TARGET, wish)
        : isSentenceOver(rest) || isDescribed(rest);
  }
}
