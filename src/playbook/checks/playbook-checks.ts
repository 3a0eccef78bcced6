import {
  exits,
  isEnd,
  answered,
  reachable,
  unheard,
  waysOut,
  type Draft,
  type PlaybookFault,
} from './playbook-graph.js';
import { questionFaults } from './question-checks.js';
import { stepFaults } from './step-checks.js';
import { variableFaults } from './variable-checks.js';

/** The size limit of a playbook as JSON. */
const MAX_SIZE_BYTES = 64 * 1024;

/**
 * Every structural fault of a playbook: missing or unreachable steps, answers without a next step, ambiguous phrases,
 * variables without a value, limits that no answer meets, endless conversations. An empty list means valid.
 */
export function playbookFaults(playbook: Draft): PlaybookFault[] {
  const size = Buffer.byteLength(JSON.stringify(playbook));
  if (size > MAX_SIZE_BYTES) return [{ path: [], message: `is larger than ${MAX_SIZE_BYTES} bytes as JSON` }];
  const faults = [
    ...unknownSteps(playbook),
    ...Object.entries(playbook.steps).flatMap(([name, step]) =>
      [...(step.kind === 'ask' ? questionFaults(step) : []), ...stepFaults(step, playbook)].map((fault) => ({
        ...fault,
        path: ['steps', name, ...fault.path],
      })),
    ),
  ];
  // The graph can be analysed only when every named step exists.
  if (faults.length > 0) return faults;
  // Each of these faults causes the later ones: after an endless loop, for instance, no step is reachable.
  const ways = [endlessSteps, closedCircles, unreachableSteps, variableFaults];
  return ways.map((faultsOf) => faultsOf(playbook)).find((found) => found.length > 0) ?? [];
}

function unknownSteps(draft: Draft): PlaybookFault[] {
  const named = Object.entries(draft.steps).flatMap(([name, step]) =>
    exits(step).map((exit) => ({ path: ['steps', name, ...exit.path], to: exit.to })),
  );
  return [{ path: ['start'], to: draft.start }, ...waysOut(draft), ...named]
    .filter(({ to }) => !Object.hasOwn(draft.steps, to))
    .map(({ path, to }) => ({ path, message: `names the step '${to}', which does not exist` }));
}

function unreachableSteps(draft: Draft): PlaybookFault[] {
  const roots = [draft.start, ...waysOut(draft).map(({ to }) => to)];
  const reached = reachable(roots, (name) => exits(draft.steps[name]!).map((exit) => exit.to));
  return Object.keys(draft.steps)
    .filter((name) => !reached.has(name))
    .map((name) => ({ path: ['steps', name], message: 'is never reached from the start' }));
}

/**
 * Finds endless conversations: steps that follow each other in a circle without listening, and questions that lead
 * back to themselves for a caller who is never understood. Both are circles in the graph of transitions without an
 * understood answer. Without such a circle every call ends, because no question is visited more than `max_visits`
 * times.
 */
function endlessSteps({ steps }: Draft): PlaybookFault[] {
  const next = (name: string) => unheard(steps[name]!).map((exit) => exit.to);
  return Object.entries(steps).flatMap(([name, step]) =>
    unheard(step)
      .filter(({ to }) => reachable([to], next).has(name))
      .slice(0, 1)
      .map(({ path }) => ({
        path: ['steps', name, ...path],
        message: 'leads back to this step without an answer, so the call would never end',
      })),
  );
}

/** Finds circles that a caller can leave only by not being understood. */
function closedCircles({ steps }: Draft): PlaybookFault[] {
  return Object.entries(steps).flatMap(([name, step]) => {
    const reached = reachable([name], (at) => answered(steps[at]!).map((exit) => exit.to));
    if ([...reached].some((at) => isEnd(steps[at]!))) return [];
    const path = answered(step)[0]?.path.slice(0, 1) ?? [];
    return [{ path: ['steps', name, ...path], message: 'leads into a circle that no answer leaves' }];
  });
}
