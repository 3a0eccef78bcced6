import { describe, expect, it } from 'vitest';
import { playbookSchema } from '#playbook/book/playbook.js';
import { briefOf, createPlaybooks, type PlaybookBrief } from '#test/support/playbooks.js';
import type { Outcome } from '#dialogue/outcome.js';
import { thoughtsOf, undisturbed } from '#test/contracts/dialogue-manager.js';

async function outcomeOf(brief: PlaybookBrief, callerSays: readonly string[]): Promise<Outcome> {
  const session = createPlaybooks().open(brief);
  await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
  for (const text of callerSays)
    await thoughtsOf(session.turn({ kind: 'heard', transcript: { text, confidence: 0.9 } }, undisturbed));
  return session.outcome();
}

describe('an outcome', () => {
  it('tells which answers are free speech, and not a plain no', async () => {
    const message = { kind: 'ask', text: 'Any message?', expect: { kind: 'anything' }, otherwise: 'end' };
    const playbook = playbookSchema.parse({
      start: 'message',
      steps: {
        message: { ...message, answers: { no: 'guests' }, next: 'guests' },
        guests: {
          kind: 'ask',
          text: 'How many guests?',
          expect: { kind: 'number' },
          next: 'remark',
          otherwise: 'end',
        },
        remark: { ...message, next: 'end' },
        end: { kind: 'end', text: 'Bye.' },
      },
    });
    const brief = briefOf({ playbook });
    const said = await outcomeOf(brief, ['my neighbour has the key', 'four', 'we like it quiet']);
    expect(Object.keys(said.answers)).toEqual(['message', 'guests', 'remark']);
    expect(said.inOwnWords).toEqual(['message', 'remark']);
    const declined = await outcomeOf(brief, ['no', 'four']);
    expect(declined.answers).toEqual({ message: 'no', guests: '4' });
    expect(declined.inOwnWords).toEqual([]);
  });
});
