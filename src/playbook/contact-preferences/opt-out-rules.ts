import { callPhrasing } from './call-words.js';
import {
  ASKED_BACK,
  ASKED_WHETHER,
  COUNTED,
  FETCHED,
  FOR_ONESELF,
  GOING_ON,
  KEPT,
  NEGATED,
  PROMISED,
  QUOTED,
  REASONED,
  STATED,
  WONDERED,
} from './opt-out-exceptions.js';
import type { Phrasing } from '#language/phrasing.js';

/**
 * The words that must follow an opt-out phrase for it to count. `opt-out.ts` checks them against the `OptOutTail`. With
 * "again", "ever" or the like (`OptOutTail.isPermanent`) no other words are required.
 * - `anything`: no condition. For demands to stop or to remove, after which times may be no limit (`isLimited`).
 * - `clause`: the end of the utterance, a new sentence, or a description of the calls ("from you").
 * - `target`: the person or number that must not be called ("me"), and then as for `clause`.
 * - `nothing`: the end of the utterance or a new sentence.
 * - `ever`: nothing else suffices.
 */
type RequiredTail = 'anything' | 'clause' | 'target' | 'nothing' | 'ever';

/** A phrasing of an opt-out ("do not call me"), and the conditions on the words around it. */
export interface OptOutRule {
  phrasing: Phrasing;
  requiredTail: RequiredTail;
  /** Words directly before the match that give it another meaning. */
  unless?: Phrasing;
}

/** A pattern for the introduction of a wish: "I'd be grateful if you", "I wish you". */
const WISHED =
  '(wish|rather|prefer|prefer it if|(appreciate it|appreciated|grateful|thankful|obliged|better|best|great|good|nice|' +
  'kind|lovely|happy|happier|glad|pleased|love it|like it|wonderful) if) [that] ' +
  '(you|they) [people|guys|folks|all]';

/** A pattern for words that may come before "never call back" as if it began the utterance: "I am busy, never …". */
const TAKING_LEAVE =
  'goodbye|bye|later|actually|better|i am (driving|busy|at work)|in a meeting|(have|need|got|must|gotta|should) to go|' +
  'must go|gotta go|hang up|(not|can not) (now|talk|speak)';

/** A rule without `unless`. `Phrasing` describes the notation of patterns; `<call>` is a class of `call-words.ts`. */
const rule = (requiredTail: RequiredTail, ...patterns: readonly string[]): OptOutRule => ({
  requiredTail,
  phrasing: callPhrasing(...patterns),
});
const ruleUnless = (
  unless: Phrasing,
  requiredTail: RequiredTail,
  ...patterns: readonly string[]
): OptOutRule => ({
  ...rule(requiredTail, ...patterns),
  unless,
});

/** Prohibitions: "do not call me", "please never call again". */
const PROHIBITIONS: readonly OptOutRule[] = [
  ruleUnless(STATED, 'target', '(do not|never) <ever>* (<call>|<calling>)'),
  ruleUnless(PROMISED, 'target', '(not to|to not|to never|never to) <ever>* <call>'),
  rule(
    'target',
    '(you [people|guys|folks]|company|anybody|anyone) (must|should|shall|may) not <ever>* (<call>|<calling>)',
    '(you [people|guys|folks]|company|anybody|anyone) are not [allowed to|permitted to|to] <ever>* <call>',
    '(can|could|would|will) you (please|just|kindly) (not|never) <ever>* <call>',
  ),
  rule('target', `${WISHED} (do|did|would|could) not <ever>* <call>`),
  rule('target', `${WISHED} (never <called>|would never <call>)`),
  ruleUnless(WONDERED, 'target', 'if you (did|would|could) not <ever>* <call>'),
  ruleUnless(QUOTED, 'ever', 'you [people|guys|folks] (can not|could not|will not|would not) <ever>* <call>'),
  ruleUnless(
    REASONED,
    'ever',
    'you [people|guys|folks] (do not|never ever) <ever>* <call> !([<target>] (anymore|any more))',
  ),
  rule(
    'ever',
    '(can|could|would|will) you not <ever>* <call>',
    // "No need to call again, I'll be there" is kindly meant. `possible-opt-out-rules.ts` makes the agent ask.
    'no (reason|point) [for you] to <ever>* <call>',
    'no need [for you] to <ever>* <call> !([<target>] (again|anymore|any more)* (thanks|thank you|please)* (i|we) (will|have|know|am|are|got|shall|can))',
  ),
  rule('ever', '(make sure|see to it|ensure) [that] (nobody|no one|none of you) [from _ _] [ever] <rings>'),
  rule('nothing', `(^|and|please|just|${TAKING_LEAVE}) never <call> [me|us] back`),
  ruleUnless(STATED, 'ever', '(do not|never) <ever>* <reach>'),
  rule('clause', `${WISHED} (do|did|would|could) not <dial>`),
  rule('target', '(would|do|could) you [mind] not <calling>'),
  ruleUnless(
    ASKED_WHETHER,
    'clause',
    'you [people|guys|folks] (have|had|were) (all|already)* [been] (told|asked|warned) (not|never) to <ever>* <dial>',
    '(tell|telling|told|ask|asking|asked|warn|warning|warned|beg|begging|begged) <them> <ever>* not to <ever>* <dial>',
  ),
];

/** Disputes of the right to call: "you have no permission to call". */
const DISPUTES: readonly OptOutRule[] = [
  rule(
    'clause',
    '<them> (have|has|had|got|absolutely|simply|really|just|legally)* (no|not any|not the|not got [a|any|the]) ' +
      '(right|business|permission|authority|consent|authorisation|authorization) <to_call>',
    '<them> (do|did) not have (a|any|my|our|the)* (right|business|permission|consent|authority) <to_call>',
    '<them> are not (allowed|permitted|authorised|authorized|welcome|entitled) <to_call>',
    '(nobody|no one|not|never) (give|gave|given) <them> ' +
      '(the|a|any|my|our)* (right|permission|consent|authority|authorisation|authorization) <to_call>',
    '(it|this|that) is (illegal|unlawful|against the law|not (legal|lawful|allowed)) [for you] <to_call>',
    '(i|we) [hereby] (forbid|prohibit|do not (permit|allow|authorise|authorize)) <you> (from <calling>|<to_call>)',
  ),
];

/** Demands to stop: "stop calling me", "no more calls". */
const DEMANDS_TO_STOP: readonly OptOutRule[] = [
  ruleUnless(
    GOING_ON,
    'anything',
    '(stop|quit|cease|enough (of|with)|refrain from|no more) ' +
      '((texting|emailing|spamming) (and|or)|bloody|constantly|always|ever|with|the|this|all|your)* <calling>',
  ),
  rule('anything', `${WISHED} stopped <calling>`),
  ruleUnless(NEGATED, 'anything', '<tired> <them> [always|constantly|still|keep] <calling>'),
  ruleUnless(
    NEGATED,
    'clause',
    '<tired> being <called>',
    '<tired> [getting|receiving|answering|all] (your|these|those) <such>* <calls>',
  ),
  ruleUnless(
    NEGATED,
    'clause',
    'keep [on] <calling> [_] [_] [_] [_] (want|need|like) (it|this|that|you) to stop',
  ),
  rule(
    'clause',
    '(this|that) (is|was|will be|had better be|better be) the last time <them> [ever] (<call>|<called>)',
  ),
  ruleUnless(NEGATED, 'clause', 'keep [on] <calling> [_] [_] [please] stop [it|that|this] [now]'),
  ruleUnless(
    COUNTED,
    'clause',
    '(stop|quit|cease|no (more|further)|enough [of|with]|end|discontinue|put (an end|a stop) to|(knock|cut) it off with) [it] [making|with|getting|receiving] ' +
      '<such>* <calls>',
    '(these|the|your|those|all) [_] calls [have|need|has|must|got] [to] stop',
    'calls [please] stop (them|it|this)',
    '(want|like|need|have) <such>* calls [to (me|us|here|<number>)] (stopped|to (stop|end|cease))',
  ),
  rule(
    'nothing',
    // After "I'm driving" the words "no calls" may apply only to the present, so only these words may come before them.
    '(^|goodbye|bye|to go) (no|please|thanks|thank you|i said|sorry|okay|just|and|but)* no ' +
      '([phone|sales|marketing|cold|automated|robot|robo|spam|nuisance] calls|robocalls) [from (you|your _)]',
  ),
  rule(
    'clause',
    '(no|any) (further|more) (contact|communications?)',
    '(stop|cease|end) (all|any) [further] (contact|communication|communications)',
  ),
  ruleUnless(NEGATED, 'anything', '(leave|leaving) (me|us|(my|our) <person>) (alone|be|in peace)'),
];

/** Statements that calls are unwanted: "I don't want your calls", "I did not sign up for this". */
const UNWANTED_CALLS: readonly OptOutRule[] = [
  ruleUnless(
    ASKED_BACK,
    'clause',
    '(not|never|no longer) (really|actually|even|ever|particularly)* [be] ' +
      '(want|wanting|wish|need|needing|like|care|consent|agree|expect|appreciate) [for] ' +
      '(<you> (to <ever>* (<call>|<calling>)|<calling> [(my|our) <person>])|to being <called>|to (be|get|keep being|keep getting) <called>|being <called>|' +
      '[to (receive|get|have|take|hear|accept|be getting|keep getting)|to] <such>* <calls>|to hear from <you>)',
  ),
  rule(
    'clause',
    '(rather|prefer|like|want|wish|choose|ask|asked) [to] not [to] (be|get) <called>',
    '(prefer|appreciate|like) not being <called>',
  ),
  rule('clause', '(rather|prefer|wish) not [to] ((get|have|receive|take) <such>* <calls>|hear from <you>)'),
  rule(
    'clause',
    'not (accept|take|answer|want) [any] ((sales|marketing|cold|unsolicited|nuisance|automated) calls|robocalls)',
    'not (accept|take|answer|want) [any] calls (like (this|these|that|yours)|from (robots?|machines?|a (robot|machine)|you))',
    '(object to being|refuse to be) <called>',
    '(your|these|those) <such>* <calls> are (not [at all|very] (welcome|wanted|appreciated|needed)|unwelcome|unwanted)',
    '(not|never) (ask|asked|sign|signed|subscribe|subscribed|agree|agreed|opt|opted) [up|in] ' +
      '((for|to) [receive|get|getting|receiving] (your|these|those|any|this|the) <such>* <calls>|to be <called>)',
  ),
  rule(
    'nothing',
    '(ask|asked|want|wanted|like|wish|demand|demanded) to be (removed|taken off|deleted|left alone)',
  ),
  rule('clause', 'no (further|more|other) calls (will|can|are) [to] be (accepted|answered|taken|tolerated)'),
  rule('nothing', '<them> (are|is|keep) harassing (me|us)'),
  rule('nothing', '(this|(these|your) <such>* calls) (is|are) [plain|pure|sheer|nothing but] harassment'),
  ruleUnless(
    NEGATED,
    'nothing',
    '(am|will be|will|have|going to) (block|blocking|blocked) (you|your number|this number)',
  ),
  rule('ever', '(am|are|be|get|is) not <called>'),
  rule('clause', '(nobody|no one) [here|in this _] (wants|needs|likes) (<such>* <calls>|to be <called>)'),
  rule('clause', 'not be (taking|accepting) any (more|further) <such>* calls'),
  rule('clause', '(that|so) i (never|do not) [ever] (get|receive|have) <such>* <calls>'),
  rule(
    'clause',
    '(not|never) (agree|agreed|consent|consented) to (be <called>|[get|receive] <such>* <calls>)',
  ),
  rule(
    'target',
    '(not|never|withdraw|revoke) (have|give|gave|given|got|any|you)* [my|any|our] ' +
      '(permission|consent|authorisation|authorization) to <call>',
  ),
  ruleUnless(
    NEGATED,
    'nothing',
    '(revoke|revoking|withdraw|withdrawing|retract) (my|any|all|our) (consent|permission)',
  ),
];

/** Demands to remove the number: "take me off your list", "delete my number". */
const DEMANDS_TO_REMOVE: readonly OptOutRule[] = [
  ruleUnless(FETCHED, 'anything', '<take> (me|us|<number>) from <list>'),
  ruleUnless(
    NEGATED,
    'anything',
    '<remove> [me|us|it|<number>] (off|from|out) [of] <list>',
    '(<take>|want) [me|us|it|<number>] (off|out) [of] <list>',
    '(have|get|want|need|like) <number> <removed> <list>',
  ),
  ruleUnless(
    NEGATED,
    'anything',
    '(be|get|getting|being|number|name|details) <removed> <yours>',
    '(take|remove|delete|strike|cross|scrub|wipe) (him|her|them|(my|his|her|their|our) <person> [<thing>]|(my|our|his|her|their) _s <thing>|(his|her|their) <thing>) ' +
      '(off|from|out of) <yours>',
    '(not (want|wish|like|supposed) [to] [be|even]|should not [even] be) on <yours>',
  ),
  ruleUnless(NEGATED, 'nothing', '(take|taking) (me|us|<number>) off', '(remove|removing) (me|us)'),
  ruleUnless(NEGATED, 'nothing', '(<remove>|<take>) (me|us|<number>) (off|from) <such>* <calls>'),
  rule(
    'nothing',
    '(make sure|see [to it]|ensure) [that] <number> (is|gets) (removed|deleted|erased|wiped|taken off)',
  ),
  ruleUnless(FOR_ONESELF, 'nothing', '(get rid of|throw away|destroy|scrub|purge) <number>'),
  ruleUnless(
    KEPT,
    'nothing',
    '(lose|losing|delete|deleting|remove|removing|erase|forget|bin|block|wipe|scrap|ditch) <number>',
  ),
  ruleUnless(NEGATED, 'nothing', '(have|get|want|need|like) <number> (deleted|removed|erased|blocked)'),
  ruleUnless(
    NEGATED,
    'anything',
    '(on|onto|to|in|with) (your|the|this|that|a|any|national|internal|company)* ' +
      '((do not|no|do not contact|never) (call|calls|calling) [me] (list|registry|register|database)|' +
      'do not contact (list|registry|register)|telephone preference service|t p s|tps)',
  ),
  ruleUnless(
    NEGATED,
    'nothing',
    '(unsubscribe|(opt|opting) [me|us] out) [me|us|<number>] ' +
      '[(from|of) (<list>|<such>* calls|this|it|everything|all of (it|this|that))]',
  ),
];

/** Threats in case of another call: "call me again and I will sue". */
const THREATS: readonly OptOutRule[] = [
  rule(
    'anything',
    '<ring> [<target>] (again|one more time|once more) [and|or|then] <threaten>',
    '<threaten> [you|about (this|it|you)] (if|when|[the] next time) you [ever] <ring> [<target>]',
    'if (i|we) (get|receive|have) <such>* (call|calls) [from you] <threaten>',
    '[the] next time you <ring> [<target>] <threaten>',
  ),
];

/** All rules of permanent opt-outs in English. `isOptOutIn` applies them: one rule whose conditions hold is enough. */
export const OPT_OUT_RULES: readonly OptOutRule[] = [
  ...PROHIBITIONS,
  ...DISPUTES,
  ...DEMANDS_TO_STOP,
  ...UNWANTED_CALLS,
  ...DEMANDS_TO_REMOVE,
  ...THREATS,
];
