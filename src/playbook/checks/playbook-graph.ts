import type { PlaybookStep, TalkStep } from '#playbook/steps/playbook-step.js';

/* A playbook as a graph: its steps are the nodes, and the fields that name another step are the transitions. */

/** The parts of a playbook that the checks read, before it counts as a valid `Playbook`. */
export interface UncheckedPlaybook {
  start: string;
  steps: Readonly<Record<string, PlaybookStep>>;
  anywhere?: Readonly<Record<string, string | null | undefined>> | null | undefined;
}

/** One fault of a playbook: the path of the field, and a predicate about it ("is never reached from the start"). */
export interface PlaybookFault {
  path: readonly (string | number)[];
  message: string;
}

/** A transition: the path of the field, and the name of the step in it. */
export interface Transition {
  path: readonly (string | number)[];
  to: string;
}

/** All transitions from a step. */
export function transitionsOf(step: PlaybookStep): Transition[] {
  if (step.kind === 'talk') return [...talkExits(step), ...unansweredTransitions(step)];
  return step.kind === 'ask'
    ? [...answeredTransitions(step), ...unansweredTransitions(step)]
    : answeredTransitions(step);
}

/**
 * The transitions of a step. Of questions and talks, `otherwise` is left out, because it is for callers who are not
 * understood; but a talk without exits has only `otherwise`.
 */
export function answeredTransitions(step: PlaybookStep): Transition[] {
  switch (step.kind) {
    case 'end':
    case 'suppress':
    case 'call_back':
      return [];
    case 'transfer':
      return [
        ...(step.otherwise ? [{ path: ['otherwise'], to: step.otherwise }] : []),
        ...(step.next ? [{ path: ['next'], to: step.next }] : []),
      ];
    case 'talk': {
      const exits = talkExits(step);
      return exits.length > 0 ? exits : unansweredTransitions(step);
    }
    case 'tool':
      return [
        { path: ['on_error'], to: step.on_error },
        { path: ['next'], to: step.next },
      ];
    case 'press':
      return [
        ...(step.otherwise ? [{ path: ['otherwise'], to: step.otherwise }] : []),
        { path: ['next'], to: step.next },
      ];
    case 'branch':
      return [
        ...step.cases.map(({ next }, index) => ({ path: ['cases', index, 'next'], to: next })),
        { path: ['next'], to: step.next },
      ];
    case 'ask': {
      const answers = Object.entries(step.answers ?? {}).map(([value, to]) => ({
        path: ['answers', value],
        to,
      }));
      return step.next ? [...answers, { path: ['next'], to: step.next }] : answers;
    }
    default:
      return [{ path: ['next'], to: step.next }];
  }
}

/** The transitions of a talk step by its `exits`. */
function talkExits({ exits: ways }: TalkStep): Transition[] {
  return (ways ?? []).map(({ next }, index) => ({ path: ['exits', index, 'next'], to: next }));
}

/** The transitions without an understood answer: `otherwise` of questions and talks, all transitions of other steps. */
export function unansweredTransitions(step: PlaybookStep): Transition[] {
  return step.kind === 'ask' || step.kind === 'talk'
    ? [{ path: ['otherwise'], to: step.otherwise }]
    : answeredTransitions(step);
}

/** True if a call may end at this step. */
export function isEnd(step: PlaybookStep): boolean {
  return (
    step.kind === 'end' || step.kind === 'suppress' || step.kind === 'call_back' || step.kind === 'transfer'
  );
}

/** The steps that a caller can jump to from any question (`anywhere`). */
export function anywhereTransitions({ anywhere }: UncheckedPlaybook): Transition[] {
  return Object.entries(anywhere ?? {}).flatMap(([reason, to]) =>
    to ? [{ path: ['anywhere', reason], to }] : [],
  );
}

/**
 * The names of all steps that are reachable from some steps, including these.
 * @param next the steps that directly follow a step
 */
export function reachable(from: readonly string[], next: (name: string) => readonly string[]): Set<string> {
  const reached = new Set(from);
  // Iterating over a set visits the names that are added meanwhile.
  for (const name of reached) for (const to of next(name)) reached.add(to);
  return reached;
}
