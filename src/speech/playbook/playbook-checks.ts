import type { AskStep, PlaybookStep } from './playbook-step.js';
import { wordsOf } from './words.js';

/** What is checked: the steps, before they are known to make a playbook. */
interface Draft {
  start: string;
  steps: Readonly<Record<string, PlaybookStep>>;
  anywhere?: Readonly<Record<string, string | null | undefined>> | null | undefined;
}

/** One thing wrong with a playbook: where, and why. */
export interface PlaybookFault {
  path: readonly (string | number)[];
  message: string;
}

/** The largest playbook, as JSON. */
const MAX_SIZE_BYTES = 64 * 1024;

/**
 * Everything wrong with the shape of a conversation: steps that are missing or never reached, answers that lead
 * nowhere, phrases that mean two things, talk that never ends.
 */
export function playbookFaults(playbook: Draft): PlaybookFault[] {
  const size = Buffer.byteLength(JSON.stringify(playbook));
  if (size > MAX_SIZE_BYTES) return [{ path: [], message: `is larger than ${MAX_SIZE_BYTES} bytes as JSON` }];
  const faults = [
    ...unknownSteps(playbook),
    ...unknownAnswers(playbook),
    ...Object.entries(playbook.steps).flatMap(stepFaults),
  ];
  // The ways through the steps mean something only when every step named is there.
  return faults.length > 0 ? faults : [...unreachableSteps(playbook), ...endlessSteps(playbook)];
}

/** The steps that a step may lead to, by the field that names them. */
function exits(step: PlaybookStep): { path: readonly (string | number)[]; to: string }[] {
  switch (step.kind) {
    case 'end':
    case 'suppress':
    case 'call_back':
      return [];
    case 'transfer':
      return step.otherwise ? [{ path: ['otherwise'], to: step.otherwise }] : [];
    case 'branch':
      return [
        ...step.cases.map((one, index) => ({ path: ['cases', index, 'next'], to: one.next })),
        { path: ['next'], to: step.next },
      ];
    case 'ask': {
      const answers = Object.entries(step.answers ?? {}).map(([value, to]) => ({
        path: ['answers', value],
        to,
      }));
      const next = step.next ? [{ path: ['next'], to: step.next }] : [];
      return [...answers, ...next, { path: ['otherwise'], to: step.otherwise }];
    }
    default:
      return [{ path: ['next'], to: step.next }];
  }
}

/** The steps that the playbook takes at any question, by the field that names them. */
function waysOut({ anywhere }: Draft): { path: readonly string[]; to: string }[] {
  return Object.entries(anywhere ?? {}).flatMap(([reason, to]) =>
    to ? [{ path: ['anywhere', reason], to }] : [],
  );
}

function unknownSteps(draft: Draft): PlaybookFault[] {
  const { start, steps } = draft;
  const named = Object.entries(steps).flatMap(([name, step]) =>
    exits(step).map((exit) => ({ path: ['steps', name, ...exit.path], to: exit.to })),
  );
  return [{ path: ['start'], to: start }, ...waysOut(draft), ...named]
    .filter(({ to }) => !Object.hasOwn(steps, to))
    .map(({ path, to }) => ({ path, message: `names the step '${to}', which does not exist` }));
}

function unknownAnswers({ steps }: Draft): PlaybookFault[] {
  const saved = new Set(
    Object.entries(steps).map(([name, step]) => step.kind === 'ask' && (step.save_as ?? name)),
  );
  return Object.entries(steps).flatMap(([name, step]) =>
    step.kind === 'reply' && !saved.has(step.to)
      ? [{ path: ['steps', name, 'to'], message: `is the answer '${step.to}', which no question saves` }]
      : [],
  );
}

function stepFaults([name, step]: [string, PlaybookStep]): PlaybookFault[] {
  if (step.kind !== 'ask') return [];
  return [...answerFaults(step), ...phraseFaults(step), ...limitFaults(step)].map((fault) => ({
    ...fault,
    path: ['steps', name, ...fault.path],
  }));
}

/** Kinds of question whose answers may lead to steps of their own. */
const BY_ANSWER: ReadonlySet<string> = new Set(['yes_no', 'choice', 'anything']);

function answerFaults(step: AskStep): PlaybookFault[] {
  const possible =
    step.expect.kind === 'choice'
      ? step.expect.options.map((option) => option.value)
      : BY_ANSWER.has(step.expect.kind)
        ? ['yes', 'no']
        : [];
  const given = Object.keys(step.answers ?? {});
  const faults: PlaybookFault[] = given
    .filter((value) => !possible.includes(value))
    .map((value) => ({
      path: ['answers', value],
      message: `is no answer to this question: ${possible.join(', ') || 'its answers are values, go on with next'}`,
    }));
  if (step.next) return faults;
  if (step.expect.kind === 'anything' || !BY_ANSWER.has(step.expect.kind)) {
    return [...faults, { path: ['next'], message: 'is needed: the answer may be anything' }];
  }
  const open = possible.filter((value) => !given.includes(value));
  if (open.length > 0) {
    faults.push({ path: ['answers'], message: `has no step for: ${open.join(', ')} (and there is no next)` });
  }
  return faults;
}

/** Limits that no answer can meet, and words that are never said. */
function limitFaults(step: AskStep): PlaybookFault[] {
  const faults: PlaybookFault[] = [];
  const { expect, retry, max_attempts: attempts } = step;
  if (retry && attempts && retry.length >= attempts) {
    faults.push({
      path: ['retry', attempts - 1],
      message: `is never said: the question is put ${attempts} times`,
    });
  }
  if (expect.kind === 'number' && (expect.min ?? -Infinity) > (expect.max ?? Infinity)) {
    faults.push({ path: ['expect', 'max'], message: 'is below min, so no answer counts' });
  }
  const isRange = expect.kind === 'time' || expect.kind === 'date';
  if (isRange && expect.earliest && expect.latest && isBackwards(expect.earliest, expect.latest)) {
    faults.push({ path: ['expect', 'latest'], message: 'is before earliest, so no answer counts' });
  }
  return faults;
}

/** Two days or times in the wrong order; a day as it is written and one counted from today cannot be compared. */
function isBackwards(earliest: string, latest: string): boolean {
  const days = [earliest, latest].map((bound) => /^today([+-]\d+)?$/.exec(bound));
  if (days.every((day) => day !== null)) return Number(days[0]![1] ?? 0) > Number(days[1]![1] ?? 0);
  return days.every((day) => day === null) && earliest > latest;
}

/** Phrases are compared as they will be heard: without case, punctuation and spelling of contractions. */
function phraseFaults(step: AskStep): PlaybookFault[] {
  if (step.expect.kind !== 'choice') return [];
  const faults: PlaybookFault[] = [];
  const ownerOf = new Map<string, string>();
  step.expect.options.forEach((option, index) => {
    const path = ['expect', 'options', index];
    if (
      step.expect.kind === 'choice' &&
      step.expect.options.findIndex((o) => o.value === option.value) < index
    ) {
      faults.push({ path: [...path, 'value'], message: `is used twice: '${option.value}'` });
    }
    option.phrases.forEach((phrase, at) => {
      const heard = wordsOf(phrase).join(' ');
      if (heard === '') faults.push({ path: [...path, 'phrases', at], message: 'holds no word' });
      else if (ownerOf.has(heard)) {
        faults.push({
          path: [...path, 'phrases', at],
          message: `is already a phrase of '${ownerOf.get(heard)}'`,
        });
      } else ownerOf.set(heard, option.value);
    });
  });
  return faults;
}

function unreachableSteps(draft: Draft): PlaybookFault[] {
  const { start, steps } = draft;
  const follow = (name: string) => exits(steps[name]!).map((exit) => exit.to);
  const reached = new Set(
    [start, ...waysOut(draft).map(({ to }) => to)].flatMap((root) => [...reachable(root, follow)]),
  );
  return Object.keys(steps)
    .filter((name) => !reached.has(name))
    .map((name) => ({ path: ['steps', name], message: 'is never reached from the start' }));
}

/**
 * Two ways to talk for ever: steps that follow each other in a circle without ever listening, and questions that
 * lead back to themselves for a caller who is never understood. Both are circles in the graph of what happens
 * without an understood answer; and some end must be reachable from everywhere.
 */
function endlessSteps({ steps }: Draft): PlaybookFault[] {
  const unheard = (name: string): string[] => {
    const step = steps[name]!;
    return step.kind === 'ask' ? [step.otherwise] : exits(step).map((exit) => exit.to);
  };
  return Object.keys(steps)
    .filter((name) => unheard(name).some((next) => reachable(next, unheard).has(name)))
    .map((name) => ({
      path: ['steps', name, steps[name]!.kind === 'ask' ? 'otherwise' : 'next'],
      message: 'leads back to this step without an answer, so the call would never end',
    }));
}

function reachable(start: string, next: (name: string) => readonly string[]): Set<string> {
  const reached = new Set([start]);
  // A set may grow while it is walked: the new names are visited too.
  for (const name of reached) for (const to of next(name)) reached.add(to);
  return reached;
}
