import { matches, phrasingCompiler, toMatchText } from '#language/phrasing.js';

/** Compiles patterns with these classes of words; `language/phrasing.ts` explains the notation. */
const compile = phrasingCompiler({
  they: '(you|they|he|she|people|anybody|anyone|somebody|someone|your _) [guys|people]',
  that: '(see|know|understand) (if|why|how|when|whether|that)',
  we: '(i|we)',
});

/*
 * The phrasings below match the words directly before "call me …" (`$` is the place where "call me" begins). They
 * distinguish a request for another call from questions, reports and refusals: "you never call me on Monday".
 */

/** A polite question: always a request, even after a refusal ("I don't want to, can you call me tomorrow"). */
const ASKED = compile(
  '((can|could|would|will) you|why (do|would|could) not you|(what|how about) if you) (please|just|maybe|perhaps)* $',
);
/** A reproach in the form of a polite question: "how could you call me at ten?" */
const REPROACHED = compile('(why|how) (can|could|would|will) you $');
/** A question about calls: "why do you call me at ten at night?", "did you call me on Monday?" */
const QUESTIONED = compile(
  '((why (do|did|would|must|should|can|could|will|are|does|is)|how (can|could|dare|did)|when (do|did)|do|did|does) <they>|' +
    '(have|had|are) you [guys|people]) (not|always|have to|need to|keep|even|ever|only|just|dare|to|all)* $',
  'who (told|asked) you to $',
);
/** A report of calls: "you said you would call me back", "they never call me on Monday". */
const STATED = compile(
  '<they> (always|only|never|even|still|often|usually|sometimes|keep|did|said|promised|agreed|offered|were|was|had|' +
    'forgot|failed) (<they>|would|will|could|should|to|that|supposed|meant|going|have)* $',
  '(they|he|she|people|who) $',
);
/** The speaker is the person who will call: "I will call back", "can I ring back later". */
const BY_MYSELF = compile(
  '<we> (was|were|will|shall|would|can|could|may|might|must|should|have|had|has|need|want|like|love|prefer|rather|going|am|are|' +
    'to|try|tried|trying|always|just|better|got|gonna|only)* $',
  'let (me|us) (just|try to|try and)* $',
  'what number (can|do|should) i $',
);
/** "Call" as a noun, or another person who calls: "I have a call tomorrow", "somebody will try in May". */
const A_CALL = compile(
  '(a|an|the|your|my|our|their|his|her|this|that|another|one|phone|conference|work|no|any|first|next|every|<they>|who) $',
  '<they> (will|would|can|could|may|might|must|should|need|needs|want|wants|have|has|to|always|just|never|not|only|still|did|do)* $',
);
/**
 * Other people's calls: "does the doctor call me at three?", "the nurse said she would ring me", "I was told you
 * would".
 */
const BY_OTHERS = compile(
  '(does|did|will|would|has) (the|my|a|your|he|she|they|dr|doctor) [_] [_] [going to] $',
  // Only at the beginning: "this is a bad time, call me tomorrow" is a request.
  '^(and|but|so|oh|well|sorry|yes|no|hello)* (is|was) (the|my|a|your|he|she|they|dr|doctor) [_] [_] [going to] $',
  '(he|she|they|(the|my) _) (will|would|could|might|should|is going to|was going to|has to) $',
  '(told|said|heard|promised|understood|thought) (me|us|that|i|was|to)* (you|someone|somebody|he|she|they) ' +
    '[would|will|could|were going to|might|should] $',
);
/** A condition at the beginning of a sentence: "if you call me at ten again …". */
const CONDITIONAL = compile(
  '^(and|but|no|yes|well|look|listen|because)* (if|when|whenever|unless) you (ever|dare|keep|go and)* $',
);
/** A prohibition: "do not call me on Monday", "you can't call me at ten", "don't you ever call me". */
const FORBIDDEN = compile('(not|never) (ever|even|dare|bother|go|keep|just|really|you|please|try to)* $');
/** An unwanted call: "I told you not to call", "there is no need to call", "I don't need a call back". */
const UNWANTED = compile(
  '(not|no) (really|be|make|makes)* (necessary|needed|required|allowed|supposed|sense|good) [(for you|for anyone|in)] to $',
  'unnecessary [for you] to $',
  '(not|never|no longer) (really|want|need|like|wish|have|expect|ask|tell|think|believe|<that>)* ' +
    '(that|if|why|how|when|whether|for|you|them|anybody|anyone|people|guys|should|can|could|would|will|ever|to|a|any|' +
    'your|another|get|receive|be|have|need)* (to|you|a|any|your|another|ever|should|can|could|would|will) $',
  'no (need|point|use|reason|more) (for you|in)* [to] $',
  '(nobody|no one|none of you) (can|could|will|would|ever|to|should)* $',
);
/** A refusal to talk now: after "I cannot" the words "call me tomorrow" begin another sentence, and are a request. */
const REFUSED = compile(
  '(i|we|it|that|this) [_] not [(want|need|like|going|able|have|wish|plan|think|think <we> (can|could|will|would|should)|mean) [to]] $',
);
/** "You call me at ten at night" is a statement; "okay, you call me at ten" ({@link AGREED}) is an agreement. */
const YOU_BEFORE = compile('you $');
const AGREED = compile(
  '(ok|okay|so|then|and|yes|maybe|alright|right|fine|if|can|could|will|would|well|unless) you $',
);

/** The number of words before "call me" that are read. */
const HEAD_WORDS = 10;

/**
 * True if the caller asks for another call; false if the words forbid calls, ask about calls or report calls.
 * `leaveRequestIn` asks it during a call, `actionableItems` in the analysis after the call.
 * @param before all words before "call me", as `wordsOf` returns them
 * @param wish the words of the possible request: "call me tomorrow"
 */
export function isCallBackRequested(before: readonly string[], wish: readonly string[]): boolean {
  const head = toMatchText(before.slice(-HEAD_WORDS));
  const saysMe = wish.includes('me');
  // "Call" without "me" may be a noun, or a call by the speaker.
  if (/^(?:call|ring|phone|try)$/.test(wish[0]!) && !saysMe) {
    const isTalkOfACall = !wish.includes('back') && !matches(ASKED, head) && matches(A_CALL, head);
    if (isTalkOfACall || matches(BY_MYSELF, head)) return false;
  }
  if (matches(BY_OTHERS, head) || matches(CONDITIONAL, head)) return false;
  if (matches(ASKED, head)) return !matches(REPROACHED, head);
  if (saysMe && matches(REFUSED, head)) return true;
  if ([QUESTIONED, STATED, FORBIDDEN, UNWANTED].some((phrasing) => matches(phrasing, head))) return false;
  // "You call me at …" states a habit; "you call me tomorrow" is a request.
  const isStatement = matches(YOU_BEFORE, head) && !matches(AGREED, head);
  return !(isStatement && /^(?:in|on|at)$/.test(wish.at(-1)!));
}
