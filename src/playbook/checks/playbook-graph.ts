import type { PlaybookStep, TalkStep } from '#playbook/steps/playbook-step.js';

/** The steps of a playbook that has not been checked. */
export interface Draft {
  start: string;
  steps: Readonly<Record<string, PlaybookStep>>;
  anywhere?: Readonly<Record<string, string | null | undefined>> | null | undefined;
}

/** One fault of a playbook: the path of the field, and the reason. */
export interface PlaybookFault {
  path: readonly (string | number)[];
  message: string;
}

/** A transition: the field, and the step that it names. */
export interface Exit {
  path: readonly (string | number)[];
  to: string;
}

/** All transitions from a step. */
export function exits(step: PlaybookStep): Exit[] {
  if (step.kind === 'talk') return [...talkExits(step), ...unheard(step)];
  return step.kind === 'ask' ? [...answered(step), ...unheard(step)] : answered(step);
}

/** The transitions of a step, without the one for an answer that is not understood. */
export function answered(step: PlaybookStep): Exit[] {
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
      const ways = talkExits(step);
      return ways.length > 0 ? ways : unheard(step);
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
        ...step.cases.map((one, index) => ({ path: ['cases', index, 'next'], to: one.next })),
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

function talkExits({ exits: ways }: TalkStep): Exit[] {
  return (ways ?? []).map(({ next }, index) => ({ path: ['exits', index, 'next'], to: next }));
}

/**
 * The transition taken without an understood answer: `otherwise` for questions and talks, the normal ones elsewhere.
 */
export function unheard(step: PlaybookStep): Exit[] {
  return step.kind === 'ask' || step.kind === 'talk'
    ? [{ path: ['otherwise'], to: step.otherwise }]
    : answered(step);
}

/** True if a call may end at this step. */
export function isEnd(step: PlaybookStep): boolean {
  return (
    step.kind === 'end' || step.kind === 'suppress' || step.kind === 'call_back' || step.kind === 'transfer'
  );
}

/** The steps that a caller can jump to from any question (`anywhere`). */
export function waysOut({ anywhere }: Draft): Exit[] {
  return Object.entries(anywhere ?? {}).flatMap(([reason, to]) =>
    to ? [{ path: ['anywhere', reason], to }] : [],
  );
}

/** All steps reachable from some steps, including these. */
export function reachable(from: readonly string[], next: (name: string) => readonly string[]): Set<string> {
  const reached = new Set(from);
  // Iterating over a set visits the names that are added meanwhile.
  for (const name of reached) for (const to of next(name)) reached.add(to);
  return reached;
}
