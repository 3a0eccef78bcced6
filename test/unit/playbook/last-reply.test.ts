import { describe, expect, it } from 'vitest';
import type { Playbook } from '#playbook/definition/playbook.js';
import { briefOf, createPlaybooks } from '#test/support/playbooks.js';
import { thoughtsOf, undisturbed } from '#test/contracts/dialogue-manager.js';

const NOON = Date.parse('2026-03-02T12:00:00Z');
const thinking = createPlaybooks({ clock: { wallMs: () => NOON }, timeZone: 'UTC' });

const PLAYBOOK: Playbook = {
  start: 'coming',
  steps: {
    coming: {
      kind: 'ask',
      text: 'Are you coming?',
      expect: { kind: 'yes_no' },
      answers: { yes: 'confirmed', no: 'person' },
      otherwise: 'lost',
    },
    confirmed: {
      kind: 'say',
      text: 'Thank you.',
      intent: 'confirm_appointment',
      resolution_achieved: true,
      next: 'day',
    },
    day: {
      kind: 'ask',
      text: 'On which day?',
      expect: { kind: 'date' },
      confirm: 'On {{day}}, is that right?',
      next: 'bye',
      otherwise: 'lost',
    },
    person: {
      kind: 'transfer',
      to: '+15550100001',
      text: 'I connect you.',
      intent: 'speak_to_person',
      resolution_achieved: true,
    },
    lost: { kind: 'end', text: 'Goodbye.', intent: 'not_understood', resolution_achieved: false },
    bye: { kind: 'end', text: 'See you.' },
  },
};

/** The outcome of a talk in which these are the caller's replies, and the last words right before hanging up. */
async function outcomeAfter(replies: readonly string[], lastWords: string, confidence = 1) {
  const session = thinking.open(briefOf({ playbook: PLAYBOOK }));
  await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
  for (const text of replies)
    await thoughtsOf(session.turn({ kind: 'heard', transcript: { text, confidence: 1 } }, undisturbed));
  session.note({ kind: 'last_words', transcript: { text: lastWords, confidence } });
  return session.outcome();
}

describe('the last reply of a caller who hangs up', () => {
  it('is an answer, and leads where it would have led', async () => {
    expect(await outcomeAfter([], 'yes')).toMatchObject({
      answers: { coming: 'yes' },
      intent: 'confirm_appointment',
      resolutionAchieved: true,
    });
  });

  it('connects nobody', async () => {
    expect(await outcomeAfter([], 'no')).toMatchObject({
      answers: { coming: 'no' },
      intent: null,
      resolutionAchieved: false,
    });
  });

  it('needs to be confirmed where the playbook says so', async () => {
    expect((await outcomeAfter(['yes'], 'tomorrow')).answers).toEqual({ coming: 'yes' });
    expect((await outcomeAfter(['yes', 'tomorrow'], 'yes')).answers).toEqual({
      coming: 'yes',
      day: '2026-03-03',
    });
  });

  it('may ask for another call', async () => {
    const { followUp } = await outcomeAfter([], 'call me tomorrow at three');
    expect(followUp).toMatchObject({ kind: 'call_back', at: Date.parse('2026-03-03T15:00:00Z') });
  });

  it('may name the time for it, where that was asked', async () => {
    const { followUp } = await outcomeAfter(['call me today at nine in the morning'], 'tomorrow at three');
    expect(followUp).toMatchObject({ kind: 'call_back', at: Date.parse('2026-03-03T15:00:00Z') });
  });

  it('may forbid any other, also behind our goodbye', async () => {
    for (const replies of [[], ['not now']]) {
      expect((await outcomeAfter(replies, 'do not call me again')).followUp).toEqual({ kind: 'suppress' });
    }
  });

  it.each([
    ['yes', 0.1],
    ['the quick brown fox', 1],
    ['who are you', 1],
    ['', 0],
  ])('is none with %j (confidence %d)', async (text, confidence) => {
    const session = thinking.open(briefOf({ playbook: PLAYBOOK }));
    await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
    const before = session.outcome();
    for (let count = 0; count < 5; count += 1)
      session.note({ kind: 'last_words', transcript: { text, confidence } });
    expect(session.outcome()).toEqual(before);
  });
});
