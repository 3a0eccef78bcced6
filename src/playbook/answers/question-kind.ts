import { isSaid, phrasings, spoken, type Phrasing } from '#language/phrasing.js';
import { wordsOf } from '#language/words.js';
import type { Sign } from './yes-no-signs.js';

/**
 * What a yes is to a question of yes or no: `plain` where all is well with it; `own` where only the caller knows ("Will
 * you come?", "Have you paid?"); `trouble` where something is wrong ("Any problems?"), `mind` where somebody would
 * rather not ("Do you mind?"), `cancelling` and `moving` where they do not come, or not then ("Do you want to
 * cancel?"), `more` where there is something left ("Anything else?").
 */
export type QuestionKind = 'plain' | 'own' | 'trouble' | 'mind' | 'cancelling' | 'moving' | 'more';

const asks = phrasings({
  wish: '(do|did|would) you [still] (want|like|need|wish|prefer) [us|me] to|(shall|should) (we|i)',
  off: 'cancel|cancelling|cancelled|canceled|call [it] off',
  move: 'move|reschedule|rescheduling|rescheduled|postpone|postponed|rearrange|rearranging',
});
const TROUBLE = asks(
  'problems?|issues?|troubles?|bother|hassle|inconvenience|inconvenient|objections?|worry|worries|worried|concerns?|' +
    'difficult|difficulty|difficulties|complain|complaints?|hurt|hurts|hurting|pain|wrong|broken|damaged|faulty|' +
    'missing|unhappy|unwell|disappointed',
);
/** "Was the problem solved?" */
const TROUBLE_OVER = asks(
  'solve|solved|fix|fixed|resolve|resolved|sort|sorted|settled?|gone|over|repaired|dealt|taken care|replaced|help',
);
const MIND = asks('(mind|object|opposed)');
/** "Have you made up your mind?" */
const OWN_MIND = asks('(your|his|her|their|my) mind');
const CALLING_OFF = asks('<wish> <off>', '(are|have) you [still] (<off>|unable)');
/** "Will you come, or shall we cancel?" */
const COMING = asks('(come|make it|be there|attend|keep)');
const MOVING = asks('<wish> <move>', '(are|have) you [still] <move>');
/** "Would you like to move it to Tuesday?" asks for a yes from those who come. */
const MOVING_TO = asks(
  '<move> [_] [_] [_] to (monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|next|the|#|one|two|three|' +
    'four|five|six|seven|eight|nine|ten|eleven|twelve)',
);
const MORE = asks(
  '(anything|something|nothing|any) (else|more|other|further)',
  'any [other|more|further] questions',
);

/** What the caller alone knows: "go on" is no answer to it. */
const OWN = asks(
  '^[_] [_] [_] [_] (will|did|have|had|were|are|was|has|does|do|is|can) ' +
    '(you|he|she|they|(your|the) _) (still|already|all|also|ever|just|now|really|currently|be|able|planning|going|to)* ' +
    '!(a good|good|free|ready|happy|comfortable|ok|okay|alright|fine|prepared|willing|want|like|wish|prefer|need|agree|' +
    'sure|accept|confirm|consent|authorise|authorize|approve|have (a|any|some|the|two|five|ten|time)|got|time|a|with|there|right|talk|speak|for) _',
);

/** "Did you get the right one?": the wrong one is a no. */
const RIGHT = asks('(right|correct)');

/** @param asked all that was said before an answer: the last question in it counts */
export function kindOfQuestion(asked: string | null): QuestionKind {
  const question = spoken(wordsOf(lastQuestion(asked ?? '')));
  const has = (ways: Phrasing) => isSaid(ways, question);
  if (has(MORE)) return 'more';
  if (has(MIND) && !has(OWN_MIND)) return 'mind';
  if (has(COMING)) return 'own';
  if (has(CALLING_OFF)) return 'cancelling';
  if (has(MOVING) && !has(MOVING_TO)) return 'moving';
  if (has(TROUBLE) && !has(TROUBLE_OVER)) return 'trouble';
  return has(OWN) && !has(RIGHT) ? 'own' : 'plain';
}

function lastQuestion(asked: string): string {
  return (
    asked
      .split(/(?<=[.!?]) +/)
      .filter((sentence) => sentence.includes('?'))
      .at(-1) ?? ''
  );
}

/** Signs that need a question to mean something. */
type Leaning =
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
/** Signs that decide by themselves; what is `turned` speaks against a no, and is no yes by itself. */
export type Verdict = Exclude<Sign, Leaning> | 'turned';

const PLAIN: Readonly<Record<Sign, Verdict>> = {
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
const CALLED_OFF: typeof PLAIN = {
  ...PLAIN,
  coming: 'no',
  staying_away: 'turned',
  kept: 'no',
  welcome: 'open',
  hindered: 'turned',
};
const MEANINGS: Readonly<Record<QuestionKind, Readonly<Record<Sign, Verdict>>>> = {
  plain: PLAIN,
  own: { ...PLAIN, go: 'turned', amiss: 'open' },
  trouble: {
    ...PLAIN,
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
  mind: { ...PLAIN, good: 'no', weak_yes: 'no', welcome: 'no', go: 'no', eager: 'open', averse: 'yes' },
  cancelling: { ...CALLED_OFF, off: 'yes' },
  moving: { ...CALLED_OFF, moved: 'yes' },
  more: { ...PLAIN, just_so: 'no', finished: 'no' },
};

/** Whether "but go on" grants what was asked, whatever stands before it. */
export function isGranting(kind: QuestionKind): boolean {
  return MEANINGS[kind].go !== 'turned';
}

/** Whether what is denied speaks for the other answer: "it was not good" is no no to "Any problems?". */
const TURNED: Readonly<Partial<Record<QuestionKind, ReadonlySet<Sign>>>> = {
  trouble: new Set<Sign>(['good', 'praise', 'coming']),
  cancelling: new Set<Sign>(['coming']),
  moving: new Set<Sign>(['coming']),
};

/** What a sign says to a question. @param denies what the sign denies, if anything: "not good" */
export function verdictOn(kind: QuestionKind, sign: Sign, denies: Sign | null): Verdict {
  if (denies === 'hindered') return 'neither';
  return denies !== null && TURNED[kind]?.has(denies) ? 'turned' : MEANINGS[kind][sign];
}
