import { widePhrasing } from './possible-opt-out-words.js';
import {
  COUNTED,
  FOR_ONESELF,
  GOING_ON,
  KEPT,
  NEGATED,
  NOT_SAID,
  PROMISED,
  QUOTED,
} from './opt-out-exceptions.js';
import type { Phrasing } from '#language/phrasing.js';

/*
 * Phrasings that may express an opt-out which no opt-out rule covers. `possible-opt-out.ts` applies them. A match only
 * makes the agent ask, so they match far more than `opt-out-rules.ts`. `language/phrasing.ts` explains the notation.
 */

/** A phrasing that may be an opt-out, unless one of the other phrasings comes before it. */
interface PossibleOptOutRule {
  phrasing: Phrasing;
  /** Words directly before the match that give it another meaning. */
  unless: readonly Phrasing[];
}

const ruleUnless = (unless: readonly Phrasing[], ...patterns: readonly string[]): PossibleOptOutRule => ({
  phrasing: widePhrasing(...patterns),
  unless,
});

/** A removal in the past: "I was taken off your list by accident". */
const REMOVED = widePhrasing('(was|were) [not] $');

/** Possible opt-outs by subject; a match of one rule is enough. */
export const POSSIBLE_OPT_OUT_RULES: readonly PossibleOptOutRule[] = [
  // A word for ending, near a word for calls.
  ruleUnless(
    [NEGATED, GOING_ON, PROMISED, QUOTED, NOT_SAID],
    '<end> <near> <calls>',
    '<end> [using|with|trying] (this|my|our) number',
    '<calls> <near> <end>',
    '(keep|keeps|always|constantly|forever) [on] <calling> (me|us|here|this)',
  ),
  // A number or name to be removed.
  ruleUnless(
    [NEGATED, KEPT, FOR_ONESELF, GOING_ON, REMOVED],
    '<remove> <of_mine>* <number> [(off|out|away)] ' +
      '(please|now|$|and|i|you|again|anymore|then|thanks|with you|(off|from|out of) your)',
    '<remove> <of_mine>* <listed>',
    'number <near> (removed|deleted|erased|scrubbed|purged|wiped|struck|crossed|blocked|gone|taken (off|out))',
    '(strike|cross|scratch|rub) (me|us) (off|out)',
    '(taken|took) (me|us) off (by|now|already|please|ages|$)',
    '(name|number) (come|comes|came|be|is) [taken] (off|out)',
    '^[please] off (your|the|this|that) <of_mine>* <listed>',
    '(opt|opting) [(me|us|my _)] out [of] (this|these|it|them|everything|all|any|your|please|$)',
    'unsubscribe [(from|of) (this|these|it|you|everything|the (calls|list|phone)|your)] $',
    'no [further|more|such] [phone|telephone] (contact|phoning|ringing|calling) (by|please|again|from|$)',
  ),
  ruleUnless([NEGATED], '(withdraw|revoke|take back) (my|our|any|all|the|whatever)* <consent>'),
  // Calls are refused.
  ruleUnless(
    [PROMISED, QUOTED, NOT_SAID],
    '<never> <near> <consent> <near> <calls>',
    '<never> <near> <calls>',
    '(calls|calling|ringing|phoning) <near> (not|never)',
    'number (is|be|was|to be|are|should be|should)* not ' +
      '(for|to be|be|meant|supposed|used|dialled|there for|one (to|for|that))',
    'not [to] (use|dial|try|keep|store|save|have) (this|that|my|our) number',
    '(not|never) ' +
      '(ask|asked|agree|agreed|sign|signed|belong|supposed|consented|applied|(want|wish|like) [to be] (on|in)) ' +
      '<near> <listed>',
    'number is (private|unlisted|ex directory|protected|confidential|not (public|listed))',
    'no (interest|point|reason|use|need|wish|desire|intention) <near> <calls>',
    'without [_] calls',
  ),
  // Limited English: "me no want call".
  ruleUnless(
    [],
    'no (want|like|need|wish) (you|your|this|these|the|any|more|phone|to|for|me|us)* (<call>|<calls>|<calling>)',
  ),
  ruleUnless([COUNTED], 'no [_] calls'),
  // Calls are mentioned in answer to another question.
  ruleUnless(
    [COUNTED, PROMISED, QUOTED, NOT_SAID, GOING_ON],
    'calls !(are|is|were|was|back|me|#)',
    '(these|those|your|such|phone|sales|getting|receiving|robot|automated|unsolicited|marketing|cold) calls',
    '(keep|keeps) [on] <calling> !(but|and)',
    '(phoning|ringing|calling) [up] &(again|here|us|me|this|at)',
  ),
  // "Tell them not to …": the people meant may be this service.
  ruleUnless(
    [FOR_ONESELF],
    '(tell|ask) (them|him|her|the _|everybody|everyone|people) [all] (not to|never to|to not|to never) ' +
      '[ever|even] <call> [me|us|here] (this|my|our|again|anymore|any more|any longer|please|thanks|and|$)',
  ),
  // Reminders: the caller may mean only these, or all calls.
  ruleUnless(
    [NEGATED, KEPT, FOR_ONESELF, GOING_ON, REMOVED],
    '<remove> (me|us|my _|this number|<number>) (off|from|out of) (of|the|your|these|those|any|all|such|automatic)* reminders',
    '(<end>|cancel) (sending|getting|with|me|us|the|these|those|your|all|of|any|more)* (reminders|reminding)',
  ),
  ruleUnless(
    [],
    '(no|not want) (any|of|the|these|those|your|get|getting|to|receive)* (more|further|these|those|your) reminders',
  ),
  // Complaints about the number of calls.
  ruleUnless(
    [],
    '(one more|another|any more|more) (of|these|those|such|your|damn|bloody|stupid|sales|phone)* calls !(back)',
    '(how many|so many|too many) [_] [_] [_] [_] [_] [_] <calls>',
    '(am|is|are|be) not (called|rung|phoned|telephoned|dialled|contacted) [up] (again|anymore|any more|any longer)',
    '(be|is) the last time !(i|we|he|she|slot|that i|for)',
    'up to here (with|$)',
    'how dare <near> <calls>',
  ),
];

/** Expressions of being fed up with anything; they count only if the utterance also {@link MENTIONS_CALLS}. */
export const FED_UP = widePhrasing(
  // Enough is enough.
  '((had|that is|this is|it is) (quite|more than|just)* enough|enough is enough) !(time|money|room|people|left|to)',
  '(sick|tired|fed up|weary) of (it|this|that|you|these|your|them|all)',
  'no more of',
  '(third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|hundredth|thousandth|umpteenth) time',
  'if <near> (once more|one more time)',
  '(a law|the law|the police|legal|illegal|unlawful|desist|peace|all hours|nerves|rude|annoying|irritating|ridiculous|' +
    'disgrace|disgraceful|disgusting|scam|scammers|bloody|damn|blasted|blooming|flipping|sake|crying out loud|' +
    'up the wall|fed up|had it with|give over)',
  '(harass|harassing|harassment|nuisance|pestering|privacy|banned|forbidden|off limits|intrusive|unwanted|unwelcome|spam)',
  '(regulator|ombudsman|authorities|lawyer|solicitor|attorney|(a|any|some) rules?)',
  'wrong with you',
  // It must not happen again.
  '(not|never) (dare|try|do|want|need) (do|try|to)* (it|that|this|any of (it|this)) (again|anymore|any more)',
  '(never again|(not|ever|never) ever)',
  '(be|is|make this|make it|make that) (the|my|your) (very last|last|final) (call|one|time) !(i|we|he|she|slot)',
  '(must|should|may) not <call> (her|him|them)',
  // A wish that the other party had not called.
  '(rather|sooner|prefer it if|prefer|' +
    '(better|happier|nicer|nice|good|great|obliged|grateful|glad|appreciate|appreciate it) if) ' +
    '(you|they|nobody|this|that|the phone|we) <near> (not|never|stopped|ceased|quit)',
  '(rather|prefer|like|(glad|grateful|nice|happy|obliged) if) you (deleted|removed|erased|forgot|lost|took|dropped)',
  'less <near> better',
  '(not|never) <near> (giving|gave|given) [you|them|anyone|anybody] [any|my] <consent>',
  'without (my|our|any) (agreement|<consent>)',
  '(decline|declines)',
  '(stays?|stayed|remains?|remained|kept|keep|keeps) (quiet|silent)',
  // "Go away."
  '(go|stay|keep) away',
  '(get lost|clear off|buzz off|sod off|piss off|(left|leave) (alone|off)|take (a|the) hint)',
  'leave (me|us|him|her|them|people) (be|out)',
  '(begging|begged|beg) (you|them)',
  '(waste|wasting) (your|my|our) time',
  '(spare (me|us)|save (yourself|yourselves))',
  '(anything|nothing|something) better to do',
  '(bother|try|ring|call|phone|contact|pester|annoy) (someone|somebody|anyone) else',
  '(somebody|someone|anybody) else to <call>',
  '(why|not going to) <near> keep (trying|picking up|answering)',
  '(delete|erase|scrub|remove) (it|me) [please|now|then|at once] $',
  '(block|blocking|blocked|report|reporting|sue|suing) (you|this|it|your)',
  'still on your',
);
/** Words about calls, numbers or lists. */
export const MENTIONS_CALLS = widePhrasing('(<calls>|<listed>|number|(pick|picking|picked) up)');

/** Phrases after which the agent asks even if they have a limit, or stand in ordinary talk about calls. */
export const CERTAIN_OPT_OUT = widePhrasing(
  '^[please] desist',
  'cease and desist',
  '(can|could|may|how (do|can|could|would)|want to|like to|wish to|need to) [(i|we)] [please] opt out !(of the)',
  'opted out !(of the)',
  '(opt|opting) (me|us|my _) out',
  // Instructions of recordings.
  '(opt out|unsubscribe) [_] [_] [_] [_] (press|push|hit|dial|reply)',
  '(press|push|hit|dial|reply|say) _ [_] [_] to (opt out|unsubscribe)',
  'unsubscribe (me|us|from (this|these|it|you|everything|all|your|the (calls|list|phone)))',
  '(leave|leaving) (me|us) be',
  'not you dare $',
  'stop (receiving|getting) (these|them|those|your)',
  '(block|blocked|blocking) <near> your [other] numbers?',
  '(said|say|saying|telling|told|tell|ask|asking|asked) [you|them] [to] stop [it|this|that|please|now] $',
);
