import { phraseTable } from './phrases.js';
import { inUsualWords } from './usual-words.js';
import { findPhrase, wordsOf } from './words.js';

/**
 * What a word or phrase says about a question. A weak yes ("fine", "okay") is also said to soften a no; `go` is a
 * yes whatever was said before it ("no, no, go ahead"); `welcome` is a yes that a plain no only leads up to ("no, no
 * problem"); `neither` only looks like one of the others; `open` may mean either.
 */
type Sign = 'yes' | 'weak_yes' | 'welcome' | 'no' | 'unsure' | 'open' | 'go' | 'neither';

const signs = phraseTable<Sign>([
  [
    'yes',
    'yes, yeah, yep, yup, yea, yah, aye, affirmative, absolutely, definitely, certainly, indeed, totally, exactly, ' +
      'of course, for sure, you bet, you got it, by all means, uh huh, mm hmm, mhm, i think so, i guess so, ' +
      'i suppose so, i believe so, i hope so, i should think so, might as well, may as well, no doubt, with pleasure, be delighted, ' +
      "without a doubt, why not, don't see why not, can't wait, not busy, not too busy, not that busy, not very busy, " +
      'will be there, will come, will make it, will do it, will do that, can be there, can come, ' +
      "can make it, can do it, can do that, will be coming, i am coming, i'm still coming, i plan to, that works, " +
      "it works, this works, works for me, would love that, would like that, i'd be happy to, happy to, " +
      'i want that, i want it, confirm, confirmed, sounds good, sounds great, looking forward, count me in, ' +
      'as planned, see you then, see you there, see you tomorrow, have time, got time, have a moment, ' +
      'have a minute, have a second, got a minute, got a moment, got a second, please do, that is me, it is me, ' +
      'this is me, this is she, this is he, this is her, this is him, speaking, that is it, it is it',
  ],
  ['welcome', 'no problem'],
  [
    'weak_yes',
    'sure, ok, okay, okey, alright, all right, right, fine, good, great, perfect, correct, gladly, wonderful, ' +
      'fantastic, excellent, lovely, true, cool, agreed',
  ],
  [
    'no',
    'no, nope, nah, negative, never, neither, unable, unfortunately, not, no thanks, no thank you, no way, ' +
      "not really, not now, not today, not right now, not at the moment, not at all, not yet, i'm afraid not, " +
      "of course not, certainly not, definitely not, absolutely not, probably not, don't think so, rather not, " +
      'prefer not, not interested, bad time, bad moment, busy, another time, another day, ' +
      'some other time, no longer, something came up, wrong, incorrect, forget it, never mind, count me out, ' +
      'uh uh, nuh uh, hardly, wish i, inconvenient, nothing doing',
  ],
  [
    'unsure',
    "not sure, not so sure, not certain, don't know, not know, no idea, no clue, maybe, perhaps, possibly, " +
      "might, depends, let me think, let me check, have to check, need to check, have to ask, need to ask, can't say, " +
      "can't tell, can't decide, not decided, undecided, unsure, uncertain, hard to say, will see, have to see, need to see, " +
      'let me see, yes and no, i hope i, i hope we, hope to, i wonder, if i can, if we can, if i could, whether, will try, ' +
      'try to, have to think, need to think, think about it, let you know, is possible, could be, who knows, god knows, ' +
      "up in the air, fifty fifty, can't promise, can't guarantee",
  ],
  [
    'open',
    'cancel, reschedule, postpone, rearrange, probably, i doubt, doubtful, instead, another date, another day, a different day, ' +
      'a different time, different time, next week, change the time, change the day, move it, move that, push it back, as if, ' +
      'the thing is, in hospital, sick, ill, flu, away, out of town, in bed',
  ],
  ['go', 'go ahead, go on, carry on, go for it'],
  [
    'neither',
    'good morning, good afternoon, good evening, good day, good bye, right now, are you sure, is that right, ' +
      "excuse me, you know, no one, don't worry, don't you worry, not bad, never been better, can't complain, " +
      "never late, don't hang up, don't get me wrong, thank you, not only, not to worry, not matter",
  ],
]);

/** Short answers that are a yes only where nothing follows: "I will", but not "I will be late". */
const YES_AT_THE_END = new RegExp(
  '(?:^| )(?:' +
    '(?:i|we|they|he|she|it|that) (?:will|would|do|does|did|can|am|are|is|was|were|have|had)|' +
    'you (?:can|may)|' +
    '(?:i|we) (?:want to|want|guess|suppose|(?:would )?(?:like|love) to)' +
    ')$',
);
const POLITE_ENDING = /(?: (?:please|thanks|thank you|then|indeed))+$/;
/** As much a "no, thank you" as a "yes": "I'm good". */
const EITHER =
  /^(?:oh )?(?:i am|we are) (?:good|fine|ok|okay|alright|all set|all right)(?: for now| thanks| thank you)*$/;
/** A no that is taken back at once: "no, I would love to". */
const NO_BUT_YES = /^no (?:no )?(?:i|we) (?:will|would|do|can|am|are|would (?:like|love) to|want to)$/;
/** Words after which only what follows counts. */
const CORRECTION = new Set(['wait', 'actually', 'sorry', 'mean', 'correction']);
/** Words that deny what follows them, and what they can deny. "No" does not: it answers by itself. */
const DENIALS = new Set(['not', 'never', 'neither', 'unable']);
const AGREEMENTS = new Set<Sign>(['yes', 'weak_yes', 'welcome', 'go']);
/** Said before "no problem" they are no no. */
const PLAIN_NO = new Set(['no', 'nope', 'nah']);
/** How many words a negation reaches over to what it denies: "not a very good time". */
const NEGATION_REACH = 4;

/** Phrases that mean yes or no to one question only, such as "cancel" to "Will you come?". */
export interface OwnPhrases {
  yes?: readonly string[] | null | undefined;
  no?: readonly string[] | null | undefined;
}

/** A question to which "no problem" is a no: "Did you have any trouble?", "Do you mind?" */
const ASKS_FOR_TROUBLE =
  /\b(?:problems?|issues?|troubles?|bother|hassle|inconvenien\w+|object(?:ions?)?|mind|worr(?:y|ies)|concerns?|difficult\w*|complain\w*|hurt|wrong)\b/i;

/**
 * Reads an answer to a yes/no question; null when it is neither clearly. Takes the words of `wordsOf`.
 * @param own goes before the general rules, where it is clear by itself @param asked the words of the question
 */
export function readYesNo(
  words: readonly string[],
  own: OwnPhrases = {},
  asked: string | null = null,
): 'yes' | 'no' | null {
  return readOwnPhrases(words, own) ?? readGeneral(words, ASKS_FOR_TROUBLE.test(questionIn(asked ?? '')));
}

/** The last question in some words. */
function questionIn(asked: string): string {
  return (
    asked
      .split(/(?<=[.!?]) +/)
      .filter((sentence) => sentence.includes('?'))
      .at(-1) ?? ''
  );
}

/** A phrase of the question's own, unless it is denied ("don't cancel") or both kinds are said. */
export function readOwnPhrases(words: readonly string[], own: OwnPhrases): 'yes' | 'no' | null {
  const found = (['yes', 'no'] as const).filter((sign) =>
    (own[sign] ?? []).some((phrase) => {
      const at = findPhrase(words, wordsOf(phrase));
      return at >= 0 && !words.slice(Math.max(0, at - NEGATION_REACH), at).some((word) => DENIALS.has(word));
    }),
  );
  const only = found.length === 1 ? found[0]! : null;
  // "I'm at work, but go ahead."
  const but = words.lastIndexOf('but');
  if (only === 'no' && but > 0 && readGeneral(words.slice(but + 1)) === 'yes') return null;
  return only;
}

/** Whether somebody says that they do not know yet: "maybe", "I have to ask my wife". */
export function isUndecided(words: readonly string[]): boolean {
  const found = signs.find(inUsualWords(words)).map(({ meaning }) => meaning);
  return found.includes('unsure') && readGeneral(words) === null;
}

function readGeneral(spoken: readonly string[], asksForTrouble = false): 'yes' | 'no' | null {
  const words = inUsualWords(spoken);
  const said = words.join(' ');
  if (EITHER.test(said) || NO_BUT_YES.test(said.replace(POLITE_ENDING, ''))) return null;
  const found = withoutDenied(words, signs.find(words)).filter((mark) => mark.meaning !== 'neither');
  if (found.length === 0) return endsWithYes(words) ? 'yes' : null;
  const marks: Mark[] = found.map((mark) =>
    mark.meaning === 'welcome' && asksForTrouble ? { ...mark, meaning: 'no' } : mark,
  );
  const decided = decide(marks.map((mark) => mark.meaning));
  // "Yes, but …": what follows may take it back.
  const but = words.lastIndexOf('but');
  const goesOn = but > 0 && signs.find(words.slice(but)).some((mark) => mark.meaning === 'go');
  if (decided !== 'yes' && goesOn) return 'yes';
  if (decided === 'yes' && but > 0 && marks.every((mark) => mark.start < but)) return null;
  return decided === 'conflict' ? decideConflict(words, marks) : decided;
}

interface Mark {
  meaning: Sign;
  start: number;
  end: number;
}

/** A negation and the agreement it denies are one no: "not good", "don't think I can make it". */
function withoutDenied(words: readonly string[], marks: readonly Mark[]): Mark[] {
  const kept: Mark[] = [];
  for (const mark of marks) {
    const before = kept.at(-1);
    const isDenied =
      before?.meaning === 'no' &&
      DENIALS.has(words[before.end - 1]!) &&
      mark.start - before.end < NEGATION_REACH &&
      !words.slice(before.end, mark.start).some((word) => word === 'so' || word === 'but');
    // "Please do" is a yes, "please do not" is none.
    const isTakenBack = words[mark.end] === 'not';
    if (!(AGREEMENTS.has(mark.meaning) && (isDenied || isTakenBack))) kept.push(mark);
  }
  return kept;
}

function decide(meanings: readonly Sign[]): 'yes' | 'no' | 'conflict' | null {
  const has = (sign: Sign) => meanings.includes(sign);
  if (has('go')) return 'yes';
  if (has('unsure') || has('open')) return null;
  const isYes = has('yes') || has('welcome');
  if (isYes && has('no')) return 'conflict';
  if (has('no')) return 'no';
  return isYes || has('weak_yes') ? 'yes' : null;
}

function decideConflict(words: readonly string[], marks: readonly Mark[]): 'yes' | 'no' | null {
  const corrected = words.findLastIndex((word) => CORRECTION.has(word));
  const after = decide(marks.filter((mark) => mark.start > corrected).map((mark) => mark.meaning));
  if (corrected >= 0 && after && after !== 'conflict') return after;
  const welcome = marks.findIndex(({ meaning }) => meaning === 'welcome');
  const isLeadUp = (mark: Mark, index: number) => index < welcome && PLAIN_NO.has(words[mark.start]!);
  if (marks.every((mark, index) => mark.meaning !== 'no' || isLeadUp(mark, index))) return 'yes';
  const start = words.slice(0, 2).join(' ');
  // "Yeah, no" means no and "no, yeah" means yes, as long as nothing else is said.
  if (marks.length === 2 && /^(?:yeah|yes|yep) no$/.test(start)) return start === 'yes no' ? null : 'no';
  if (marks.length === 2 && /^no (?:yeah|yes|yep)$/.test(start)) return 'yes';
  return null;
}

function endsWithYes(words: readonly string[]): boolean {
  const said = words.join(' ');
  return said === 'please' || YES_AT_THE_END.test(said.replace(POLITE_ENDING, ''));
}
