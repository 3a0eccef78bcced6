import { choiceTable, readChoice } from '#playbook/answers/choice.js';
import type { PlaybookFault } from './playbook-graph.js';
import type { AskStep } from '#playbook/steps/playbook-step.js';
import { leaveRequestIn, requestIn } from '#playbook/understanding/requests.js';
import { soundAlike, soundsOf } from './sound-alike.js';
import { wordsOf } from '#language/words.js';

/**
 * The faults of one question, or of a value that a talk step collects; paths are relative to the step. `playbookFaults`
 * and `talkFaults` call it.
 */
export function questionFaults(step: AskStep): PlaybookFault[] {
  const phrases = phraseFaults(step);
  return [
    ...answerFaults(step),
    ...phrases,
    ...limitFaults(step),
    ...confirmFaults(step),
    ...(phrases.length > 0 ? [] : similarPhraseFaults(step)),
  ];
}

/** Kinds of questions whose `answers` may name a next step for each answer. */
const BRANCHING: ReadonlySet<string> = new Set(['yes_no', 'choice', 'anything']);

/** Faults of `answers`: answers that cannot occur, and possible answers without a next step. */
function answerFaults({ expect, answers, next }: AskStep): PlaybookFault[] {
  const canBranch = BRANCHING.has(expect.kind);
  const possible =
    expect.kind === 'choice' ? expect.options.map(({ value }) => value) : canBranch ? ['yes', 'no'] : [];
  const optional = expect.kind === 'yes_no' ? ['unsure'] : [];
  const given = Object.keys(answers ?? {});
  const faults: PlaybookFault[] = given
    .filter((value) => ![...possible, ...optional].includes(value))
    .map((value) => ({
      path: ['answers', value],
      message: canBranch
        ? `is no answer to this question: ${[...possible, ...optional].join(', ')}`
        : 'cannot be: a value goes on with next, where a branch may look at it',
    }));
  if (next) return faults;
  if (expect.kind === 'anything' || !canBranch) {
    return [...faults, { path: ['next'], message: 'is needed: the answer may be anything' }];
  }
  const withoutStep = possible.filter((value) => !given.includes(value));
  if (withoutStep.length > 0) {
    faults.push({
      path: ['answers'],
      message: `has no step for: ${withoutStep.join(', ')} (and there is no next)`,
    });
  }
  return faults;
}

/** A phrase that a question gives for one of its answers. */
interface OwnPhrase {
  path: readonly (string | number)[];
  phrase: string;
  answer: string;
}

/** All phrases that a question gives for its answers. */
function ownPhrases({ expect }: AskStep): OwnPhrase[] {
  if (expect.kind === 'yes_no') {
    return (['yes', 'no'] as const).flatMap((answer) =>
      (expect[answer] ?? []).map((phrase, at) => ({ path: ['expect', answer, at], phrase, answer })),
    );
  }
  if (expect.kind !== 'choice') return [];
  return expect.options.flatMap(({ value, phrases }, index) =>
    phrases.map((phrase, at) => ({
      path: ['expect', 'options', index, 'phrases', at],
      phrase,
      answer: value,
    })),
  );
}

/** The most phrases of one question. More are neither recognised reliably nor checked quickly. */
const MOST_PHRASES = 150;

/**
 * Faults of options and phrases: too many phrases, options and phrases that occur twice, phrases without words or with
 * another meaning. Phrases are compared in the form of `wordsOf`, as answers are: without case and punctuation.
 */
function phraseFaults(step: AskStep): PlaybookFault[] {
  const { expect } = step;
  const values = expect.kind === 'choice' ? expect.options.map(({ value }) => value) : [];
  const faults: PlaybookFault[] = values.flatMap((value, index) =>
    values.indexOf(value) < index
      ? [{ path: ['expect', 'options', index, 'value'], message: `is used twice: '${value}'` }]
      : [],
  );
  const phrases = ownPhrases(step);
  if (phrases.length > MOST_PHRASES)
    return [{ path: ['expect'], message: `has more than ${MOST_PHRASES} phrases` }];
  const ownerOf = new Map<string, string>();
  for (const { path, phrase, answer } of phrases) {
    const heard = wordsOf(phrase).join(' ');
    const owner = ownerOf.get(heard);
    if (heard === '') faults.push({ path, message: 'holds no word' });
    else if (owner !== undefined) faults.push({ path, message: `is already a phrase of '${owner}'` });
    else ownerOf.set(heard, answer);
  }
  return faults.length > 0 ? faults : misreadPhrases(step);
}

/** Words whose meaning a playbook cannot change: "yes" cannot be a phrase for no. */
const FIXED_MEANINGS: ReadonlyMap<string, string> = new Map([
  ...['yes', 'yeah', 'yep', 'yes please'].map((word) => [word, 'yes'] as const),
  ...['no', 'nope', 'nah', 'no thanks', 'no thank you'].map((word) => [word, 'no'] as const),
]);

/** Finds phrases that would be read as something else: "goodbye" ends every call and cannot be an option. */
function misreadPhrases(step: AskStep): PlaybookFault[] {
  const { expect } = step;
  const table = expect.kind === 'choice' ? choiceTable(expect.options) : null;
  return ownPhrases(step).flatMap(({ path, phrase, answer }) => {
    const words = wordsOf(phrase);
    const leaving = leaveRequestIn(words, { isFreeSpeech: false })?.meaning;
    // A question may use "call me back" as its own phrase. An opt-out always takes precedence over the question.
    const isAllowed = leaving === 'later';
    const read =
      expect.kind === 'choice' && table
        ? readChoice(words, expect.options, table)
        : (FIXED_MEANINGS.get(words.join(' ')) ?? answer);
    const taken =
      (isAllowed ? null : leaving) ??
      (isAllowed ? null : requestIn(words, { isFreeSpeech: false })) ??
      read ??
      'more than one answer';
    return taken === answer ? [] : [{ path, message: `would be taken for '${taken}', not for '${answer}'` }];
  });
}

/** Finds phrases of different answers that a recogniser cannot tell apart. */
function similarPhraseFaults(step: AskStep): PlaybookFault[] {
  const phrases = ownPhrases(step).map((entry) => ({ ...entry, sounds: soundsOf(entry.phrase) }));
  return phrases.flatMap(({ path, sounds, answer }, index) => {
    const other = phrases
      .slice(0, index)
      .find((earlier) => earlier.answer !== answer && soundAlike(earlier.sounds, sounds));
    return other ? [{ path, message: `sounds like '${other.phrase}', a phrase of '${other.answer}'` }] : [];
  });
}

/** A yes/no answer cannot be read back: a "no" to the read-back would be ambiguous. */
function confirmFaults({ expect, confirm }: AskStep): PlaybookFault[] {
  if (!confirm || expect.kind !== 'yes_no') return [];
  return [{ path: ['confirm'], message: 'cannot be: a yes or no is not said back; ask another question' }];
}

/** Finds limits that no answer meets, and texts of `retry` that are never said. */
function limitFaults({ expect, retry, max_attempts: attempts }: AskStep): PlaybookFault[] {
  const faults: PlaybookFault[] = [];
  if (retry && attempts && retry.length >= attempts) {
    const times = attempts === 1 ? 'once' : `${attempts} times`;
    faults.push({ path: ['retry', attempts - 1], message: `is never said: the question is put ${times}` });
  }
  if (expect.kind === 'number') {
    const [min, max] = [expect.min ?? -Infinity, expect.max ?? Infinity];
    if (min > max) {
      faults.push({ path: ['expect', 'max'], message: 'is below min, so no answer counts' });
    } else if (expect.whole !== false && Math.ceil(min) > max) {
      faults.push({
        path: ['expect', 'max'],
        message: 'leaves no whole number from min on; set whole to false',
      });
    }
  }
  const isRange = expect.kind === 'time' || expect.kind === 'date';
  if (isRange && expect.earliest && expect.latest && isBackwards(expect.earliest, expect.latest)) {
    faults.push({ path: ['expect', 'latest'], message: 'is before earliest, so no answer counts' });
  }
  return faults;
}

/** True if two days or times are in the wrong order. A fixed date and one relative to today cannot be compared. */
function isBackwards(earliest: string, latest: string): boolean {
  const days = [earliest, latest].map((bound) => /^today([+-]\d+)?$/.exec(bound));
  if (days.every((day) => day !== null)) return Number(days[0]![1] ?? 0) > Number(days[1]![1] ?? 0);
  return days.every((day) => day === null) && earliest > latest;
}
