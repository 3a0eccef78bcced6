import { readPhoneNumber } from '#kernel/input/phone-number.js';
import type { UncheckedPlaybook, PlaybookFault } from './playbook-graph.js';
import type { AskStep, BranchCase, PlaybookStep } from '#playbook/steps/playbook-step.js';
import { pressFaults, talkFaults } from './talk-checks.js';
import { hasBrokenVariable, variablesOf } from '#dialogue/variables.js';

/** The part of a question, or of a value to collect, that decides which answers it can save. */
type SavingQuestion = Pick<AskStep, 'expect' | 'answers'>;

/** Faults of one step, except those of a question (`questionFaults`). Paths are relative to the step. */
export function stepFaults(step: PlaybookStep, { steps }: UncheckedPlaybook): PlaybookFault[] {
  switch (step.kind) {
    case 'reply':
      return replyFaults(step, questionsSaving(step.to, steps));
    case 'branch':
      return step.cases.flatMap((branchCase, index) =>
        caseFaults(branchCase, questionsSaving(branchCase.variable, steps)).map((fault) => ({
          ...fault,
          path: ['cases', index, ...fault.path],
        })),
      );
    case 'transfer':
      return transferFaults(step);
    case 'talk':
      return talkFaults(step);
    case 'press':
      return pressFaults(step);
    case 'call_back':
      // The fields `date` and `time` are named like the kind of question that saves their answer.
      return (['date', 'time'] as const).flatMap((kind) => {
        const name = step[kind];
        if (!name || questionsSaving(name, steps).some(({ expect }) => expect.kind === kind)) return [];
        return [{ path: [kind], message: `is the answer '${name}', which no question for a ${kind} saves` }];
      });
    case 'set':
      return Object.keys(step.variables)
        .filter((name) => name === 'agent_name' || name === 'initial_message')
        .map((name) => ({ path: ['variables', name], message: 'is filled by the service' }));
    default:
      return [];
  }
}

/** The questions that save the answer of this name, including values that a talk step collects. */
function questionsSaving(answer: string, steps: UncheckedPlaybook['steps']): SavingQuestion[] {
  return Object.entries(steps).flatMap(([name, step]): SavingQuestion[] => {
    if (step.kind === 'ask') return (step.save_as ?? name) === answer ? [step] : [];
    const expect = step.kind === 'talk' ? step.collect?.[answer] : undefined;
    return expect ? [{ expect }] : [];
  });
}

/** Faults of a `reply`: no question saves its answer, or its texts are for answers that cannot occur. */
function replyFaults(
  { to, texts }: Extract<PlaybookStep, { kind: 'reply' }>,
  questions: readonly SavingQuestion[],
): PlaybookFault[] {
  if (questions.length === 0)
    return [{ path: ['to'], message: `is the answer '${to}', which no question saves` }];
  const possible = possibleAnswers(questions);
  return Object.keys(texts)
    .filter((value) => possible && !possible.includes(value))
    .map((value) => ({
      path: ['texts', value],
      message: `is no answer to that question: ${possible!.join(', ')}`,
    }));
}

/** All answers that some questions can save; null if one of them accepts more than a list of answers. */
function possibleAnswers(questions: readonly SavingQuestion[]): string[] | null {
  const lists = questions.map(({ expect, answers }) => {
    if (expect.kind === 'yes_no') return answers?.['unsure'] ? ['yes', 'no', 'unsure'] : ['yes', 'no'];
    return expect.kind === 'choice' ? expect.options.map(({ value }) => value) : null;
  });
  return lists.every((list) => list !== null) ? [...new Set(lists.flat())] : null;
}

type TransferStep = Extract<PlaybookStep, { kind: 'transfer' }>;

/** Faults of a transfer step. */
function transferFaults(step: TransferStep): PlaybookFault[] {
  return [...targetFaults(step), ...modeFaults(step)];
}

/** Fields of a warm transfer, in which the agent speaks to the person first. */
const WARM_FIELDS = ['briefing', 'ring_seconds', 'stay', 'next'] as const;

/** Fields that do not fit the mode of a transfer. */
function modeFaults(step: TransferStep): PlaybookFault[] {
  if (step.mode !== 'warm')
    return WARM_FIELDS.filter((field) => step[field] !== null && step[field] !== undefined).map((field) => ({
      path: [field],
      message: 'is for a warm transfer only',
    }));
  if (step.stay && !step.next)
    return [{ path: ['next'], message: 'is needed with stay: the call goes on when the person has hung up' }];
  return step.next && !step.stay ? [{ path: ['next'], message: 'is for a transfer with stay only' }] : [];
}

/** Faults of the target: it is no phone number, or it is a variable and the step has no `otherwise`. */
function targetFaults({ to, otherwise }: TransferStep): PlaybookFault[] {
  if (hasBrokenVariable(to))
    return [{ path: ['to'], message: 'holds braces that make no variable such as {{desk}}' }];
  if (variablesOf([to]).length === 0) {
    return readPhoneNumber(to) === null
      ? [{ path: ['to'], message: 'is no phone number such as +14155550100' }]
      : [];
  }
  return otherwise
    ? []
    : [{ path: ['otherwise'], message: 'is needed: the variable may hold no phone number' }];
}

/** The form of saved answers by kind of question, with an example for messages. */
const ANSWER_FORMS: Readonly<Record<string, { form: RegExp; like: string }>> = {
  date: { form: /^\d{4}-\d\d-\d\d$/, like: 'a day such as "2026-12-31"' },
  time: { form: /^\d\d:\d\d$/, like: 'a time such as "08:30"' },
  number: { form: /^-?\d+(?:\.\d+)?$/, like: 'a number such as 9' },
};

/** Faults of one case of a branch: it has no condition, or one that no answer can meet. */
function caseFaults(branchCase: BranchCase, questions: readonly SavingQuestion[]): PlaybookFault[] {
  const limits = (['at_least', 'at_most'] as const).filter(
    (field) => branchCase[field] !== null && branchCase[field] !== undefined,
  );
  if (!branchCase.is && limits.length === 0 && typeof branchCase.known !== 'boolean') {
    return [{ path: [], message: 'says nothing of the variable: needs is, at_least, at_most or known' }];
  }
  // If several questions save the answer, its form is unknown.
  const [question] = questions;
  const faults = question && questions.length === 1 ? mismatches(branchCase, limits, question) : [];
  const { at_least: least, at_most: most } = branchCase;
  const isEmpty = typeof least === typeof most && least !== null && least !== undefined && most! < least;
  return isEmpty
    ? [...faults, { path: ['at_most'], message: 'is below at_least, so the case never holds' }]
    : faults;
}

/** Conditions of a case that no answer to the question can meet. */
function mismatches(
  branchCase: BranchCase,
  limits: readonly ('at_least' | 'at_most')[],
  question: SavingQuestion,
): PlaybookFault[] {
  const { expect } = question;
  const answerForm = ANSWER_FORMS[expect.kind];
  // Limits are texts for days and times, and numbers for all other answers.
  const wrongLimits = limits
    .filter((field) =>
      answerForm && expect.kind !== 'number'
        ? !answerForm.form.test(String(branchCase[field]))
        : typeof branchCase[field] !== 'number',
    )
    .map((field) => ({ path: [field], message: `must be ${answerForm?.like ?? 'a number'}` }));
  const unordered = isUnordered(question)
    ? limits.map((field) => ({
        path: [field],
        message: 'cannot be: that question asks for no number, day or time, so the case never holds',
      }))
    : [];
  const outside = limits
    .filter((field) => expect.kind === 'number' && isOutside(field, Number(branchCase[field]), expect))
    .map((field) => ({
      path: [field],
      message: 'is outside the limits of that question, so the case never holds',
    }));
  const possible = possibleAnswers([question]);
  const wrongValues = (branchCase.is ?? []).flatMap((value, index) => {
    // The value of a variable is unknown when the playbook is saved.
    if (variablesOf([value]).length > 0) return [];
    if (answerForm && !answerForm.form.test(value))
      return [{ path: ['is', index], message: `must be ${answerForm.like}` }];
    return possible && !possible.includes(value)
      ? [{ path: ['is', index], message: `is no answer to that question: ${possible.join(', ')}` }]
      : [];
  });
  return [...(unordered.length > 0 ? unordered : wrongLimits), ...outside, ...wrongValues];
}

/** True if the answers to a question have no order. Options have an order if one of their values is a number. */
function isUnordered({ expect }: SavingQuestion): boolean {
  if (expect.kind === 'choice') return expect.options.every(({ value }) => !/^\d+$/.test(value));
  return expect.kind === 'yes_no' || expect.kind === 'name' || expect.kind === 'phone_number';
}

/** True if a limit of a case excludes every number that the question accepts. */
function isOutside(
  field: 'at_least' | 'at_most',
  limit: number,
  { min, max }: Extract<AskStep['expect'], { kind: 'number' }>,
): boolean {
  return field === 'at_least' ? limit > (max ?? Infinity) : limit < (min ?? -Infinity);
}
