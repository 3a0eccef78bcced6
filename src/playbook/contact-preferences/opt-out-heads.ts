import { aboutCalls } from './call-words.js';

/* Phrases before a possible opt-out that give it another meaning. */

/** "I don't want you to …", "please do not …". */
export const NEGATED = aboutCalls('(not|never) (<may>|you|to|ever|even|please|just|be)* $');
/** "You never call me", "they do not ring": a habit, not a wish. */
export const STATED = aboutCalls('(you [guys|folks|people|lot|all]|they|he|she|we|i|who|nobody|why) $');
/** "They won't stop calling me", "I had to stop calling": about other people, or the speaker. */
export const GOING_ON = aboutCalls(
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
/** "He promised not to call". */
export const PROMISED = aboutCalls(
  '(promised?|agreed?|swore|remember|remind me|trying|try|i was|they were|i am) $',
  '(tell|told|tells|advised|asked|warned) (me|us) $',
  '(tell|ask|remind) (him|her|them|(the|that|my|this) _) $',
);
/** "There were no more calls", "I got no calls". */
export const COUNTED = aboutCalls(
  '(had|got|gotten|received|have|has|were|are|was|been|get|not|never|see|saw|is|be|if|why|with|made|took|take|did|find|said) $',
);
/** "Did you say you would not call again?" */
export const QUOTED = aboutCalls(
  '(did|do|does) (you|they|he|she) (say|promise|tell me|tell us|mean) [that] $',
);
/** The same about staff; "your staff never call me again" is still a wish. */
export const STATED_OF_STAFF = aboutCalls(
  '(your _|(the|my|these|those|some|most|our) [_] (staff|team|office|company|clinic|doctor|people|_s)|people) $',
);
/** "I told the lady never call me" is a wish all the same. */
export const TOLD = aboutCalls(
  '(told|tells?|telling|asked|ask|asking|warned|warning|said|say|saying|want|begged|begging|please) [_] [_] $',
  '(how|what) about you $',
  '(not know|thank|hate|with|of|from|for) you [people|guys] $',
);
/** "I never told you not to call me." */
export const NOT_SAID = aboutCalls(
  '(not|never) (ask|say|tell|mean|said|told|asked|meant|saying|asking|telling) ' +
    '(that|you|to|anybody|anyone|people|guys|your _|should)* $',
);
/** "Did I not tell you not to call me?" */
export const HAVE_I_NOT = aboutCalls('(did|have|had) i (not|never) (ask|say|tell|said|told|asked)');
/** "Press nine to opt out", "press nine if you no longer want these calls": an instruction, not a wish. */
export const ANNOUNCED = aboutCalls(
  '<press> <key> (to|if|for|and|you|we|will|would|want|wish|like|need|be|have|get|do|please|simply)* $',
);
/** "To be removed from our list press nine." */
export const ANNOUNCED_BEHIND = aboutCalls(
  '^(!(i|we|and|so|or|but|they|you) _)* [you (can|may)] <press> <key>',
);
/** "On Sundays please don't call me." */
export const LIMITED_FROM_THE_START = aboutCalls(
  '^(please|and|but|also|just)* (on|at|before|after|during|until|between|in the) _ [_] [_] [_] [_] $',
);

/** "I'm at a funeral, please don't call" may apply only to the present. */
export const JUST_NOW = aboutCalls(
  '(^|no|sorry|look|because|but) (i am|we are) [still|just|currently|right now] (driving|eating|sleeping|cooking|busy|(at|in) _ [_] [_]) ' +
    '(so|and|please|sorry|just|right now|now|at the moment)* $',
  '(^|no|sorry|look|but|well|oh) not (today|tonight|now|right now|just now|at the moment|this (morning|afternoon|evening|week)) ' +
    '(so|and|please|sorry|just|thanks|thank you|but|i am busy)* $',
);

/** "What if you did not call me?" */
export const WONDERED = aboutCalls('(what|and|but|so|^) $');
/** "If you don't call me again I'll come by." */
export const REASONED = aboutCalls('(if|when|unless|because|why|how|that) $');
/** "Did you not want to be called?" */
export const ASKED_BACK = aboutCalls('(do|did|would|can|could) you $', 'they (do|did) $');
/** "You can get my number from your records." */
export const FETCHED = aboutCalls(
  '(not|never) (<may>|you|to|ever|even|please|just)* $',
  '(you|they|i|we) (can|could|should|may|might|must|will|would|did|have|always|just|also|probably) [just|also|always] $',
  '(do|did) (you|they) $',
);
/** "Did I ask you not to call?" is a question; "how many times did I tell you …" is not. */
export const ASKED_WHETHER = aboutCalls(
  '(^|so|and|or|when|why) (did|do|does|have|has) (i|we|he|she|they|anybody|anyone|somebody|someone) [ever|really] $',
  'who $',
  '(not|never) (<may>|ever)* $',
);
/** "I'm trying to get rid of this number": about the speaker's own number. */
export const FOR_ONESELF = aboutCalls(
  '(not|never) (<may>|you|to|ever|even|please|just)* $',
  '(i|we) [_] (want|need|had|have|has|trying|going|like|hope|plan|managed|decided|might|will|would|did|just|to)* $',
);
/** "Don't delete my number", "you always lose my number". */
export const KEPT = aboutCalls(
  '(not|never) (<may>|you|to|ever|even|please|just)* $',
  '(they|i|always|did _) $',
  '(^|!(can|could|would|will) _) you $',
);
