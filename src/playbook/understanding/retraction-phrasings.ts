import { phrasingCompiler } from '#language/phrasing.js';

/* Phrasings of callers who take back an earlier yes or no: "actually, I can't come". `retraction.ts` combines them. */

/** Compiles patterns with these classes of words; `language/phrasing.ts` explains the notation. */
const compile = phrasingCompiler({
  /** Opening words while a speaker thinks. */
  well:
    'oh|ah|aw|er|actually|right|here|you know what|well|no|nope|yes|yeah|ok|okay|but|um|uh|hm|hmm|and|so|look|listen|sorry|' +
    'i am [so|very] sorry|wait|hold on|hang on|just|a|one|second|moment',
  coming: 'come|coming|make it|be there|attend|attending',
  call_off: 'cancel|cancelling|canceling|reschedule|postpone|(call|put) [it] off',
  cannot: '(can|could|will|would|do|did|does|am|are|is) not',
  one: '(i|we|it|that|this)',
});

/** Words at the beginning that refer to an earlier answer: "actually …", "sorry …", "I have changed my mind …". */
export const LEAD = compile(
  '^ <well>* (actually|wait|sorry|hold on|hang on|oh no|on second thoughts?|come to think of it|' +
    'i [have] changed my mind|i [have] [just] (remembered|realised|realized|noticed)|i forgot|scratch that|' +
    'forget (it|that)|i take (it|that) back|i meant|i am afraid|[my|i made a] mistake|unfortunately)',
);
/** Utterances that only say that the earlier answer was wrong, so that its opposite is meant: "I changed my mind". */
export const CHANGED_MIND = compile(
  '^ <well>* i ([have] [just] changed my mind|take (it|that) back) (about (it|that)|sorry|actually|please)* $',
);
/** Statements that a yes was meant as a no: "I said yes but I meant no", "I should have said no". */
export const MEANT_NO = compile(
  'i said (yes|yeah|okay) [_] [_] i (meant|mean|should have said) [to say] no',
  'i (should have said|meant to say) no',
  'i should not have said yes',
);
/** Words about coming to an appointment, in an utterance or in a question. */
export const COMING = compile('<coming>|came up|(show|turn) up|appointment|visit|<call_off>');
/** Statements of callers who do not come, for questions whether they come: "I can't come". */
export const NOT_COMING = compile('not [_] [_] [_] [_] <coming>');
/** Denials without a verb of their own, which refer to an earlier question: "I can't", "it won't". */
export const DENIES = compile(
  '<one> <cannot> ($|want|going|able|do|it)',
  '(today|tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday) (does|will|is) (not|no)',
);
/** Statements about other visits: "I never forget an appointment", "I don't want a next visit". */
export const OTHER_VISIT = compile('never (forget|miss)', '(next|another|other|second) (visit|appointment)');
/** Statements about other people than the caller: "my wife can't". */
export const OTHERS = compile('(he|she|they|who|(my|our|your) _) (<cannot>|(has|have) not)');
