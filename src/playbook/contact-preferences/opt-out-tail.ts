import { aboutCalls } from './call-words.js';
import { FIRST_NAMES } from '#language/english-names.js';
import { isSaid, type Phrasing } from '#language/phrasing.js';

/** The words after an opt-out phrase, taken apart. */
export interface OptOutTail {
  /** The person or number that must not be called; empty if not named. */
  target: string;
  /** True if "again" or "ever" makes the opt-out permanent. */
  isForEver: boolean;
  rest: string;
}

const TARGET = aboutCalls('^<target>');
/** Other people, for whom only "again" makes an opt-out: "don't call my wife again". */
const OTHERS = aboutCalls('^<others>');
const AGAIN = aboutCalls('^<again>');
const FOR_EVER = aboutCalls('^(please|back)* <for_ever> <for_ever>*');
/** Words that limit the opt-out to a time, a place or a condition. */
const LIMIT = aboutCalls(
  '^(please|sorry|back|just|either)* (before|after !(all)|until|till|til|unless|except|while|when|whenever|during|between|' +
    'outside|past|at !(all|any|this number)|on !(this (number|phone|line)|any)|in !([the] future|any|(my|your) life)|' +
    'by !(you|your|any|this|that|these|them|phone|telephone|robots|machines|a (robot|machine|computer))|over|from (<hour>|noon|monday|tomorrow)|' +
    'for (tomorrow|tonight|<days>|(this|that|next|_s) (<period>|class|course|event|trip|tour|lesson|session|meeting))|' +
    '(about|regarding|concerning|for) (this|that|the|my|our|tomorrow|next|_s) ' +
    '(appointment|booking|reservation|order|visit|delivery|parcel|package|prescription)|' +
    '(my|our) (old|other|previous|former) [phone] (number|phone|line)|' +
    'for (now|today|a|the (moment|next|rest|time|day)|another|at least|some time|#|two|three|<period>)|' +
    '(this|next|that|every|each|all|most) (<period>|early|late|often|time|christmas)|' +
    '(so|too|quite so|as) (early|late|often|much|many)|today|tonight|tomorrow|<period>|<days>|nights|days|mornings|' +
    'afternoons|evenings|weekends|early|late|noon|midnight|if !(you (do not mind|would|please|can|could|will))|now|' +
    'right now|just now|constantly|twice|all the time)',
);
/** "Stop calling me all day" is no limit: calls must stop at once. Nor is a threat: "before I call the police". */
const NO_LIMIT_TO_STOPPING = aboutCalls(
  '^(now|right now|constantly|all the|all day|every|each|on my|at my (house|home)|at all hours|twice|' +
    '(day|night|morning) [noon] and (day|night)|before (i|we) [have to] <threat>)',
);
/** The beginning of another sentence. */
const NEXT_SENTENCE = aboutCalls(
  '^(i|we|you|please|ok|okay|yes|no|and|or|but|so|because|cause|(this|that) (is|was|will|would|has)|it|thank|thanks|' +
    'cheers|bye|goodbye|good|sorry|sir|madam|mate|right|understand|understood|do|stop|never|just|again|who|what|how|' +
    'if|now|already|all right|alright|today)',
);
/** Words that describe the calls or their source. */
const DESCRIBED = aboutCalls('^(your|about|regarding|concerning|like|from|to (me|us|this|my)|by|for)');
/** First names that are no other word after "me": "don't call me, will you". */
const NAMES = FIRST_NAMES.split(' ')
  .filter((name) => !/^(?:will|may|april|june|august|summer|sue)$/.test(name))
  .join('|');
/** "Call" in the sense of naming: "stop calling me sir", "I don't want to be called sir", "stop calling it that". */
const NAMING = aboutCalls(
  "^(<ring>|<calling>|<called>) me (<title>|ma'am|missus|mr|mrs|ms|names|that|by (my|his|her|that)|love|darling|" +
    'sweetheart|honey|dear|babe|mate|bro|dude|buddy|crazy|stupid|lazy|fat|old|an? _)',
  `^(<ring>|<calling>|<called>) me (${NAMES})`,
  '^<called> <title>',
  '^<calling> it ($|that|an?|the)',
);
/** A replacement of one number by another: "delete that number, I have a new one". */
const REPLACED = aboutCalls('(new|other one|different|instead|use|put|change it)');

/** Splits `said` into the match at its beginning and the rest. */
function cut(said: string, ways: Phrasing): [string, string] {
  const found = said.match(ways)?.[0] ?? '';
  return [found, said.slice(found.length)];
}

/** Takes apart the words after an opt-out phrase. */
export function optOutTail(said: string): OptOutTail {
  const [, behindOthers] = cut(said, OTHERS);
  const [target, behind] = cut(said, isSaid(AGAIN, behindOthers) ? OTHERS : TARGET);
  const [forEver, rest] = cut(behind, FOR_EVER);
  return { target, isForEver: forEver !== '', rest };
}

/**
 * True if the opt-out is limited to a time, place or condition.
 * @param isStopping whether the phrase asks to stop ongoing calls
 */
export function isLimited(rest: string, isStopping: boolean): boolean {
  return isSaid(LIMIT, rest) && !(isStopping && isSaid(NO_LIMIT_TO_STOPPING, rest));
}

export function isSentenceOver(rest: string): boolean {
  return rest === '' || isSaid(NEXT_SENTENCE, rest);
}

/** True if the next words describe the calls. */
export function isDescribed(rest: string): boolean {
  return isSaid(DESCRIBED, rest);
}

/**
 * True if "call" means naming: "don't call me mate".
 * @param said from the last word of the opt-out phrase on
 */
export function isNaming(said: string): boolean {
  return isSaid(NAMING, said);
}

/** True if the number is removed only to be replaced by another. */
export function isReplaced(said: string): boolean {
  return isSaid(REPLACED, said);
}
