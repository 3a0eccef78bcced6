import type { Playbook } from './playbook.js';
import { filledBy } from '#playbook/steps/filled-variables.js';
import { fieldTexts } from '#playbook/steps/step-texts.js';

/** Every text of a playbook that may hold variables of the call, in the order of its steps. */
export function textsOf(playbook: Playbook | null): string[] {
  if (playbook === null) return [];
  const worded = Object.values(playbook.wording ?? {}).filter((text) => typeof text === 'string');
  return [
    ...Object.values(playbook.steps).flatMap((step) => fieldTexts(step).map(({ text }) => text)),
    ...worded,
  ];
}

/** The texts of a playbook's questions, read-backs and repeated questions. */
export function questionTextsOf(playbook: Playbook | null): string[] {
  return Object.values(playbook?.steps ?? {}).flatMap((step) => {
    if (step.kind !== 'ask') return [];
    return [step.text, step.confirm, ...(step.retry ?? [])].filter((text) => typeof text === 'string');
  });
}

/** The variables that a playbook fills itself: answers to its questions and values that it sets. */
export function learntBy(playbook: Playbook | null): Set<string> {
  const learnt = Object.entries(playbook?.steps ?? {}).flatMap(([name, step]) => filledBy(name, step));
  return new Set(['call_back_at', ...learnt]);
}
