import type { PlaybookStep, TalkStep } from '#playbook/steps/playbook-step.js';

/** What is checked: the steps, before they are known to make a playbook. */
export interface Draft {
  start: string;
  steps: Readonly<Record<string, PlaybookStep>>;
  anywhere?: Readonly<Record<string, string | null | undefined>> | null | undefined;
}

/** One thing wrong with a playbook: where, and why. */
export interface PlaybookFault {
  path: readonly (string | number)[];
  message: string;
}

/** A step that a field names. */
export interface Exit {
  path: readonly (string | number)[];
  to: string;
}

/** The steps that a step may lead to. */
export function exits(step: PlaybookStep): Exit[] {
  if (step.kind === 'talk') return [...talkExits(step), ...unheard(step)];
  return step.kind === 'ask' ? [...answered(step), ...unheard(step)] : answered(step);
}

/** The same without the way of callers who are not understood. */
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

/** The same where nobody is understood: what happens by itself. */
export function unheard(step: PlaybookStep): Exit[] {
  return step.kind === 'ask' || step.kind === 'talk'
    ? [{ path: ['otherwise'], to: step.otherwise }]
    : answered(step);
}

/** Whether a call may end at a step. */
export function isEnd(step: PlaybookStep): boolean {
  return (
    step.kind === 'end' || step.kind === 'suppress' || step.kind === 'call_back' || step.kind === 'transfer'
  );
}

/** The steps that the playbook takes at any question. */
export function waysOut({ anywhere }: Draft): Exit[] {
  return Object.entries(anywhere ?? {}).flatMap(([reason, to]) =>
    to ? [{ path: ['anywhere', reason], to }] : [],
  );
}

/** Everything that can be got to from some steps, these included. */
export function reachable(from: readonly string[], next: (name: string) => readonly string[]): Set<string> {
  const reached = new Set(from);
  // A set may grow while it is walked: the new names are visited too.
  for (const name of reached) for (const to of next(name)) reached.add(to);
  return reached;
}
