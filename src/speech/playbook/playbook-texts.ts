import type { Playbook } from './playbook.js';

/** Every text of a playbook that may hold variables, in the order of its steps, without those it fills itself. */
export function textsOf(playbook: Playbook | null): string[] {
  if (playbook === null) return [];
  return [
    ...Object.values(playbook.steps).flatMap(stepTexts),
    ...Object.values(playbook.wording ?? {}),
  ].filter((text): text is string => typeof text === 'string');
}

/** The variables that the questions of a playbook fill. */
export function learntBy(playbook: Playbook | null): Set<string> {
  const questions = Object.entries(playbook?.steps ?? {});
  return new Set(questions.flatMap(([name, step]) => (step.kind === 'ask' ? [step.save_as ?? name] : [])));
}

function stepTexts(step: Playbook['steps'][string]): unknown[] {
  const texts =
    step.kind === 'reply' ? Object.values(step.texts) : step.kind === 'ask' ? (step.retry ?? []) : [];
  return [step.text, ...texts, step.summary];
}
