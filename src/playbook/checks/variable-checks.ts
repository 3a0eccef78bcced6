import { exits, reachable, waysOut, type Draft, type PlaybookFault } from './playbook-graph.js';
import type { PlaybookStep } from '#playbook/steps/playbook-step.js';
import { fieldTexts } from '#playbook/steps/step-texts.js';
import { variablesWithoutWords } from '#dialogue/variables.js';

/**
 * Variables that a text uses before any question can have filled them. One that no question fills is a matter of the
 * call's own data, and one that has words for its absence (`{{day|one day}}`) may be missing.
 */
export function variableFaults(draft: Draft): PlaybookFault[] {
  const filledBy = fillers(draft.steps);
  const isKnownAt = knowledge(draft, filledBy);
  return Object.entries(draft.steps).flatMap(([name, step]) =>
    fieldTexts(step).flatMap(({ path, text }) =>
      variablesWithoutWords(text)
        .filter((variable) => {
          const isOwn = path[0] === 'confirm' && (filledBy.get(variable) ?? []).includes(name);
          return filledBy.has(variable) && !isOwn && !isKnownAt(variable, name);
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
  const filledBy = new Map<string, string[]>();
  for (const [name, step] of Object.entries(steps)) {
    for (const variable of filled(name, step))
      filledBy.set(variable, [...(filledBy.get(variable) ?? []), name]);
  }
  return filledBy;
}

function filled(name: string, step: PlaybookStep): string[] {
  if (step.kind === 'set') return Object.keys(step.variables);
  return step.kind === 'ask' ? [step.save_as ?? name] : [];
}

/** Tells whether a variable may be filled when a call gets to a step: some way leads there from what fills it. */
function knowledge(draft: Draft, filledBy: ReadonlyMap<string, readonly string[]>) {
  const next = (name: string) => exits(draft.steps[name]!).map(({ to }) => to);
  // A caller may leave at any question, when everything may be known.
  const behindAnything = reachable(
    waysOut(draft).map(({ to }) => to),
    next,
  );
  const behind = new Map<string, ReadonlySet<string>>();
  for (const filler of new Set([...filledBy.values()].flat()))
    behind.set(filler, reachable(next(filler), next));
  return (variable: string, step: string): boolean =>
    behindAnything.has(step) ||
    (filledBy.get(variable) ?? []).some((filler) => behind.get(filler)!.has(step));
}
