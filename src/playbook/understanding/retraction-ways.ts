import { phrasings } from '#language/phrasing.js';

const says = phrasings({
  /** Opening words while a speaker thinks. */
  well:
    'oh|ah|aw|er|actually|right|here|you know what|well|no|nope|yes|yeah|ok|okay|but|um|uh|hm|hmm|and|so|look|listen|sorry|' +
    'i am [so|very] sorry|wait|hold on|hang on|just|a|one|second|moment',
  coming: 'come|coming|make it|be there|attend|attending',
  call_off: 'cancel|cancelling|canceling|reschedule|postpone|(call|put) [it] off',
  cannot: '(can|could|will|would|do|did|does|am|are|is) not',
  one: '(i|we|it|that|this)',
});

/** "Actually …", "sorry …", "I have changed my mind …": what follows is about an earlier answer. */
export const LEAD = says(
  '^ <well>* (actually|wait|sorry|hold on|hang on|oh no|on second thoughts?|come to think of it|' +
    'i [have] changed my mind|i [have] [just] (remembered|realised|realized|noticed)|i forgot|scratch that|' +
    'forget (it|that)|i take (it|that) back|i meant|i am afraid|[my|i made a] mistake|unfortunately)',
);
/** "I can't come after all." */
export const TRAIL = says('(actually|after all|anymore|any more|any longer|on second thoughts?) $');
/** The whole utterance says only that the earlier answer was wrong, so its opposite is meant. */
export const CHANGED_MIND = says(
  '^ <well>* i ([have] [just] changed my mind|take (it|that) back) (about (it|that)|sorry|actually|please)* $',
);
/** "I said yes but I meant no", "I should have said no". */
export const MEANT_NO = says(
  'i said (yes|yeah|okay) [_] [_] i (meant|mean|should have said) [to say] no',
  'i (should have said|meant to say) no',
  'i should not have said yes',
);
export const COMING = says('<coming>|came up|(show|turn) up|appointment|visit|<call_off>');
export const COMES = says('<coming>');
/** "I can't come": only about a question whether the caller comes. */
export const NOT_COMING = says('not [_] [_] [_] [_] <coming>');
export const CALLING_OFF = says('<call_off>');
export const NOT_CALLING_OFF = says('(not|never) [_] [_] [_] <call_off>');
/** "I can't", "it won't": denies what an earlier question asked. */
export const DENIES = says(
  '<one> <cannot> ($|want|going|able|do|it)',
  '(today|tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday) (does|will|is) (not|no)',
);
/** Other visits: "I never forget an appointment", "I don't want a next visit". */
export const OTHER_VISIT = says('never (forget|miss)', '(next|another|other|second) (visit|appointment)');
/** About other people than the one who was asked. */
export const OTHERS = says('(he|she|they|who|(my|our|your) _) (<cannot>|(has|have) not)');
