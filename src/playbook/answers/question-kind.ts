import { matches, phrasingCompiler, toMatchText, type Phrasing } from '#language/phrasing.js';
import { wordsOf } from '#language/words.js';
import type { Sign } from './yes-no-signs.js';

/**
 * The meaning of a "yes" to a yes/no question. `readYesNo` reads an answer according to it: "good" is a yes to "Is this
 * a good time?" and a no to "Any problems?".
 * - `plain`: a "yes" is good news.
 * - `own`: only the caller knows the answer ("Will you come?", "Have you paid?").
 * - `trouble`: a "yes" reports a problem ("Any problems?").
 * - `mind`: a "yes" is a refusal ("Do you mind?").
 * - `cancelling`, `moving`: a "yes" cancels or moves the appointment ("Do you want to cancel?").
 * - `more`: a "yes" says that something is left to discuss ("Anything else?").
 */
export type QuestionKind = 'plain' | 'own' | 'trouble' | 'mind' | 'cancelling' | 'moving' | 'more';

/** Compiles patterns with these classes of words; `language/phrasing.ts` explains the notation. */
const compile = phrasingCompiler({
  wish: '(do|did|would) you [still] (want|like|need|wish|prefer) [us|me] to|(shall|should) (we|i)',
  off: 'cancel|cancelling|cancelled|canceled|call [it] off',
  move: 'move|reschedule|rescheduling|rescheduled|postpone|postponed|rearrange|rearranging',
});
/** Questions whether there is a problem: "any trouble with the delivery?" */
const TROUBLE = compile(
  'problems?|issues?|troubles?|bother|hassle|inconvenience|inconvenient|objections?|worry|worries|worried|concerns?|' +
    'difficult|difficulty|difficulties|complain|complaints?|hurt|hurts|hurting|pain|wrong|broken|damaged|faulty|' +
    'missing|unhappy|unwell|disappointed',
);
/** Questions whether a problem is over, to which a "yes" is good news: "was the problem solved?" */
const TROUBLE_OVER = compile(
  'solve|solved|fix|fixed|resolve|resolved|sort|sorted|settled?|gone|over|repaired|dealt|taken care|replaced|help',
);
/** Questions to which a "yes" is a refusal: "would you mind?" */
const MIND = compile('(mind|object|opposed)');
/** Questions whether to cancel: "do you want to cancel?" */
const CALLING_OFF = compile('<wish> <off>', '(are|have) you [still] (<off>|unable)');
/** Questions about coming (kind `own`), even if they also offer to cancel: "will you come, or shall we cancel?" */
const COMING = compile('(come|make it|be there|attend|keep)');
/** Questions whether to move the appointment: "would you like to reschedule?" */
const MOVING = compile('<wish> <move>', '(are|have) you [still] <move>');
/** Questions that propose a new date, which a "yes" accepts: "would you like to move it to Tuesday?" */
const MOVING_TO = compile(
  '<move> [_] [_] [_] to (monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|next|the|#|one|two|three|' +
    'four|five|six|seven|eight|nine|ten|eleven|twelve)',
);
/** Questions whether anything is left to discuss: "anything else?" */
const MORE = compile(
  '(anything|something|nothing|any) (else|more|other|further)',
  'any [other|more|further] questions',
);

/** Questions that only the caller can answer. "Go on" is no answer to them. */
const OWN = compile(
  '^[_] [_] [_] [_] (will|did|have|had|were|are|was|has|does|do|is|can) ' +
    '(you|he|she|they|(your|the) _) (still|already|all|also|ever|just|now|really|currently|be|able|planning|going|to)* ' +
    '!(a good|good|free|ready|happy|comfortable|ok|okay|alright|fine|prepared|willing|want|like|wish|prefer|need|agree|' +
    'sure|accept|confirm|consent|authorise|authorize|approve|have (a|any|some|the|two|five|ten|time)|got|time|a|with|there|right|talk|speak|for) _',
);

/** Questions whether a thing is right, so that "the wrong one" means no: "did you get the right one?" */
const RIGHT = compile('(right|correct)');

/**
 * The kind of the last question in a text: the first whose rule matches, else `plain`.
 * @param asked everything the agent said before the answer; null if unknown
 */
export function kindOfQuestion(asked: string | null): QuestionKind {
  const question = toMatchText(wordsOf(lastQuestion(asked ?? '')));
  const has = (phrasing: Phrasing) => matches(phrasing, question);
  if (has(MORE)) return 'more';
  if (has(MIND)) return 'mind';
  if (has(COMING)) return 'own';
  if (has(CALLING_OFF)) return 'cancelling';
  if (has(MOVING) && !has(MOVING_TO)) return 'moving';
  if (has(TROUBLE) && !has(TROUBLE_OVER)) return 'trouble';
  return has(OWN) && !has(RIGHT) ? 'own' : 'plain';
}

/** The last sentence with a question mark; empty without one. */
function lastQuestion(asked: string): string {
  return (
    asked
      .split(/(?<=[.!?]) +/)
      .filter((sentence) => sentence.includes('?'))
      .at(-1) ?? ''
  );
}

/** Signs that are no verdict by themselves: only the question gives them a meaning. */
type QuestionDependent =
  | 'coming'
  | 'staying_away'
  | 'good'
  | 'praise'
  | 'failing'
  | 'eager'
  | 'just_so'
  | 'finished'
  | 'off'
  | 'moved'
  | 'kept'
  | 'averse'
  | 'hindered'
  | 'amiss'
  | 'thinking';
/**
 * The meaning of a sign as an answer to one question. `turned` is evidence against a "no" (a denied problem), but is no
 * "yes" by itself.
 */
export type Verdict = Exclude<Sign, QuestionDependent> | 'turned';

/** The verdict on each sign for a plain question. */
const PLAIN_VERDICTS: Readonly<Record<Sign, Verdict>> = {
  yes: 'yes',
  weak_yes: 'weak_yes',
  welcome: 'welcome',
  no: 'no',
  unsure: 'unsure',
  open: 'open',
  go: 'go',
  neither: 'neither',
  coming: 'yes',
  staying_away: 'no',
  failing: 'no',
  good: 'weak_yes',
  praise: 'neither',
  eager: 'yes',
  just_so: 'yes',
  finished: 'neither',
  off: 'open',
  moved: 'open',
  kept: 'open',
  averse: 'no',
  hindered: 'open',
  amiss: 'no',
  thinking: 'unsure',
};
/** The verdicts that questions about cancelling and moving share: "I'll come" is a no to "Do you want to cancel?". */
const CHANGE_VERDICTS: typeof PLAIN_VERDICTS = {
  ...PLAIN_VERDICTS,
  coming: 'no',
  staying_away: 'turned',
  kept: 'no',
  welcome: 'open',
  hindered: 'turned',
};
/** The verdict on each sign by kind of question. */
const VERDICTS: Readonly<Record<QuestionKind, Readonly<Record<Sign, Verdict>>>> = {
  plain: PLAIN_VERDICTS,
  own: { ...PLAIN_VERDICTS, go: 'turned', amiss: 'open' },
  trouble: {
    ...PLAIN_VERDICTS,
    go: 'turned',
    amiss: 'yes',
    failing: 'turned',
    staying_away: 'turned',
    coming: 'no',
    good: 'no',
    praise: 'no',
    welcome: 'no',
    finished: 'no',
  },
  mind: {
    ...PLAIN_VERDICTS,
    good: 'no',
    weak_yes: 'no',
    welcome: 'no',
    go: 'no',
    eager: 'open',
    averse: 'yes',
  },
  cancelling: { ...CHANGE_VERDICTS, off: 'yes' },
  moving: { ...CHANGE_VERDICTS, moved: 'yes' },
  more: { ...PLAIN_VERDICTS, just_so: 'no', finished: 'no' },
};

/** True if "go on" means yes to this kind of question: then "I'm busy, but go on" is a yes. */
export function acceptsGoAhead(kind: QuestionKind): boolean {
  return VERDICTS[kind].go !== 'turned';
}

/** Signs whose denial is no "no" to a kind of question: "it was not good", to "Any problems?". */
const TURNED_BY_DENIAL: Readonly<Partial<Record<QuestionKind, ReadonlySet<Sign>>>> = {
  trouble: new Set<Sign>(['good', 'praise', 'coming']),
  cancelling: new Set<Sign>(['coming']),
  moving: new Set<Sign>(['coming']),
};

/**
 * The meaning of a sign as an answer to a question of this kind.
 * @param denies the sign that this sign denies: "good" in "not good"; null if it denies none
 */
export function verdictFor(kind: QuestionKind, sign: Sign, denies: Sign | null): Verdict {
  // "I'm not ill" answers nothing.
  if (denies === 'hindered') return 'neither';
  return denies !== null && TURNED_BY_DENIAL[kind]?.has(denies) ? 'turned' : VERDICTS[kind][sign];
}
