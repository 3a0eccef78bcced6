import type { Playbook } from './playbook.js';

/** Every text of a playbook that may hold variables, in the order of its steps, without those it fills itself. */
export function textsOf(playbook: Playbook | null): string[] {
  if (playbook === null) return [];
  return [
    ...Object.values(playbook.steps).flatMap(stepTexts),
    ...Object.values(playbook.wording ?? {}),
  ].filter((text): text is string => typeof text === 'string');
}

/** The variables that a playbook fills itself: the answers to its questions, and what it sets. */
export function learntBy(playbook: Playbook | null): Set<string> {
  const learnt = Object.entries(playbook?.steps ?? {}).flatMap(([name, step]) => {
    if (step.kind === 'set') return Object.keys(step.variables);
    return step.kind === 'ask' ? [step.save_as ?? name] : [];
  });
  return new Set(['call_back_at', ...learnt]);
}

function stepTexts(step: Playbook['steps'][string]): unknown[] {
  switch (step.kind) {
    case 'branch':
      return [step.summary];
    case 'set':
      return [...Object.values(step.variables), step.summary];
    case 'reply':
      return [step.text, ...Object.values(step.texts), step.summary];
    case 'ask': {
      const likely = step.expect.kind === 'name' ? (step.expect.likely ?? []) : [];
      return [step.text, ...(step.retry ?? []), step.confirm, ...likely, step.summary];
    }
    case 'transfer':
      return [step.text, step.to, step.summary];
    default:
      return [step.text, step.summary];
  }
}
