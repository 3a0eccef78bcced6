import type { PlaybookStep } from './playbook-step.js';

/** A text of a step that may hold variables, and the path of its field within the step: `['retry', 0]`. */
export interface FieldText {
  path: readonly (string | number)[];
  text: string;
}

/**
 * The texts of a step that may hold variables, except for the likely names of values that a talk step collects. The
 * checks of playbooks look for unknown variables in them, the checks of agents for missing data.
 */
export function fieldTexts(step: PlaybookStep): FieldText[] {
  const texts: FieldText[] = [];
  const add = (path: readonly (string | number)[], text: string | null | undefined) => {
    if (text) texts.push({ path, text });
  };
  if ('text' in step) add(['text'], step.text);
  if (step.kind === 'reply')
    for (const [value, text] of Object.entries(step.texts)) add(['texts', value], text);
  if (step.kind === 'set')
    for (const [name, text] of Object.entries(step.variables)) add(['variables', name], text);
  if (step.kind === 'branch')
    for (const [at, { is }] of step.cases.entries())
      for (const [index, value] of (is ?? []).entries()) add(['cases', at, 'is', index], value);
  if (step.kind === 'transfer') {
    add(['to'], step.to);
    add(['briefing'], step.briefing);
  }
  if (step.kind === 'talk') {
    add(['goal'], step.goal);
    add(['prompt'], step.prompt);
    for (const [name, { confirm }] of Object.entries(step.collect ?? {}))
      if (typeof confirm === 'string') add(['collect', name, 'confirm'], confirm);
  }
  if (step.kind === 'tool') {
    for (const [name, value] of Object.entries(step.with ?? {}))
      if (typeof value === 'string') add(['with', name], value);
    for (const [at, text] of (step.say_while ?? []).entries()) add(['say_while', at], text);
  }
  if (step.kind === 'press') add(['keys'], step.keys);
  if (step.kind === 'ask') {
    add(['confirm'], step.confirm);
    for (const [at, text] of (step.retry ?? []).entries()) add(['retry', at], text);
    const likely = step.expect.kind === 'name' ? (step.expect.likely ?? []) : [];
    for (const [at, text] of likely.entries()) add(['expect', 'likely', at], text);
  }
  add(['summary'], step.summary);
  return texts;
}
