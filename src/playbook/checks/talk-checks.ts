import { OWN_VARIABLES, hasBrokenVariable, variablesOf } from '#dialogue/variables.js';
import type { PressStep, TalkExit, TalkStep } from '#playbook/steps/playbook-step.js';
import { LEAVE_STEP, SAVE_ANSWERS } from '#playbook/steps/talk-step-tools.js';
import type { PlaybookFault } from './playbook-graph.js';
import { questionFaults } from './question-checks.js';

/* Checks of talk steps and press steps. `stepFaults` calls them. */

/** Faults within a talk step; paths are relative to the step. */
export function talkFaults(step: TalkStep): PlaybookFault[] {
  const tools = (step.tools ?? []).flatMap((name, index): PlaybookFault[] =>
    name === SAVE_ANSWERS || name === LEAVE_STEP
      ? [{ path: ['tools', index], message: 'is the name of a tool that talk steps have by themselves' }]
      : [],
  );
  const exits = (step.exits ?? []).flatMap((exit, index) =>
    exitFaults(exit, step).map((fault) => ({ ...fault, path: ['exits', index, 'when', ...fault.path] })),
  );
  return [...tools, ...collectFaults(step), ...exits];
}

/** Faults of the values to collect, which are checked like questions. */
function collectFaults({ collect }: TalkStep): PlaybookFault[] {
  return Object.entries(collect ?? {}).flatMap(([name, { confirm, ...expect }]): PlaybookFault[] => {
    if (OWN_VARIABLES.has(name)) return [{ path: ['collect', name], message: 'is filled by the service' }];
    // The value as a question. The fields that a value does not have (`text`, `next`, `otherwise`) hold any valid
    // value.
    const text = typeof confirm === 'string' ? confirm : confirm ? name : null;
    const question = { kind: 'ask', text: '', expect, confirm: text, next: name, otherwise: name } as const;
    return questionFaults(question).map(({ path, message }) => ({
      path: ['collect', name, ...(path[0] === 'expect' ? path.slice(1) : path)],
      message,
    }));
  });
}

/** Faults of an exit: it has no condition, or its condition is the result of a tool that the step does not offer. */
function exitFaults({ when }: TalkExit, { tools }: TalkStep): PlaybookFault[] {
  const { known, result, said } = when;
  if (!known && !result && !said)
    return [{ path: [], message: 'says nothing of when: needs known, result or said' }];
  if (!result || tools?.includes(result.tool)) return [];
  return [
    {
      path: ['result', 'tool'],
      message: `names the tool '${result.tool}', which is not among the tools of this step`,
    },
  ];
}

/** Faults of a step that sends DTMF keys. */
export function pressFaults({ keys, wait_for: words, otherwise }: PressStep): PlaybookFault[] {
  const faults: PlaybookFault[] = [];
  if (hasBrokenVariable(keys))
    faults.push({ path: ['keys'], message: 'holds braces that make no variable such as {{account}}' });
  else if (variablesOf([keys]).length === 0 && !/^(?:[0-9A-D*#w]|\{\{[^{}]*\}\})+$/.test(keys))
    faults.push({ path: ['keys'], message: 'has other keys than 0-9, A-D, *, # and w' });
  if (words && !otherwise)
    faults.push({ path: ['otherwise'], message: 'is needed: the words may never come' });
  if (!words && otherwise)
    faults.push({ path: ['otherwise'], message: 'is never taken: the keys wait for no words' });
  return faults;
}
