import { callPhrasing } from './call-words.js';

/*
 * Words around an opt-out phrase that give it another meaning: before it (`$` is the place where it begins), or after
 * it (`ANNOUNCED_AFTER`). Most are exceptions of the rules that name them (`unless`). `opt-out.ts` applies the others
 * to all rules, and with TOLD and HAVE_I_NOT takes two exceptions back.
 */

/** A negation of the opt-out: "I don't want you to [stop calling]", "please do not …". */
export const NEGATED = callPhrasing('(not|never) (<may>|you|to|ever|even|please|just|be)* $');
/** A statement about a habit: "you never call me", "they do not ring". */
export const STATED = callPhrasing('(you [guys|folks|people|lot|all]|they|he|she|we|i|who|nobody|why) $');
/** A statement about other people or the speaker: "they won't stop calling me", "I had to stop calling". */
export const GOING_ON = callPhrasing(
  '(it|he|she|they|who|phone|i|we) (will|would|can|could|did|do|does|never|just|have|has|had) [not] [ever|just] $',
  '(i|we|he|she) (had|have|has|must|should|will|shall|want|wants|wanted|need|needs|needed|am|was|is|trying|try|tried|' +
    'going|decided|not|can|could|would|really|just|to)* $',
  '(^|!(you) _) (will|would|can|could|do|does|did) not [ever|just] $',
  '(shall|should|did|do|does|will|can) (i|we|they|he|she) $',
  '(why|when) (did|do|have|has|would|had) (you|they|he|she|it|everybody) $',
  '(when|if|until) (i|we|they|he|she) $',
  '(me|us|him|her) to $',
  '(want|wants|wanted|need|needs|get|got|ask|asked|tell|told|make|made) (my|his|her|our) !(to|please|just|that) _ [to] [please] $',
  '(i|we|he|she) (was|were|have been|had been) (told|asked|advised) to $',
  '(never|i|he|she|they|we) $',
  'do not [ever] $',
  'not (want|ask|tell|need|mean) [you] to $',
);
/** A report of a promise or an order: "he promised not to call", "remind me not to call". */
export const PROMISED = callPhrasing(
  '(promised?|agreed?|swore|remember|remind me|trying|try|i was|they were|i am) $',
  '(tell|told|tells|advised|asked|warned) (me|us) $',
  '(tell|ask|remind) (him|her|them|(the|that|my|this) _) $',
);
/** A report of the number of calls: "there were no more calls", "I got no calls". */
export const COUNTED = callPhrasing(
  '(had|got|gotten|received|have|has|were|are|was|been|get|not|never|see|saw|is|be|if|why|with|made|took|take|did|find|said) $',
);
/** A question about earlier words: "did you say you would not call again?" */
export const QUOTED = callPhrasing(
  '(did|do|does) (you|they|he|she) (say|promise|tell me|tell us|mean) [that] $',
);
/** A statement about the habits of staff: "your staff never call me". With "again" the words are a wish. */
export const STATED_OF_STAFF = callPhrasing(
  '(your _|(the|my|these|those|some|most|our) [_] (staff|team|office|company|clinic|doctor|people|_s)|people) $',
);
/** Words by which an apparent {@link STATED} is a wish: "I told the lady never call me". */
export const TOLD = callPhrasing(
  '(told|tells?|telling|asked|ask|asking|warned|warning|said|say|saying|want|begged|begging|please) [_] [_] $',
  '(how|what) about you $',
  '(not know|thank|hate|with|of|from|for) you [people|guys] $',
);
/** A denial of an earlier wish: "I never told you not to call me." */
export const NOT_SAID = callPhrasing(
  '(not|never) (ask|say|tell|mean|said|told|asked|meant|saying|asking|telling) ' +
    '(that|you|to|anybody|anyone|people|guys|your _|should)* $',
);
/** A reproach, which is no {@link NOT_SAID}: "did I not tell you not to call me?" */
export const HAVE_I_NOT = callPhrasing('(did|have|had) i (not|never) (ask|say|tell|said|told|asked)');
/** An instruction of a recording: "press nine to opt out", "press nine if you no longer want these calls". */
export const ANNOUNCED = callPhrasing(
  '<press> <key> (to|if|for|and|you|we|will|would|want|wish|like|need|be|have|get|do|please|simply)* $',
);
/** The same instruction after the opt-out phrase: "to be removed from our list press nine." */
export const ANNOUNCED_AFTER = callPhrasing(
  '^(!(i|we|and|so|or|but|they|you) _)* [you (can|may)] <press> <key>',
);
/** A limit before the opt-out phrase: "on Sundays please don't call me." */
export const LIMITED_FROM_THE_START = callPhrasing(
  '^(please|and|but|also|just)* (on|at|before|after|during|until|between|in the) _ [_] [_] [_] [_] $',
);

/** A reason that may apply only to the present: "I'm at a funeral, please don't call". */
export const JUST_NOW = callPhrasing(
  '(^|no|sorry|look|because|but) (i am|we are) [still|just|currently|right now] (driving|eating|sleeping|cooking|busy|(at|in) _ [_] [_]) ' +
    '(so|and|please|sorry|just|right now|now|at the moment)* $',
  '(^|no|sorry|look|but|well|oh) not (today|tonight|now|right now|just now|at the moment|this (morning|afternoon|evening|week)) ' +
    '(so|and|please|sorry|just|thanks|thank you|but|i am busy)* $',
);

/** A hypothetical question: "what if you did not call me?" */
export const WONDERED = callPhrasing('(what|and|but|so|^) $');
/** A condition or reason: "if you don't call me again I'll come by." */
export const REASONED = callPhrasing('(if|when|unless|because|why|how|that) $');
/** A question about the wishes of others: "did you not want to be called?" */
export const ASKED_BACK = callPhrasing('(do|did|would|can|could) you $', 'they (do|did) $');
/** A permission to look the number up, or a negation: "you can get my number from your records." */
export const FETCHED = callPhrasing(
  '(not|never) (<may>|you|to|ever|even|please|just)* $',
  '(you|they|i|we) (can|could|should|may|might|must|will|would|did|have|always|just|also|probably) [just|also|always] $',
  '(do|did) (you|they) $',
);
/** A question whether a wish was expressed: "did I ask you not to call?", unlike "how many times did I tell you …". */
export const ASKED_WHETHER = callPhrasing(
  '(^|so|and|or|when|why) (did|do|does|have|has) (i|we|he|she|they|anybody|anyone|somebody|someone) [ever|really] $',
  'who $',
  '(not|never) (<may>|ever)* $',
);
/** A plan of the speaker, or a negation: "I'm trying to get rid of this number". */
export const FOR_ONESELF = callPhrasing(
  '(not|never) (<may>|you|to|ever|even|please|just)* $',
  '(i|we) [_] (want|need|had|have|has|trying|going|like|hope|plan|managed|decided|might|will|would|did|just|to)* $',
);
/** A wish to stay listed, or a complaint: "don't delete my number", "you always lose my number". */
export const KEPT = callPhrasing(
  '(not|never) (<may>|you|to|ever|even|please|just)* $',
  '(they|i|always|did _) $',
  '(^|!(can|could|would|will) _) you $',
);
