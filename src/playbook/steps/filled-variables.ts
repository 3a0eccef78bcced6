import type { PlaybookStep } from './playbook-step.js';

/**
 * The variables that a step fills: answers, values that it sets, and results of tools. Used by the checks of playbooks,
 * and to find out which variables the data of a call must bring.
 * @param name the name of the step, which is the variable of a question without `save_as`
 */
export function variablesFilledBy(name: string, step: PlaybookStep): string[] {
  switch (step.kind) {
    case 'set':
      return Object.keys(step.variables);
    case 'ask':
      return [step.save_as ?? name];
    case 'talk':
      return Object.keys(step.collect ?? {});
    case 'tool':
      return step.save_as ? [step.save_as] : [];
    default:
      return [];
  }
}
