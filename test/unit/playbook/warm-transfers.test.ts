import { describe, expect, it } from 'vitest';
import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import { playbookSchema } from '#playbook/definition/playbook.js';
import { createPlaybooks, briefOf } from '#test/support/playbooks.js';
import { thoughtsOf, undisturbed } from '#test/contracts/dialogue-manager.js';

const TO = '+14155550100';
const thinking = createPlaybooks({ clock: { wallMs: () => Date.UTC(2026, 10, 21, 17, 30) } });
const DESK = { kind: 'transfer', mode: 'warm', to: TO };

function playbookWith(desk: object) {
  return {
    start: 'wish',
    steps: {
      wish: {
        kind: 'ask',
        text: 'Shall I connect you?',
        expect: { kind: 'yes_no' },
        answers: { yes: 'desk', no: 'end' },
        otherwise: 'end',
      },
      desk: { ...DESK, ...desk },
      end: { kind: 'end', text: 'Goodbye.' },
    },
  };
}

const faultsOf = (desk: object) =>
  (playbookSchema.safeParse(playbookWith(desk)).error?.issues ?? []).map(
    ({ path, message }) => `${path.slice(2).join('.')} ${message}`,
  );

const wordsOf = (outputs: readonly DialogueOutput[]) =>
  outputs.flatMap((output) => (output.kind === 'say' ? [output.text] : [])).join(' ');

/** A talk that has come to the question. */
async function asked(desk: object) {
  const playbook = playbookSchema.parse(playbookWith(desk));
  const session = thinking.open(briefOf({ playbook, variables: { name: 'Anna' } }));
  const turn = (input: Parameters<typeof session.turn>[0]) => thoughtsOf(session.turn(input, undisturbed));
  await turn({ kind: 'opening' });
  const hear = (text: string) => turn({ kind: 'heard', transcript: { text, confidence: 1 } });
  return { session, turn, hear };
}

describe('the step', () => {
  it.each<[object, string[]]>([
    [{}, []],
    [{ briefing: '{{name}} is on the line.', ring_seconds: 30, otherwise: 'end' }, []],
    [{ stay: true, next: 'end' }, []],
    [{ stay: true }, ['next is needed with stay: the call goes on when the person has hung up']],
    [{ next: 'end' }, ['next is for a transfer with stay only']],
    [{ mode: 'cold', briefing: 'Hello.' }, ['briefing is for a warm transfer only']],
  ])('%j', (desk, faults) => {
    expect(faultsOf(desk)).toEqual(faults);
  });

  it('asks for a person who is told the briefing, in the words of the call', async () => {
    const { hear } = await asked({
      text: 'One moment.',
      briefing: '{{name}} is on the line.',
      ring_seconds: 30,
    });
    expect(await hear('yes')).toEqual([
      { kind: 'say', text: 'One moment.', interruptible: false },
      {
        kind: 'transfer',
        to: TO,
        warm: { briefing: 'Anna is on the line.', ringSeconds: 30, stay: false },
      },
    ]);
  });

  it('goes on when the person does not take the call, and when they have hung up', async () => {
    const refused = await asked({ otherwise: 'end' });
    await refused.hear('yes');
    expect(wordsOf(await refused.turn({ kind: 'transfer_failed' }))).toBe(
      'I am sorry, I could not connect you. Goodbye.',
    );
    const stayed = await asked({ stay: true, next: 'end' });
    await stayed.hear('yes');
    expect(wordsOf(await stayed.turn({ kind: 'returned' }))).toBe('Goodbye.');
  });
});

it('puts its question again after a transfer that a person has asked for', async () => {
  const failed = await asked({});
  const outputs = await failed.turn({ kind: 'transfer_failed' });
  expect(wordsOf(outputs)).toBe('I am sorry, I could not connect you. Shall I connect you?');
  expect(outputs.at(-1)).toMatchObject({ kind: 'listen' });
  expect(wordsOf(await failed.turn({ kind: 'returned' }))).toBe('Shall I connect you?');
  expect(await failed.hear('no')).toMatchObject([{ text: 'Goodbye.' }, { kind: 'end' }]);
});
