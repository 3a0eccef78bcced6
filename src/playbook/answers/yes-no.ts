import {
  acceptsGoAhead,
  kindOfQuestion,
  verdictFor,
  type QuestionKind,
  type Verdict,
} from './question-kind.js';
import { asksForIdentity, withoutThirdParties, givesOwnName } from './third-parties.js';
import { phrasingCompiler, toMatchText } from '#language/phrasing.js';
import { readRestated } from './restated-answer.js';
import { normaliseAnswer } from './normalise-answer.js';
import { findPhrase, wordsOf } from '#language/words.js';
import { signs, type Sign } from './yes-no-signs.js';

/** Short answers that mean yes only at the end of an utterance: "I will", but not "I will be late". */
const YES_AT_THE_END = new RegExp(
  '(?:^| )(?:' +
    '(?:i|we|they|he|she|it|that) (?:will|would|do|does|did|can|am|are|is|was|were|have|had)|' +
    'you (?:can|may)|' +
    '(?:i|we) (?:want to|want|guess|suppose|(?:would )?(?:like|love) to)' +
    ')$',
);
/** Words before a short answer that take its meaning away: "I thought I had", "when I did". */
const IN_SUBORDINATE_CLAUSE =
  /(?:^| )(?:thought|hoped|believed|assumed|imagined|expected|figured|reckoned|swore|sworn|if|when|unless|until|before|than|as|like|what|where|how|whatever|wherever)(?: that)? (?:i|we|they|he|she|it|that|you) [^ ]+$/;
/** Polite words at the end, which are cut off before the end is matched. */
const POLITE_ENDING = /(?: (?:please|thanks|thank you|then|indeed))+$/;
/** "I'm good" may mean "no, thank you" as well as "yes". */
const AM_GOOD =
  /^(?:oh )?(?:i am|we are) (?:good|fine|ok|okay|alright|all set|all right)(?: for now| thanks| thank you)*$/;
/** A "no" that the next words take back: "no, I would love to". */
const NO_BUT_YES =
  /^(?:(?:sorry|oh|well|wait) )*no (?:(?:no|sorry) )*(?:(?:i|we) (?:will|would|do|can|am|are|would (?:like|love) to|want to)(?: |$))+$/;
/** A clear yes at the beginning of the words after "but". */
const PLAIN_YES =
  /^(?:yes|yeah|yep|yup|sure|definitely|absolutely|(?:i|we) will (?:be there|come|make it))(?: |$)/;
/** Words of correction: if signs conflict, the signs after the last correction decide. */
const CORRECTION = new Set(['wait', 'actually', 'sorry', 'mean', 'meant', 'correction']);
/** Words that deny the words after them. "No" is not among them: it is an answer. */
const DENIALS = new Set(['not', 'never', 'neither', 'unable']);
/** Signs that can be denied: "not good", "not ill". */
const DENIABLE_SIGNS = new Set<Sign>([
  'yes',
  'weak_yes',
  'welcome',
  'go',
  'coming',
  'good',
  'praise',
  'eager',
  'just_so',
  'hindered',
]);
/** Words that are no answer when they lead up to a `welcome`: "no, no problem". */
const PLAIN_NO = new Set(['no', 'nope', 'nah']);
/** A denial reaches over fewer words than this to its object: "not a very good time". */
const NEGATION_REACH = 4;

/** Phrases of a playbook that mean yes or no to one question only, such as "cancel" to "Will you come?". */
export interface OwnPhrases {
  yes?: readonly string[] | null | undefined;
  no?: readonly string[] | null | undefined;
}

/**
 * Reads the answer to a yes/no question in English; null if it is not clearly one of both. `readValue` uses it for
 * questions of a playbook, `interpret.ts` also for read-backs, `readRetraction` for answers that are taken back.
 * @param words the words of the answer, as `wordsOf` returns them
 * @param own phrases of the question; when clear, they take precedence over the general rules
 * @param asked the text of the question, which decides what "good" or "cancel" means; null if unknown
 * @param callee the names of the callee, separated by blanks; null if unknown
 */
export function readYesNo(
  words: readonly string[],
  own: OwnPhrases = {},
  asked: string | null = null,
  callee: string | null = null,
): 'yes' | 'no' | null {
  const byOwnPhrase = readOwnPhrases(words, own);
  if (byOwnPhrase !== null) return byOwnPhrase;
  const said = withoutTalkOfCalls(words, asked);
  // Null if the caller mentions no third party.
  const rest = withoutThirdParties(said, callee);
  // "This is her husband" is neither a yes nor a no, except as an answer to "Am I talking to …?".
  if (rest !== null && asksForIdentity(asked)) return 'no';
  if (asksForIdentity(asked) && givesOwnName(said, asked)) return 'yes';
  return readByRules(rest ?? said, kindOfQuestion(asked)) ?? readRestated(rest ?? said, asked);
}

/**
 * Reads an answer by the phrases that the playbook gives for its question. Null if a phrase is denied ("don't cancel"),
 * if phrases of both answers occur, or none.
 */
export function readOwnPhrases(words: readonly string[], own: OwnPhrases): 'yes' | 'no' | null {
  const found = (['yes', 'no'] as const).filter((sign) =>
    (own[sign] ?? []).some((phrase) => {
      const at = findPhrase(words, wordsOf(phrase));
      return at >= 0 && !words.slice(Math.max(0, at - NEGATION_REACH), at).some((word) => DENIALS.has(word));
    }),
  );
  const only = found.length === 1 ? found[0]! : null;
  // "I'm at work, but go ahead": the own phrase for "no" is only the first half of the answer.
  const but = words.lastIndexOf('but');
  if (only === 'no' && but > 0 && readByRules(words.slice(but + 1)) === 'yes') return null;
  return only;
}

/** Statements about calls rather than about the question: "don't call me at work". */
const ABOUT_CALLS = phrasingCompiler({
  call: 'call|ring|phone|contact|text|email|remind',
  calling: 'calling|ringing|phoning|texting|contacting|reminding',
  again: 'again|anymore|any more|any longer',
})(
  '[but|and] [please|just] [(i|we) (told|asked) (you|them)] [do] (not|never) (you|ever|even|to)* <call> (me|us|here|my _|again|so|too|at|on|before|after|during) [(early|late|often|much)]',
  '(i|we) (told|asked) (you|them) not to <call>',
  '[but|and] [please] [(can|could|would|will) you] [please|just] (tell|ask) (you|them|him|her|(the|my|your) _|everybody|everyone|people) ' +
    '(not to|never to|to not|to never) <call> [me|us|here|this _] [<again>] [please|thanks|thank you]',
  '(no need|not necessary|you (do|need) not (have|need|even)*) [for you] [to] <call> [me|us|back] [again|anymore|any more|every time|each time]',
  '[(i|we) (did|do|am|are|have)] (not|never) (ask|asked|tell|telling|told|asking|want|mean|you|to)* stop <calling> [me|us|here]',
  '[(if|when) you] [(i|we|you) (do|did|would|really)*] (not|no longer) (want|need|like|wish) (to|be|get|receive|any|all|a|more|further|another|the|these|those|your|such)* ' +
    '(reminders?|reminded|called|rung|phoned|calls) [<again>]',
  '[(i|we) [would]] (rather|prefer|prefer it if) [that] you (did|do|would) not <call> [me|us|here] [<again>]',
  'no [more|further|other] (reminders?|calls) [(needed|necessary|required|please|thanks)]',
);
/** Questions about calls or messages: to them, statements about calls are answers. */
const ASKS_ABOUT_CALLS = /\b(?:call|ring|phone|contact|text|email|remind|reminders?)\b/i;

/** The words without {@link ABOUT_CALLS}, unless the question is about calls. */
function withoutTalkOfCalls(words: readonly string[], asked: string | null): readonly string[] {
  if (ASKS_ABOUT_CALLS.test(asked ?? '')) return words;
  return toMatchText(words).replace(ABOUT_CALLS, '').trimEnd().split(' ');
}

/**
 * True if the caller has not decided: "maybe", "I have to ask my wife". The answer to a question with `answers.unsure`
 * is then `unsure`.
 */
export function isUndecided(words: readonly string[]): boolean {
  const found = signs.find(normaliseAnswer(words)).map(({ meaning }) => meaning);
  return (found.includes('unsure') || found.includes('thinking')) && readByRules(words) === null;
}

/** Conditions about the conversation, which take nothing back: "yes, but be quick". */
const IN_A_HURRY = phrasingCompiler({ quick: 'quick|quickly|brief|briefly|short|fast' })(
  '(but|if|as long as|only if|provided) (please|you|we|it|that|this|can|could|is|are|be|do|make|keep|it|just|only|really|very|have to be|does not take long|takes)* ' +
    '(<quick>|a (minute|moment|second)|not long|hurry) [up|please|though|then] $',
);

/** Reads an answer by the signs in it and their order; null if they do not decide. */
function readByRules(heard: readonly string[], kind: QuestionKind = 'plain'): 'yes' | 'no' | null {
  const words = normaliseAnswer(toMatchText(heard).replace(IN_A_HURRY, '').trimEnd().split(' '));
  const said = words.join(' ');
  if (AM_GOOD.test(said)) return kind === 'more' || kind === 'trouble' ? 'no' : null;
  if (NO_BUT_YES.test(said.replace(POLITE_ENDING, ''))) return null;
  const verdicts = toVerdicts(joinDenials(words, withoutThinking(signs.find(words))), kind);
  if (verdicts.length === 0) return endsWithYes(words) ? 'yes' : null;
  const decided = decide(verdicts.map(({ meaning }) => meaning));
  // "I'm busy, but go ahead": "go ahead" after "but" decides.
  const but = words.lastIndexOf('but');
  const saysGoAhead =
    but > 0 && acceptsGoAhead(kind) && signs.find(words.slice(but)).some((mark) => mark.meaning === 'go');
  if (decided !== 'yes' && saysGoAhead) return 'yes';
  // "I wasn't going to, but now I can": the end contradicts the no.
  if (decided === 'no' && but > 0 && endsWithYes(words.slice(but + 1))) return null;
  // "I might be late, but yes": a doubt before "but" gives way to a plain yes after it.
  const isMaybe = verdicts.every(({ meaning, start }) => start > but || meaning === 'unsure');
  if (decided === null && but > 0 && isMaybe && PLAIN_YES.test(words.slice(but + 1).join(' '))) return 'yes';
  // "Yes, but …": words after "but" that are no sign may take the yes back.
  if (decided === 'yes' && but > 0 && verdicts.every(({ start }) => start < but)) return null;
  return decided === 'conflict' ? decideConflict(words, verdicts) : decided;
}

/** A sign or verdict at its place: from the word `start` to before the word `end`. */
interface PlacedSign<Meaning> {
  meaning: Meaning;
  start: number;
  end: number;
}

/** Drops the sign `thinking` unless it comes last: "let me see, yes" is a yes. */
function withoutThinking(marks: readonly PlacedSign<Sign>[]): PlacedSign<Sign>[] {
  return marks.filter(({ meaning }, index) => meaning !== 'thinking' || index === marks.length - 1);
}

/**
 * Joins a denial and the agreement after it into one "no" that names what it `denies`: "not good", "don't think I can
 * make it".
 */
function joinDenials(
  words: readonly string[],
  marks: readonly PlacedSign<Sign>[],
): (PlacedSign<Sign> & { denies: Sign | null })[] {
  const kept: (PlacedSign<Sign> & { denies: Sign | null })[] = [];
  for (const mark of marks) {
    const before = kept.at(-1);
    const isDenied =
      (before?.meaning === 'no' || before?.meaning === 'averse') &&
      DENIALS.has(words[before.end - 1]!) &&
      mark.start - before.end < NEGATION_REACH &&
      !words.slice(before.end, mark.start).some((word) => word === 'so' || word === 'but');
    // "Please do" is a yes, "please do not" is not.
    const isTakenBack = words[mark.end] === 'not';
    if (!DENIABLE_SIGNS.has(mark.meaning) || !(isDenied || isTakenBack)) kept.push({ ...mark, denies: null });
    else if (isDenied) before.denies ??= mark.meaning;
  }
  return kept;
}

/** The verdict on each sign as an answer to this kind of question, without the signs that mean nothing to it. */
function toVerdicts(
  marks: readonly (PlacedSign<Sign> & { denies: Sign | null })[],
  kind: QuestionKind,
): PlacedSign<Verdict>[] {
  return marks
    .map(({ meaning, denies, ...place }) => ({ ...place, meaning: verdictFor(kind, meaning, denies) }))
    .filter(({ meaning }) => meaning !== 'neither');
}

/**
 * The answer of some verdicts, in any order; `conflict` if they contain both a yes and a no. A `go` overrules all
 * others; `unsure` and `open` leave the answer undecided. `turned` decides nothing by itself, and rules out a no.
 */
function decide(meanings: readonly Verdict[]): 'yes' | 'no' | 'conflict' | null {
  const has = (sign: Verdict) => meanings.includes(sign);
  if (has('go')) return 'yes';
  if (has('unsure') || has('open')) return null;
  const isYes = has('yes') || has('welcome');
  if (has('turned')) return isYes && !has('no') ? 'yes' : null;
  if (isYes && has('no')) return 'conflict';
  if (has('no')) return 'no';
  return isYes || has('weak_yes') ? 'yes' : null;
}

/** Decides between a yes and a no by corrections and by lead-ups to "no problem". */
function decideConflict(
  words: readonly string[],
  verdicts: readonly PlacedSign<Verdict>[],
): 'yes' | 'no' | null {
  const corrected = words.findLastIndex(
    (word, at) => CORRECTION.has(word) && verdicts.some(({ start }) => start > at),
  );
  const after = decide(verdicts.filter(({ start }) => start > corrected).map(({ meaning }) => meaning));
  if (corrected >= 0 && after && after !== 'conflict') return after;
  const welcome = verdicts.findIndex(({ meaning }) => meaning === 'welcome');
  const isLeadUp = ({ start }: PlacedSign<Verdict>, index: number) =>
    index < welcome && PLAIN_NO.has(words[start]!);
  return verdicts.every((verdict, index) => verdict.meaning !== 'no' || isLeadUp(verdict, index))
    ? 'yes'
    : null;
}

/** True if the last words are a short yes: "I will", "please". */
function endsWithYes(words: readonly string[]): boolean {
  const said = words.join(' ');
  const answer = said.replace(POLITE_ENDING, '');
  return said === 'please' || (YES_AT_THE_END.test(answer) && !IN_SUBORDINATE_CLAUSE.test(answer));
}
