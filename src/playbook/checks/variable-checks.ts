import {
  transitionsOf,
  reachable,
  anywhereTransitions,
  type UncheckedPlaybook,
  type PlaybookFault,
} from './playbook-graph.js';
import { variablesFilledBy } from '#playbook/steps/filled-variables.js';
import { fieldTexts } from '#playbook/steps/step-texts.js';
import { variablesWithoutDefault } from '#dialogue/variables.js';

/**
 * Finds texts that use a variable before any step can have filled it, for the checks of a playbook that is saved.
 * Variables that no step fills are not checked: they come from the data of the call. Nor are variables with replacement
 * words (`{{day|one day}}`).
 */
export function variableFaults(draft: UncheckedPlaybook): PlaybookFault[] {
  const fillingStepsOf = fillingSteps(draft.steps);
  const isKnownAt = mayBeFilledAt(draft, fillingStepsOf);
  return Object.entries(draft.steps).flatMap(([name, step]) =>
    fieldTexts(step).flatMap(({ path, text }) =>
      variablesWithoutDefault(text)
        .filter((variable) => {
          // A read-back may use the value that it asks to confirm, and a value to collect those collected before it.
          const isOfValue = path[0] === 'confirm' || path[0] === 'collect';
          const isOwn = isOfValue && (fillingStepsOf.get(variable) ?? []).includes(name);
          return fillingStepsOf.has(variable) && !isOwn && !isKnownAt(variable, name);
        })
        .map((variable) => ({
          path: ['steps', name, ...path],
          message: `uses {{${variable}}} before any step has filled it; {{${variable}|other words}} is taken while it is not known`,
        })),
    ),
  );
}

/** The names of the steps that fill each variable, by variable. */
function fillingSteps(steps: UncheckedPlaybook['steps']): Map<string, string[]> {
  const fillingStepsOf = new Map<string, string[]>();
  for (const [name, step] of Object.entries(steps)) {
    for (const variable of variablesFilledBy(name, step))
      fillingStepsOf.set(variable, [...(fillingStepsOf.get(variable) ?? []), name]);
  }
  return fillingStepsOf;
}

/**
 * Returns a predicate: true if a variable may be filled when a call reaches a step, because a path leads there from a
 * step that fills the variable, or from any question by `anywhere`.
 */
function mayBeFilledAt(draft: UncheckedPlaybook, fillingStepsOf: ReadonlyMap<string, readonly string[]>) {
  const next = (name: string) => transitionsOf(draft.steps[name]!).map(({ to }) => to);
  // A caller can jump to the targets of `anywhere` from any question, so in all steps after them every variable may be
  // filled.
  const behindAnything = reachable(
    anywhereTransitions(draft).map(({ to }) => to),
    next,
  );
  // For each step that fills a variable: the steps that a call can reach after it.
  const behind = new Map<string, ReadonlySet<string>>();
  for (const filler of new Set([...fillingStepsOf.values()].flat()))
    behind.set(filler, reachable(next(filler), next));
  return (variable: string, step: string): boolean =>
    behindAnything.has(step) ||
    (fillingStepsOf.get(variable) ?? []).some((filler) => behind.get(filler)!.has(step));
}
