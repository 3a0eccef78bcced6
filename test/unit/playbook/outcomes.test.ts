import { describe, expect, it } from 'vitest';
import { playbookSchema } from '#playbook/definition/playbook.js';
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

  it('counts nothing that was reached by an answer that is taken back', async () => {
    const playbook = playbookSchema.parse({
      start: 'car',
      steps: {
        car: {
          kind: 'ask',
          text: 'Do you still have the car?',
          expect: { kind: 'yes_no' },
          answers: { yes: 'sold', no: 'thanks' },
          otherwise: 'thanks',
        },
        sold: { kind: 'say', text: 'Good.', next: 'day', intent: 'has_car', resolution_achieved: true },
        day: {
          kind: 'ask',
          text: 'Which day?',
          expect: { kind: 'date' },
          next: 'thanks',
          otherwise: 'thanks',
        },
        thanks: { kind: 'end', text: 'Thank you.' },
      },
    });
    const outcome = await outcomeOf(briefOf({ playbook }), ['yes', "sorry I don't have the car anymore"]);
    expect(outcome).toMatchObject({ intent: null, resolutionAchieved: false, answers: { car: 'no' } });
  });

  it('takes "no problem" for a no where the question asks for trouble', async () => {
    const playbook = playbookSchema.parse({
      start: 'trouble',
      steps: {
        trouble: {
          kind: 'ask',
          text: 'Did you have any trouble?',
          expect: { kind: 'yes_no' },
          next: 'thanks',
          otherwise: 'thanks',
        },
        thanks: { kind: 'end', text: 'Thank you.' },
      },
    });
    expect((await outcomeOf(briefOf({ playbook }), ['no problems at all'])).answers).toEqual({
      trouble: 'no',
    });
  });
});
