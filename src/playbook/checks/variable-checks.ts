import { exits, reachable, waysOut, type Draft, type PlaybookFault } from './playbook-graph.js';
import { filledBy } from '#playbook/steps/filled-variables.js';
import { fieldTexts } from '#playbook/steps/step-texts.js';
import { variablesWithoutWords } from '#dialogue/variables.js';

/**
 * Finds texts that use a variable before any step can have filled it. A variable that no step fills comes from the
 * call's own data, and one with replacement words (`{{day|one day}}`) may be missing.
 */
export function variableFaults(draft: Draft): PlaybookFault[] {
  const fillersOf = fillers(draft.steps);
  const isKnownAt = knowledge(draft, fillersOf);
  return Object.entries(draft.steps).flatMap(([name, step]) =>
    fieldTexts(step).flatMap(({ path, text }) =>
      variablesWithoutWords(text)
        .filter((variable) => {
          const isOwn = path.at(-1) === 'confirm' && (fillersOf.get(variable) ?? []).includes(name);
          return fillersOf.has(variable) && !isOwn && !isKnownAt(variable, name);
        })
        .map((variable) => ({
          path: ['steps', name, ...path],
          message: `uses {{${variable}}} before any step has filled it; {{${variable}|other words}} is taken while it is not known`,
        })),
    ),
  );
}

/** The steps that fill each variable. */
function fillers(steps: Draft['steps']): Map<string, string[]> {
  const fillersOf = new Map<string, string[]>();
  for (const [name, step] of Object.entries(steps)) {
    for (const variable of filledBy(name, step))
      fillersOf.set(variable, [...(fillersOf.get(variable) ?? []), name]);
  }
  return fillersOf;
}

/**
 * Returns a predicate: may the variable be filled when a call reaches the step? True if a path leads from a filling
 * step to it.
 */
function knowledge(draft: Draft, fillersOf: ReadonlyMap<string, readonly string[]>) {
  const next = (name: string) => exits(draft.steps[name]!).map(({ to }) => to);
  // A caller can jump from any question, so every variable may be filled there.
  const behindAnything = reachable(
    waysOut(draft).map(({ to }) => to),
    next,
  );
  const behind = new Map<string, ReadonlySet<string>>();
  for (const filler of new Set([...fillersOf.values()].flat()))
    behind.set(filler, reachable(next(filler), next));
  return (variable: string, step: string): boolean =>
    behindAnything.has(step) ||
    (fillersOf.get(variable) ?? []).some((filler) => behind.get(filler)!.has(step));
}
