import { exits, waysOut, type Draft, type PlaybookFault } from './playbook-graph.js';
import type { PlaybookStep } from '#playbook/steps/playbook-step.js';
import { fieldTexts } from '#playbook/steps/step-texts.js';
import { variablesWithoutWords } from '#dialogue/variables.js';

/**
 * Variables that a text uses before any question can have filled them. One that no question fills is a matter of the
 * call's own data, and one that has words for its absence (`{{day|one day}}`) may be missing.
 */
export function variableFaults(draft: Draft): PlaybookFault[] {
  const filledBy = new Map(Object.entries(draft.steps).map(([name, step]) => [name, filled(name, step)]));
  const everFilled = new Set([...filledBy.values()].flat());
  const known = knownAt(draft, filledBy, everFilled);
  return Object.entries(draft.steps).flatMap(([name, step]) =>
    fieldTexts(step).flatMap(({ path, text }) => {
      const own = path[0] === 'confirm' ? filledBy.get(name)! : [];
      return variablesWithoutWords(text)
        .filter(
          (variable) =>
            everFilled.has(variable) && !known.get(name)!.has(variable) && !own.includes(variable),
        )
        .map((variable) => ({
          path: ['steps', name, ...path],
          message: `uses {{${variable}}} before any step has filled it; {{${variable}|other words}} is taken while it is not known`,
        }));
    }),
  );
}

function filled(name: string, step: PlaybookStep): string[] {
  if (step.kind === 'set') return Object.keys(step.variables);
  return step.kind === 'ask' ? [step.save_as ?? name] : [];
}

/** What may be filled when a call gets to each step: grown along the ways until nothing is new. */
function knownAt(
  draft: Draft,
  filledBy: ReadonlyMap<string, readonly string[]>,
  everFilled: ReadonlySet<string>,
): Map<string, Set<string>> {
  const known = new Map(Object.keys(draft.steps).map((name) => [name, new Set<string>()]));
  // From anywhere everything may be known.
  for (const { to } of waysOut(draft)) for (const variable of everFilled) known.get(to)!.add(variable);
  for (let isGrowing = true; isGrowing;) {
    isGrowing = false;
    for (const [name, step] of Object.entries(draft.steps)) {
      const after = [...known.get(name)!, ...filledBy.get(name)!];
      for (const { to } of exits(step)) {
        const before = known.get(to)!.size;
        for (const variable of after) known.get(to)!.add(variable);
        isGrowing ||= known.get(to)!.size > before;
      }
    }
  }
  return known;
}
