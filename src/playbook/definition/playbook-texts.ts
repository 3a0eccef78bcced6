import type { Playbook } from './playbook.js';
import { variablesFilledBy } from '#playbook/steps/filled-variables.js';
import { fieldTexts } from '#playbook/steps/step-texts.js';

/* Collects texts and variables of a playbook for agents (`variables`, warnings) and for the analysis of calls. */

/** Every text of a playbook that may hold variables, in the order of its steps; none without a playbook. */
export function textsOf(playbook: Playbook | null): string[] {
  if (playbook === null) return [];
  const worded = Object.values(playbook.wording ?? {}).filter((text) => typeof text === 'string');
  return [
    ...Object.values(playbook.steps).flatMap((step) => fieldTexts(step).map(({ text }) => text)),
    ...worded,
  ];
}

/** The texts of a playbook's questions, read-backs and rewordings. In these the agent promises nothing. */
export function questionTextsOf(playbook: Playbook | null): string[] {
  return Object.values(playbook?.steps ?? {}).flatMap((step) => {
    if (step.kind !== 'ask') return [];
    return [step.text, step.confirm, ...(step.retry ?? [])].filter((text) => typeof text === 'string');
  });
}

/** The variables that a playbook fills during a call: answers, values that it sets, and the agreed call-back time. */
export function variablesSetBy(playbook: Playbook | null): Set<string> {
  const learnt = Object.entries(playbook?.steps ?? {}).flatMap(([name, step]) =>
    variablesFilledBy(name, step),
  );
  return new Set(['call_back_at', ...learnt]);
}
