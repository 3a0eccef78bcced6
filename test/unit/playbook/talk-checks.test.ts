import { describe, expect, it } from 'vitest';
import { agentTools } from '#dialogue/tools/tool-definition.js';
import { fieldOf } from '#kernel/input/issue-message.js';
import { agentToolFaults } from '#playbook/definition/agent-tool-checks.js';
import { playbookSchema } from '#playbook/definition/playbook.js';

const TALK = {
  kind: 'talk',
  goal: 'Agree on a day.',
  collect: { day: { kind: 'date' } },
  exits: [{ when: { known: ['day'] }, next: 'end' }],
  max_turns: 5,
  otherwise: 'end',
};
const TOOL = { kind: 'tool', tool: 'book', on_error: 'end', next: 'end' };
const PRESS = { kind: 'press', keys: '1', next: 'end' };
const END = { kind: 'end' };

/** The faults of a playbook, as the fields of an agent that they are in. */
function faultsOf(steps: Record<string, object>, rest: object = {}): string[] {
  const draft = { start: Object.keys(steps)[0]!, steps: { ...steps, end: END }, ...rest };
  const read = playbookSchema.safeParse(draft);
  return (read.error?.issues ?? []).map((issue) => {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [];
    return `${fieldOf(['playbook', ...issue.path, ...keys])} ${issue.message}`;
  });
}

const exit = (when: object, next = 'end') => ({ exits: [{ when, next }] });

describe('a playbook with steps that take longer', () => {
  it.each<[what: string, steps: Record<string, object>]>([
    ['a talk', { book: TALK }],
    ['a talk without exits', { book: { ...TALK, exits: [] } }],
    [
      'a talk, a tool that fails, and the talk again',
      { book: { ...TALK, ...exit({ known: ['day'] }, 'run') }, run: { ...TOOL, on_error: 'book' } },
    ],
    ['keys', { menu: PRESS }],
    [
      'a talk whose likely names are of its own values, and of the call',
      {
        book: {
          ...TALK,
          collect: {
            caller: { kind: 'name', likely: ['{{name}}'] },
            guest: { kind: 'name', likely: ['{{caller}}'] },
          },
          ...exit({ known: ['guest'] }),
        },
      },
    ],
    [
      'a transfer that is cold',
      {
        book: { ...TALK, otherwise: 'person' },
        person: { kind: 'transfer', mode: 'cold', to: '+14155550100' },
      },
    ],
    [
      'a transfer that is warm',
      {
        book: { ...TALK, otherwise: 'person' },
        person: { kind: 'transfer', mode: 'warm', to: '+14155550100', briefing: 'They want a visit.' },
      },
    ],
    [
      'a branch on what a talk collects',
      {
        book: { ...TALK, ...exit({ known: ['day'] }, 'which') },
        which: {
          kind: 'branch',
          cases: [{ variable: 'day', at_least: '2026-12-31', next: 'end' }],
          next: 'end',
        },
      },
    ],
  ])('is taken with %s', (_, steps) => {
    expect(faultsOf(steps)).toEqual([]);
  });

  it.each<[what: string, steps: Record<string, object>, fault: RegExp]>([
    [
      'an exit to a step that is none',
      { book: { ...TALK, exits: [...TALK.exits, { when: { said: 'no' }, next: 'gone' }] } },
      /^playbook\.steps\.book\.exits\[1\]\.next names the step 'gone'/,
    ],
    [
      'an exit that says nothing',
      { book: { ...TALK, ...exit({}) } },
      /^playbook\.steps\.book\.exits\[0\]\.when says nothing/,
    ],
    [
      'the result of a tool that the step does not have',
      { book: { ...TALK, ...exit({ result: { tool: 'x', equals: { path: '$', value: 1 } } }) } },
      /^playbook\.steps\.book\.exits\[0\]\.when\.result\.tool names the tool 'x'/,
    ],
    [
      'a path that is none',
      {
        book: {
          ...TALK,
          tools: ['x'],
          ...exit({ result: { tool: 'x', equals: { path: 'free', value: 1 } } }),
        },
      },
      /equals\.path is no path/,
    ],
    [
      'a kind of value that is none',
      { book: { ...TALK, collect: { day: { kind: 'colour' } } } },
      /^playbook\.steps\.book\.collect\.day\.kind /,
    ],
    [
      'limits that no value meets',
      { book: { ...TALK, collect: { day: { kind: 'number', min: 5, max: 4 } } } },
      /^playbook\.steps\.book\.collect\.day\.max is below min/,
    ],
    [
      'a yes that is read back',
      { book: { ...TALK, collect: { day: { kind: 'yes_no', confirm: true } } } },
      /^playbook\.steps\.book\.collect\.day\.confirm cannot be/,
    ],
    [
      'a value that the service fills',
      { book: { ...TALK, collect: { today: { kind: 'date' } } } },
      /^playbook\.steps\.book\.collect\.today is filled by the service/,
    ],
    [
      'a misspelt field',
      { book: { ...TALK, colect: {} } },
      /^playbook\.steps\.book\.colect is not known here/,
    ],
    ['no limit of turns', { book: { ...TALK, max_turns: undefined } }, /^playbook\.steps\.book\.max_turns /],
    ['no way out', { book: { ...TALK, otherwise: undefined } }, /^playbook\.steps\.book\.otherwise /],
    [
      'talks that lead back to themselves',
      { book: { ...TALK, otherwise: 'again' }, again: { ...TALK, otherwise: 'book' } },
      /^playbook\.steps\.book\.otherwise leads back to this step/,
    ],
    [
      'a talk that no exit leaves',
      {
        book: { ...TALK, ...exit({ known: ['day'] }, 'more') },
        more: { ...TALK, ...exit({ known: ['day'] }, 'book') },
      },
      /^playbook\.steps\.book\.exits leads into a circle/,
    ],
    [
      'a tool that runs for ever',
      { run: { ...TOOL, on_error: 'run' } },
      /^playbook\.steps\.run\.on_error leads back/,
    ],
    [
      'menus that follow each other for ever',
      { menu: { ...PRESS, next: 'other' }, other: { ...PRESS, next: 'menu' } },
      /^playbook\.steps\.menu\.next leads back/,
    ],
    [
      'keys that no telephone has',
      { menu: { ...PRESS, keys: '1x' } },
      /^playbook\.steps\.menu\.keys has other keys/,
    ],
    [
      'words that may never come',
      { menu: { ...PRESS, wait_for: ['press one'] } },
      /^playbook\.steps\.menu\.otherwise is needed/,
    ],
    [
      'a tool of our own',
      { book: { ...TALK, tools: ['save_answers'] } },
      /^playbook\.steps\.book\.tools\[0\] is the name of a tool that talk steps have/,
    ],
    [
      'a text that uses a value too early',
      { hello: { kind: 'say', text: '{{day}}?', next: 'book' }, book: TALK },
      /^playbook\.steps\.hello\.text uses \{\{day\}\} before/,
    ],
    [
      'likely names that use a value too early',
      {
        who: {
          ...TALK,
          collect: { caller: { kind: 'name', likely: ['{{day}}'] } },
          ...exit({ known: ['caller'] }, 'book'),
        },
        book: TALK,
      },
      /^playbook\.steps\.who\.collect\.caller\.likely\[0\] uses \{\{day\}\} before/,
    ],
  ])('is refused with %s', (_, steps, fault) => {
    expect(faultsOf(steps).join('\n')).toMatch(fault);
  });
});

describe('a playbook and the tools of its agent', () => {
  const tools = agentTools.parse([
    {
      name: 'find',
      description: 'Finds',
      url: 'https://crm.example/find',
      save: { slot: '$.slot' },
      parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
    },
    { type: 'press_keys', enabled: false },
  ]);
  const against = (steps: Record<string, object>) => {
    const playbook = playbookSchema.parse({ start: Object.keys(steps)[0]!, steps: { ...steps, end: END } });
    return agentToolFaults(playbook, tools).map(
      ({ path, message }) => `${fieldOf(['playbook', ...path])} ${message}`,
    );
  };

  it('fit together', () => {
    const book = { ...TALK, tools: ['find', 'end_call'], ...exit({ known: ['slot', 'day'] }, 'run') };
    expect(against({ book, run: { ...TOOL, tool: 'find', with: { day: '{{day}}' } } })).toEqual([]);
  });

  it.each<[what: string, steps: Record<string, object>, fault: string]>([
    [
      'a tool that is none',
      { book: { ...TALK, tools: ['find', 'gone'] } },
      "playbook.steps.book.tools[1] names the tool 'gone', which the agent does not have",
    ],
    [
      'a tool that is off',
      { book: { ...TALK, tools: ['press_keys'] } },
      "playbook.steps.book.tools[0] names the tool 'press_keys', which is switched off",
    ],
    [
      'nobody to transfer to',
      { book: { ...TALK, tools: ['transfer'] } },
      "playbook.steps.book.tools[0] names the tool 'transfer', which has no destinations",
    ],
    [
      'a value that nothing fills',
      { book: { ...TALK, ...exit({ known: ['day', 'dya'] }) } },
      "playbook.steps.book.exits[0].when.known[1] names the value 'dya', which no step and no tool fills",
    ],
    [
      'a step with a tool that is none',
      { run: TOOL },
      "playbook.steps.run.tool names the tool 'book', which the agent does not have",
    ],
    [
      'a step without an argument',
      { run: { ...TOOL, tool: 'find' } },
      "playbook.steps.run.with.day is needed: 'find' requires it",
    ],
  ])('are refused with %s', (_, steps, fault) => {
    expect(against(steps)).toEqual([fault]);
  });
});
