import { OPT_OUT_WAYS, STATED, type OptOutWay } from './opt-out-ways.js';

/** The same of others, which "again" makes a wish all the same: "your staff never call me". */
const STATED_OF_STAFF =
  /\b(?:your \w+|(?:the|my|these|those|some|most|our)(?: \w+)? (?:staff|team|office|company|clinic|doctor|people|\w{3,}s)|people)$/;
/** "I told the lady never call me" is a wish all the same. */
const TOLD =
  /\b(?:told|tell|telling|asked|ask|asking|warned|warning|said|say|saying|want|begged|begging|please)(?: \w+){0,2}$/;
/** Who is not to be called. */
const TARGET =
  /^ (?:me|us|here|this (?:number|phone|line|house)|(?:my|our) (?:number|house|home|phone|mobile|cell|landline|line)(?: phone| number)?)(?: here| at this number| on this (?:number|phone|line))?(?![^ ])/;
/** Others, and things, whom only "again" makes a wish for good: "don't call my wife again". */
const OTHERS = new RegExp(
  '^ (?:him|her|them|it|(?:my|our) \\w+)(?: (?:\\w+ )?(?:house|number|phone))?' +
    '(?= (?:again|anymore|any more|any longer|no more|ever)(?![^ ]))',
);
/** "I never told you not to call me." */
const NOT_SAID = new RegExp(
  '(?<!\\b(?:did|have|had) i )\\b(?:not|never) (?:ask|say|tell|mean|said|told|asked|meant)' +
    '(?: (?:that|you|to|anybody|anyone|people|guys|your \\w+|should))*$',
);
/** "Delete my number", and the like. */
const FORGETTING = / (?:number|details|name|it|off)$/;
/** "Stop calling it that." */
const NAMED_SO = /^ it(?: (?:that|an?)|$)/;
/** A number that takes the place of another: "delete that number, I have a new one". */
const REPLACED = /\b(?:new|other one|different|instead|use|put|change it)\b/;
/** What makes a wish one for good. */
const FOR_EVER =
  /^(?: (?:please|back))*(?: (?:again|anymore|any more|any longer|no more|ever|at all|at any time|any time|in (?:the )?future|from now on|for any reason|for good|on this (?:number|phone|line)|at this number|under any circumstances))+(?![^ ])/;
const TIMES =
  'night|day|morning|afternoon|evening|week|weekend|month|year|hour|monday|tuesday|wednesday|thursday|friday|saturday|sunday';
/** What limits a wish to a time, a place or a condition. */
const LIMIT = new RegExp(
  '^(?: (?:please|sorry|back|just|either))* (?:before|after(?! all)|until|till|til|unless|except|while|when|whenever|during|between|outside|past|' +
    'at(?! all| any| this number)|on(?! this (?:number|phone|line)| any)|in(?! (?:the )?future| any| (?:my|your) life)|by(?! (?:you|your|any|this|that|these|them|phone|telephone)\\b)|' +
    'over|from (?:\\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|monday|tomorrow)|' +
    `for (?:now|today|a|the (?:moment|next|rest|time|day)|another|at least|some time|\\d|two|three|${TIMES})|` +
    `(?:this|next|that|every|each|all|most) (?:${TIMES}|early|late|often|time|christmas)|(?:so|too|quite so|as) (?:early|late|often|much|many)|` +
    `today|tonight|tomorrow|(?:${TIMES})s?|weekends|early|late|noon|midnight|` +
    'if(?! you (?:do not mind|would|please|can|could|will))|now|right now|just now|constantly|twice|all the time)(?![^ ])',
);
/** To stop at once, or all that calling, is to stop. */
const NO_LIMIT_TO_STOPPING =
  /^ (?:now|right now|constantly|twice|all the|all day|every|each|on my|at my (?:house|home))(?![^ ])/;
/** Where a sentence ends and another begins. */
const NEXT_SENTENCE =
  /^(?:$| (?:i|we|you|please|ok|okay|yes|no|and|or|but|so|because|cause|(?:this|that)(?= (?:is|was|will|would|has)(?![^ ]))|it|thank|thanks|cheers|bye|goodbye|good|sorry|sir|madam|mate|right|understand|understood|do|stop|never|just|again|who|what|how|if|now|already|all right|alright|today)(?![^ ]))/;
/** What calls are about, or who makes them. */
const DESCRIBED = /^ (?:your|about|regarding|concerning|like|from|to (?:me|us|this|my)|by|for)(?![^ ])/;
/** "Stop calling me sir". */
const NAMING =
  /^ (?:sir|madam|mister|miss)(?![^ ])|^ me (?:sir|madam|ma'am|miss|missus|mister|mr|mrs|ms|names|that|by|love|darling|sweetheart|honey|dear|babe|mate|bro|dude|buddy|an? \w+)(?![^ ])/;
/** "On Sundays please don't call me." */
const LIMITED_FROM_THE_START =
  /^(?:(?:please|and|but|also|just) )*(?:on|at|before|after|during|until|between|in the)(?: \w+){1,5}$/;
/** How many characters before a wish are looked at. */
const HEAD_LENGTH = 80;

/**
 * Whether somebody wishes for no more calls. What limits the wish to a time or a place ("never call me at work") makes
 * it none: an opt-out counts for ever. Takes the words of `wordsOf`.
 */
export function isOptOutIn(words: readonly string[]): boolean {
  const said = words.join(' ');
  return OPT_OUT_WAYS.some((way) => [...said.matchAll(way.said)].some((match) => isMeant(said, match, way)));
}

function isMeant(said: string, match: RegExpExecArray, way: OptOutWay): boolean {
  const head = said.slice(Math.max(0, match.index - HEAD_LENGTH), match.index).trimEnd();
  const tail = said.slice(match.index + match[0].length);
  if (NAMING.test(tail)) return false;
  if (NOT_SAID.test(head) || (FORGETTING.test(match[0]) && REPLACED.test(tail))) return false;
  if (match[0].endsWith('ing') && NAMED_SO.test(tail)) return false;
  const target = (TARGET.exec(tail) ?? OTHERS.exec(tail))?.[0] ?? '';
  const forEver = FOR_EVER.exec(tail.slice(target.length))?.[0] ?? '';
  const rest = tail.slice(target.length + forEver.length);
  const isForEver = forEver !== '' || / ever(?: |$)/.test(match[0]);
  if (isSomethingElse(head, way, isForEver) || isLimited(head, rest, way)) return false;
  if (isForEver) return true;
  if (way.needs === 'ever') return false;
  if (way.hasTarget && target === '')
    return rest === '' && /(?:call|calling|contact)$/.test(match[0]) && !/^not|^to/.test(match[0]);
  return (
    way.needs === 'anything' || NEXT_SENTENCE.test(rest) || (way.needs === 'clause' && DESCRIBED.test(rest))
  );
}

function isSomethingElse(head: string, way: OptOutWay, isForEver: boolean): boolean {
  if (!way.unless?.test(head) && !(way.unless === STATED && !isForEver && STATED_OF_STAFF.test(head)))
    return false;
  return !(way.unless === STATED && TOLD.test(head));
}

function isLimited(head: string, rest: string, { needs }: OptOutWay): boolean {
  if (LIMITED_FROM_THE_START.test(head)) return true;
  return LIMIT.test(rest) && !(needs === 'anything' && NO_LIMIT_TO_STOPPING.test(rest));
}
