import { callPhrasing } from './call-words.js';
import { FIRST_NAMES } from '#language/english-names.js';
import { matches, type Phrasing } from '#language/phrasing.js';

/*
 * Reads the words after an opt-out phrase ("don't call" + "me at work anymore"). They show whether the opt-out is
 * permanent, limited, or no opt-out at all. `opt-out.ts` decides with these functions.
 */

/** The words after an opt-out phrase, in the form of `toMatchText`. */
export interface OptOutTail {
  /** The person or number that must not be called ("me "); empty if not named. */
  target: string;
  /** True if the words say "again", "ever" or the like. */
  isPermanent: boolean;
  /** The words after target and "again". */
  rest: string;
}

const TARGET = callPhrasing('^<target>');
/** Other people, for whom only "again" makes an opt-out: "don't call my wife again". */
const OTHERS = callPhrasing('^<others>');
const AGAIN = callPhrasing('^<again>');
const PERMANENTLY = callPhrasing('^(please|back)* <for_ever> <for_ever>*');
/** Words that limit the opt-out to a time, a place or a condition: "before noon", "at work", "if I am out". */
const LIMIT = callPhrasing(
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
/**
 * Times after "stop calling" that are no limit: they describe the calls ("stop calling me all day"), ask to stop at
 * once, or threaten ("before I call the police").
 */
const NO_LIMIT_TO_STOPPING = callPhrasing(
  '^(now|right now|constantly|all the|all day|every|each|on my|at my (house|home)|at all hours|twice|' +
    '(day|night|morning) [noon] and (day|night)|before (i|we) [have to] <threat>)',
);
/** Words that begin another sentence. */
const NEXT_SENTENCE = callPhrasing(
  '^(i|we|you|please|ok|okay|yes|no|and|or|but|so|because|cause|(this|that) (is|was|will|would|has)|it|thank|thanks|' +
    'cheers|bye|goodbye|good|sorry|sir|madam|mate|right|understand|understood|do|stop|never|just|again|who|what|how|' +
    'if|now|already|all right|alright|today)',
);
/** Words that describe the calls or their source: "about my account", "from you". */
const DESCRIBED = callPhrasing('^(your|about|regarding|concerning|like|from|to (me|us|this|my)|by|for)');
/** First names, without those that are also other words after "me": "don't call me, will you". */
const NAMES = FIRST_NAMES.split(' ')
  .filter((name) => !/^(?:will|may|april|june|august|summer|sue)$/.test(name))
  .join('|');
/** "Call" in the sense of naming: "stop calling me sir", "I don't want to be called sir", "stop calling it that". */
const NAMING = callPhrasing(
  "^(<ring>|<calling>|<called>) me (<title>|ma'am|missus|mr|mrs|ms|names|that|by (my|his|her|that)|love|darling|" +
    'sweetheart|honey|dear|babe|mate|bro|dude|buddy|crazy|stupid|lazy|fat|old|an? _)',
  `^(<ring>|<calling>|<called>) me (${NAMES})`,
  '^<called> <title>',
  '^<calling> it ($|that|an?|the)',
);
/** A replacement of one number by another: "delete that number, I have a new one". */
const REPLACED = callPhrasing('(new|other one|different|instead|use|put|change it)');

/** Splits a text into the match of a phrasing at its beginning (empty if it does not match) and the rest. */
function splitAtMatch(said: string, phrasing: Phrasing): [string, string] {
  const found = said.match(phrasing)?.[0] ?? '';
  return [found, said.slice(found.length)];
}

/** Splits the words after an opt-out phrase into target, "again" and the rest. */
export function optOutTail(said: string): OptOutTail {
  const [, afterOthers] = splitAtMatch(said, OTHERS);
  const [target, afterTarget] = splitAtMatch(said, matches(AGAIN, afterOthers) ? OTHERS : TARGET);
  const [forEver, rest] = splitAtMatch(afterTarget, PERMANENTLY);
  return { target, isPermanent: forEver !== '', rest };
}

/**
 * True if the opt-out is limited to a time, place or condition.
 * @param rest `OptOutTail.rest`
 * @param isStopping true if the opt-out phrase asks to stop calls that go on ("stop calling")
 */
export function isLimited(rest: string, isStopping: boolean): boolean {
  return matches(LIMIT, rest) && !(isStopping && matches(NO_LIMIT_TO_STOPPING, rest));
}

/** True if nothing follows in the sentence: the text is over, or another sentence begins. */
export function isSentenceOver(rest: string): boolean {
  return rest === '' || matches(NEXT_SENTENCE, rest);
}

/** True if the next words describe the calls or their source. */
export function isDescribed(rest: string): boolean {
  return matches(DESCRIBED, rest);
}

/**
 * True if "call" means naming: "don't call me mate".
 * @param said the text from the last word of the opt-out phrase on ("call me mate ")
 */
export function isNaming(said: string): boolean {
  return matches(NAMING, said);
}

/** True if the caller only replaces a number: "delete that number, I have a new one". */
export function isReplaced(said: string): boolean {
  return matches(REPLACED, said);
}
