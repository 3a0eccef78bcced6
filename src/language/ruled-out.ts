/*
 * Finds values in an English utterance that the words around them rule out ("not on Tuesday", "Tuesday does not
 * work") or make a mere bound ("after three"). `resolveMentions` and `readChoice` skip values that are ruled out
 * (`isRuledOut`). A value that is a mere bound (`isOpenEnded`) leaves the answer of `resolveMentions` open, unless its
 * caller allows bounds.
 */

/** The place of a value: from the word `start` to before the word `end`. */
export interface WordSpan {
  start: number;
  end: number;
}

/** Words that rule out a value shortly after them: "not on Tuesday", "anything but Tuesday", "I am busy on Tuesday". */
const DENIAL_BEFORE = new RegExp(
  '(?:^| )(?:(?<!\\bwhy )not(?! (?:mind|matter|care|only)\\b)|stop [^ ]+ing|except|than|neither|nor|never|far from|hardly|busy|away|at work|instead of|' +
    '(?:any|anything|anytime|every|everything|all)(?: [^ ]+)? but)(?: [^ ]+){0,3}$',
);
/**
 * Words that rule out a value before them: "Tuesday does not work", "Tuesday is no good", "Tuesday I can not". The
 * group `not` is set if the denial is a "not": that may belong to the next value instead.
 */
const DENIAL_AFTER = new RegExp(
  '^(?:(?:is|are|was|does|do|will|would|can|could|am|i|we|he|she|it|that|just|really|probably|unfortunately|a|bit|' +
    'be|little|far|much|way|already|in|at|the|morning|afternoon|evening|night) )*' +
    '(?:(?<not>not)(?! (?:(?:a |an |so |too )?(?:problem|bad|issue)|mind|matter|care|recommend)\\b)|never|no (?:good|use|go|way|chance)\\b|bad|out(?! of)|busy|impossible|' +
    'difficult|hard|tricky|away|full|taken|unavailable|too (?:early|late|soon|far|close|much|busy|many|few))(?: |$)',
);
/** Words before a time at which the caller is elsewhere ("I have to go to work on Monday"); see {@link isElsewhere}. */
const ELSEWHERE = /(?:^| )(?:have|need|got|going|must) (?:to )?(?:go|work)(?: [^ ]+){0,5}$/;
/** A pattern for an engagement: "I have a meeting [at three]", "[on Monday] I have another appointment". */
const ENGAGED =
  "(?:have|have got|got|there is) (?:already )?(?:(?:an?|my|the) (?:[^ ]+ )??(?:meeting|class|lesson|shift|interview|funeral|wedding|exam|(?:doctor|dentist)(?:'s)? appointment)|an?other appointment)";
const ENGAGED_BEFORE = new RegExp(`(?:^| )${ENGAGED}(?: (?:on|at|from|around|about|the|next|this))*$`);
const ENGAGED_AFTER = new RegExp(`^(?:(?:in the|on|at) [^ ]+ )?(?:i|we) ${ENGAGED}(?: |$)`);
/** Words after the time of an absence that begin the conclusion: "so …", "how about …". */
const CONCLUSION_AFTER =
  /^(?:so|but|then|how about|what about|maybe|can we|could we|let us say|i can do|rather|better|make it)(?: |$)/;
/** Words after a value that accept it: "is fine", "works". */
const FITS = /^(?:is|would be|would|works|will do|suits|then|please|instead)(?: |$)/;
/** Words between two values that join them, so that one denial rules out both. */
const OR_BETWEEN = /^or(?: (?:on|at|the|maybe|perhaps|even))*$/;
/** Words that begin a conclusion before a value: a denial before them belongs to the reason. */
const CONCLUSION_BEFORE =
  /(?<!(?:^| )(?:not|quite)) so(?: (?:an?|the|on|at|maybe|perhaps|i would say|let us say|make it))*$/;
/** The only words allowed between a "not" and the next value, if the "not" denies that value. */
const LEADS_TO_NEXT = /^(?:on|at|in|the|by|for|this|next|until| )*$/;
/** Words that make an hour, a day or an amount a mere bound: "after three", "at least five". */
const BOUND_BEFORE = new RegExp(
  '(?:^| )(?:after|before|until|till|til|since|from|between|past|under|over|below|above|at least|at most|up to|week of|' +
    '(?:earliest|latest)(?: (?:is|would be))?(?: at)?)(?: (?:the|about|around))?$',
);
const BOUND_AFTER =
  /^(?:onwards?|plus|or (?:later|earlier|after|before|more|less|fewer)|and (?:up|above|later|after|over)|(?:at the |the )?(?:earliest|latest)|at (?:least|most)|minimum|maximum|tops)\b/;

/**
 * True if the words before or after a value rule it out.
 * @param mentions the places of all values in the utterance, from left to right
 * @param index the value in question
 */
export function isRuledOut(words: readonly string[], mentions: readonly WordSpan[], index: number): boolean {
  return (
    denialLengthAfter(words, mentions, index) > 0 ||
    isDeniedWithNext(words, mentions, index) ||
    isDeniedBefore(words, mentions, index) ||
    isElsewhere(words, mentions, index) ||
    isEngaged(words, mentions, index)
  );
}

/**
 * True if the caller is elsewhere at that time and names another: "I have to go to work on Monday so Tuesday", "I have
 * to work on Monday, Tuesday is fine".
 */
function isElsewhere(words: readonly string[], mentions: readonly WordSpan[], index: number): boolean {
  const [mention, next] = [mentions[index]!, mentions[index + 1]];
  const before = words.slice(mentions[index - 1]?.end ?? 0, mention.start).join(' ');
  if (next === undefined || !ELSEWHERE.test(before)) return false;
  const between = words.slice(mention.end, next.start).join(' ');
  return CONCLUSION_AFTER.test(between) || FITS.test(words.slice(next.end).join(' '));
}

/** True if a denial after the next value rules out both: "Monday or Tuesday is no good". */
function isDeniedWithNext(words: readonly string[], mentions: readonly WordSpan[], index: number): boolean {
  const [mention, next] = [mentions[index]!, mentions[index + 1]];
  if (next === undefined || !OR_BETWEEN.test(words.slice(mention.end, next.start).join(' '))) return false;
  return denialLengthAfter(words, mentions, index + 1) > 0 || isDeniedWithNext(words, mentions, index + 1);
}

/** True if the caller has an engagement at that time. */
function isEngaged(words: readonly string[], mentions: readonly WordSpan[], index: number): boolean {
  const { start, end } = mentions[index]!;
  const before = words.slice(mentions[index - 1]?.end ?? 0, start).join(' ');
  const following = words.slice(end, mentions[index + 1]?.start ?? words.length).join(' ');
  return ENGAGED_BEFORE.test(before) || ENGAGED_AFTER.test(following);
}

/** True if words before the value deny it. */
function isDeniedBefore(words: readonly string[], mentions: readonly WordSpan[], index: number): boolean {
  const { start } = mentions[index]!;
  const previous = mentions[index - 1];
  const from = (previous?.end ?? 0) + (previous ? denialLengthAfter(words, mentions, index - 1) : 0);
  const between = words.slice(from, start).join(' ');
  // "I never give tens, so nine" ("tens" is no value): "never" belongs to the reason and does not deny nine.
  if (DENIAL_BEFORE.test(between)) return !CONCLUSION_BEFORE.test(between);
  // "Not Monday or Tuesday": one negation for both.
  return (
    /^(?:or|nor)\b/.test(between) && previous !== undefined && isDeniedBefore(words, mentions, index - 1)
  );
}

/**
 * The number of words after a mention up to the end of its denial; 0 for none. A "not" right before the next
 * mention belongs to that mention.
 */
function denialLengthAfter(words: readonly string[], mentions: readonly WordSpan[], index: number): number {
  const { end } = mentions[index]!;
  const next = mentions[index + 1]?.start ?? words.length;
  const tail = words.slice(end, next).join(' ');
  const denial = DENIAL_AFTER.exec(tail);
  if (!denial) return 0;
  const isOfTheNext =
    denial.groups?.['not'] !== undefined &&
    next < words.length &&
    LEADS_TO_NEXT.test(tail.slice(denial[0].length));
  return isOfTheNext ? 0 : denial[0].trim().split(' ').length;
}

/** True if a value is a mere bound of the answer: "after three", "from Monday on", "at least five". */
export function isOpenEnded(words: readonly string[], { start, end }: WordSpan): boolean {
  return (
    BOUND_BEFORE.test(words.slice(Math.max(0, start - 4), start).join(' ')) ||
    BOUND_AFTER.test(words.slice(end, end + 3).join(' '))
  );
}
