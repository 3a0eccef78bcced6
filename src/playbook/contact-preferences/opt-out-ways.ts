import { aboutCalls } from './call-words.js';
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
} from './opt-out-heads.js';
import type { Phrasing } from '#language/phrasing.js';

/**
 * What must follow an opt-out phrase for it to count.
 * - `anything`: no condition.
 * - `clause`: the end, a new sentence or a description of the calls, but no object ("do not call me John").
 * - `target`: the same, after the person or number that must not be called.
 * - `nothing`: the end or a new sentence.
 * - `ever`: "again" or "ever".
 */
type Needs = 'anything' | 'clause' | 'target' | 'nothing' | 'ever';

export interface OptOutWay {
  said: Phrasing;
  needs: Needs;
  /** Phrases before the match that give it another meaning. */
  unless?: Phrasing;
}

/** Introductions of a wish: "I'd be grateful if", "I wish". */
const WISHED =
  '(wish|rather|prefer|prefer it if|(appreciate it|appreciated|grateful|thankful|obliged|better|best|great|good|nice|' +
  'kind|lovely|happy|happier|glad|pleased|love it|like it|wonderful) if) [that] ' +
  '(you|they) [people|guys|folks|all]';

/** A permanent opt-out may follow these words as if it began the utterance: "later, or never call back". */
const TAKING_LEAVE =
  'goodbye|bye|later|actually|better|i am (driving|busy|at work)|in a meeting|(have|need|got|must|gotta|should) to go|' +
  'must go|gotta go|hang up|(not|can not) (now|talk|speak)';

const way = (needs: Needs, ...said: readonly string[]): OptOutWay => ({ needs, said: aboutCalls(...said) });
const wayUnless = (unless: Phrasing, needs: Needs, ...said: readonly string[]): OptOutWay => ({
  ...way(needs, ...said),
  unless,
});

/** Calls are forbidden. */
const FORBIDDEN: readonly OptOutWay[] = [
  wayUnless(STATED, 'target', '(do not|never) <ever>* (<call>|<calling>)'),
  wayUnless(PROMISED, 'target', '(not to|to not|to never|never to) <ever>* <call>'),
  way(
    'target',
    '(you [people|guys|folks]|company|anybody|anyone) (must|should|shall|may) not <ever>* (<call>|<calling>)',
    '(you [people|guys|folks]|company|anybody|anyone) are not [allowed to|permitted to|to] <ever>* <call>',
    '(can|could|would|will) you (please|just|kindly) (not|never) <ever>* <call>',
  ),
  way('target', `${WISHED} (do|did|would|could) not <ever>* <call>`),
  way('target', `${WISHED} (never <called>|would never <call>)`),
  wayUnless(WONDERED, 'target', 'if you (did|would|could) not <ever>* <call>'),
  wayUnless(QUOTED, 'ever', 'you [people|guys|folks] (can not|could not|will not|would not) <ever>* <call>'),
  wayUnless(
    REASONED,
    'ever',
    'you [people|guys|folks] (do not|never ever) <ever>* <call> !([<target>] (anymore|any more))',
  ),
  way(
    'ever',
    '(can|could|would|will) you not <ever>* <call>',
    // "No need to call again" may be kindly meant: the agent asks instead.
    'no (reason|point) [for you] to <ever>* <call>',
    'no need [for you] to <ever>* <call> !([<target>] (again|anymore|any more)* (thanks|thank you|please)* (i|we) (will|have|know|am|are|got|shall|can))',
  ),
  way('ever', '(make sure|see to it|ensure) [that] (nobody|no one|none of you) [from _ _] [ever] <rings>'),
  way('nothing', `(^|and|please|just|${TAKING_LEAVE}) never <call> [me|us] back`),
  wayUnless(STATED, 'ever', '(do not|never) <ever>* <reach>'),
  way('clause', `${WISHED} (do|did|would|could) not <dial>`),
  way('target', '(would|do|could) you [mind] not <calling>'),
  wayUnless(
    ASKED_WHETHER,
    'clause',
    'you [people|guys|folks] (have|had|were) (all|already)* [been] (told|asked|warned) (not|never) to <ever>* <dial>',
    '(tell|telling|told|ask|asking|asked|warn|warning|warned|beg|begging|begged) <them> <ever>* not to <ever>* <dial>',
  ),
];

/** The caller disputes the right to call. */
const UNLAWFUL: readonly OptOutWay[] = [
  way(
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

/** Calls must stop. */
const STOPPED: readonly OptOutWay[] = [
  wayUnless(
    GOING_ON,
    'anything',
    '(stop|quit|cease|enough (of|with)|refrain from|no more) ' +
      '((texting|emailing|spamming) (and|or)|bloody|constantly|always|ever|with|the|this|all|your)* <calling>',
  ),
  way('anything', `${WISHED} stopped <calling>`),
  wayUnless(NEGATED, 'anything', '<tired> <them> [always|constantly|still|keep] <calling>'),
  wayUnless(
    NEGATED,
    'clause',
    '<tired> being <called>',
    '<tired> [getting|receiving|answering|all] (your|these|those) <such>* <calls>',
  ),
  wayUnless(
    NEGATED,
    'clause',
    'keep [on] <calling> [_] [_] [_] [_] (want|need|like) (it|this|that|you) to stop',
  ),
  way(
    'clause',
    '(this|that) (is|was|will be|had better be|better be) the last time <them> [ever] (<call>|<called>)',
  ),
  wayUnless(NEGATED, 'clause', 'keep [on] <calling> [_] [_] [please] stop [it|that|this] [now]'),
  wayUnless(
    COUNTED,
    'clause',
    '(stop|quit|cease|no (more|further)|enough [of|with]|end|discontinue|put (an end|a stop) to|(knock|cut) it off with) [it] [making|with|getting|receiving] ' +
      '<such>* <calls>',
    '(these|the|your|those|all) [_] calls [have|need|has|must|got] [to] stop',
    'calls [please] stop (them|it|this)',
    '(want|like|need|have) <such>* calls [to (me|us|here|<number>)] (stopped|to (stop|end|cease))',
  ),
  way(
    'nothing',
    // After "I'm driving" or "not now" the phrase may apply only to the present: the agent asks instead.
    '(^|goodbye|bye|to go) (no|please|thanks|thank you|i said|sorry|okay|just|and|but)* no ' +
      '([phone|sales|marketing|cold|automated|robot|robo|spam|nuisance] calls|robocalls) [from (you|your _)]',
  ),
  way(
    'clause',
    '(no|any) (further|more) (contact|communications?)',
    '(stop|cease|end) (all|any) [further] (contact|communication|communications)',
  ),
  wayUnless(NEGATED, 'anything', '(leave|leaving) (me|us|(my|our) <person>) (alone|be|in peace)'),
];

/** Calls are unwanted. */
const UNWANTED: readonly OptOutWay[] = [
  wayUnless(
    ASKED_BACK,
    'clause',
    '(not|never|no longer) (really|actually|even|ever|particularly)* [be] ' +
      '(want|wanting|wish|need|needing|like|care|consent|agree|expect|appreciate) [for] ' +
      '(<you> (to <ever>* (<call>|<calling>)|<calling> [(my|our) <person>])|to being <called>|to (be|get|keep being|keep getting) <called>|being <called>|' +
      '[to (receive|get|have|take|hear|accept|be getting|keep getting)|to] <such>* <calls>|to hear from <you>)',
  ),
  way(
    'clause',
    '(rather|prefer|like|want|wish|choose|ask|asked) [to] not [to] (be|get) <called>',
    '(prefer|appreciate|like) not being <called>',
  ),
  way('clause', '(rather|prefer|wish) not [to] ((get|have|receive|take) <such>* <calls>|hear from <you>)'),
  way(
    'clause',
    'not (accept|take|answer|want) [any] ((sales|marketing|cold|unsolicited|nuisance|automated) calls|robocalls)',
    'not (accept|take|answer|want) [any] calls (like (this|these|that|yours)|from (robots?|machines?|a (robot|machine)|you))',
    '(object to being|refuse to be) <called>',
    '(your|these|those) <such>* <calls> are (not [at all|very] (welcome|wanted|appreciated|needed)|unwelcome|unwanted)',
    '(not|never) (ask|asked|sign|signed|subscribe|subscribed|agree|agreed|opt|opted) [up|in] ' +
      '((for|to) [receive|get|getting|receiving] (your|these|those|any|this|the) <such>* <calls>|to be <called>)',
  ),
  way(
    'nothing',
    '(ask|asked|want|wanted|like|wish|demand|demanded) to be (removed|taken off|deleted|left alone)',
  ),
  way('clause', 'no (further|more|other) calls (will|can|are) [to] be (accepted|answered|taken|tolerated)'),
  way('nothing', '<them> (are|is|keep) harassing (me|us)'),
  way('nothing', '(this|(these|your) <such>* calls) (is|are) [plain|pure|sheer|nothing but] harassment'),
  wayUnless(
    NEGATED,
    'nothing',
    '(am|will be|will|have|going to) (block|blocking|blocked) (you|your number|this number)',
  ),
  way('ever', '(am|are|be|get|is) not <called>'),
  way('clause', '(nobody|no one) [here|in this _] (wants|needs|likes) (<such>* <calls>|to be <called>)'),
  way('clause', 'not be (taking|accepting) any (more|further) <such>* calls'),
  way('clause', '(that|so) i (never|do not) [ever] (get|receive|have) <such>* <calls>'),
  way(
    'clause',
    '(not|never) (agree|agreed|consent|consented) to (be <called>|[get|receive] <such>* <calls>)',
  ),
  way(
    'target',
    '(not|never|withdraw|revoke) (have|give|gave|given|got|any|you)* [my|any|our] ' +
      '(permission|consent|authorisation|authorization) to <call>',
  ),
  wayUnless(
    NEGATED,
    'nothing',
    '(revoke|revoking|withdraw|withdrawing|retract) (my|any|all|our) (consent|permission)',
  ),
];

/** The number must be removed. */
const FORGOTTEN: readonly OptOutWay[] = [
  wayUnless(FETCHED, 'anything', '<take> (me|us|<number>) from <list>'),
  wayUnless(
    NEGATED,
    'anything',
    '<remove> [me|us|it|<number>] (off|from|out) [of] <list>',
    '(<take>|want) [me|us|it|<number>] (off|out) [of] <list>',
    '(have|get|want|need|like) <number> <removed> <list>',
  ),
  wayUnless(
    NEGATED,
    'anything',
    '(be|get|getting|being|number|name|details) <removed> <yours>',
    '(take|remove|delete|strike|cross|scrub|wipe) (him|her|them|(my|his|her|their|our) <person> [<thing>]|(my|our|his|her|their) _s <thing>|(his|her|their) <thing>) ' +
      '(off|from|out of) <yours>',
    '(not (want|wish|like|supposed) [to] [be|even]|should not [even] be) on <yours>',
  ),
  wayUnless(NEGATED, 'nothing', '(take|taking) (me|us|<number>) off', '(remove|removing) (me|us)'),
  wayUnless(NEGATED, 'nothing', '(<remove>|<take>) (me|us|<number>) (off|from) <such>* <calls>'),
  way(
    'nothing',
    '(make sure|see [to it]|ensure) [that] <number> (is|gets) (removed|deleted|erased|wiped|taken off)',
  ),
  wayUnless(FOR_ONESELF, 'nothing', '(get rid of|throw away|destroy|scrub|purge) <number>'),
  wayUnless(
    KEPT,
    'nothing',
    '(lose|losing|delete|deleting|remove|removing|erase|forget|bin|block|wipe|scrap|ditch) <number>',
  ),
  wayUnless(NEGATED, 'nothing', '(have|get|want|need|like) <number> (deleted|removed|erased|blocked)'),
  wayUnless(
    NEGATED,
    'anything',
    '(on|onto|to|in|with) (your|the|this|that|a|any|national|internal|company)* ' +
      '((do not|no|do not contact|never) (call|calls|calling) [me] (list|registry|register|database)|' +
      'do not contact (list|registry|register)|telephone preference service|t p s|tps)',
  ),
  wayUnless(
    NEGATED,
    'nothing',
    '(unsubscribe|(opt|opting) [me|us] out) [me|us|<number>] ' +
      '[(from|of) (<list>|<such>* calls|this|it|everything|all of (it|this|that))]',
  ),
];

/** Threats in case of another call. */
const THREATENED: readonly OptOutWay[] = [
  way(
    'anything',
    '<ring> [<target>] (again|one more time|once more) [and|or|then] <threaten>',
    '<threaten> [you|about (this|it|you)] (if|when|[the] next time) you [ever] <ring> [<target>]',
    'if (i|we) (get|receive|have) <such>* (call|calls) [from you] <threaten>',
    '[the] next time you <ring> [<target>] <threaten>',
  ),
];

export const OPT_OUT_WAYS: readonly OptOutWay[] = [
  ...FORBIDDEN,
  ...UNLAWFUL,
  ...STOPPED,
  ...UNWANTED,
  ...FORGOTTEN,
  ...THREATENED,
];
