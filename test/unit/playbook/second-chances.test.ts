import { describe, expect, it } from 'vitest';
import { defaultPlaybook } from '#playbook/definition/default-playbook.js';
import { briefOf, createPlaybooks } from '#test/support/playbooks.js';
import { thoughtsOf, undisturbed } from '#test/contracts/dialogue-manager.js';

const RECEPTIONIST = briefOf({ playbook: defaultPlaybook, variables: { name: 'Ada' } });

it('gets through a service that screens the call to whoever is behind it', async () => {
  const session = createPlaybooks().open(RECEPTIONIST);
  await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
  for (const text of ['please say your name and why you are calling', 'please stay on the line', 'hello']) {
    const turn = await thoughtsOf(
      session.turn({ kind: 'heard', transcript: { text, confidence: 1 } }, undisturbed),
    );
    expect(turn.at(-1)).toMatchObject({ kind: 'listen' });
  }
});

describe('a turn that was taken back', () => {
  const answering = (text: string) => ({ text, confidence: 1 });

  it('has put no question: the whole of what was said answers the one before', async () => {
    const session = createPlaybooks().open(RECEPTIONIST);
    await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
    await thoughtsOf(session.turn({ kind: 'heard', transcript: answering('yes') }, undisturbed));
    session.note({ kind: 'interrupted', heard: '' });
    session.note({ kind: 'taken_back' });
    const next = await thoughtsOf(
      session.turn({ kind: 'heard', transcript: answering('yes I have time') }, undisturbed),
    );
    expect(next).toContainEqual({
      kind: 'say',
      text: 'Will you come to your appointment?',
      interruptible: true,
    });
  });

  it('has not ended the call: its closing words are said', async () => {
    const session = createPlaybooks().open(RECEPTIONIST);
    await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
    const closing = await thoughtsOf(
      session.turn({ kind: 'heard', transcript: answering('not now') }, undisturbed),
    );
    session.note({ kind: 'interrupted', heard: '' });
    session.note({ kind: 'taken_back' });
    expect(
      await thoughtsOf(session.turn({ kind: 'heard', transcript: answering('not now sorry') }, undisturbed)),
    ).toEqual(closing);
  });

  it('does not make the question before one that was spoken over: it is put again as it would be without', async () => {
    const home = {
      kind: 'ask',
      text: '{{initial_message}} Are you in?',
      expect: { kind: 'yes_no' },
      next: 'bye',
      otherwise: 'bye',
    } as const;
    const playbook = { start: 'home', steps: { home, bye: { kind: 'end', text: 'Bye.' } } } as const;
    const again = async (isTakenBack: boolean) => {
      const session = createPlaybooks().open(briefOf({ playbook }));
      await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
      if (isTakenBack) {
        await thoughtsOf(session.turn({ kind: 'heard', transcript: answering('blue') }, undisturbed));
        session.note({ kind: 'interrupted', heard: '' });
        session.note({ kind: 'taken_back' });
      }
      return thoughtsOf(session.turn({ kind: 'heard', transcript: answering('blue') }, undisturbed));
    };
    expect(await again(true)).toEqual(await again(false));
  });

  it('has kept an opt-out all the same', async () => {
    const session = createPlaybooks().open(RECEPTIONIST);
    await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
    await thoughtsOf(
      session.turn({ kind: 'heard', transcript: answering('do not call me again') }, undisturbed),
    );
    session.note({ kind: 'interrupted', heard: '' });
    session.note({ kind: 'taken_back' });
    await thoughtsOf(session.turn({ kind: 'heard', transcript: answering('') }, undisturbed));
    expect(session.outcome().followUp).toEqual({ kind: 'suppress' });
  });
});

it('says only once that it has not understood, where it was spoken over when it first said so', async () => {
  const expectation = { kind: 'yes_no' } as const;
  const home = {
    kind: 'ask',
    text: 'Are you in?',
    expect: expectation,
    next: 'bye',
    otherwise: 'bye',
  } as const;
  const playbook = { start: 'home', steps: { home, bye: { kind: 'end', text: 'Bye.' } } } as const;
  const session = createPlaybooks().open(briefOf({ playbook }));
  await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
  const turns = [];
  for (const text of ['purple', 'purple']) {
    const turn = await thoughtsOf(
      session.turn({ kind: 'heard', transcript: { text, confidence: 1 } }, undisturbed),
    );
    turns.push(turn.flatMap((thought) => (thought.kind === 'say' ? [thought.text] : [])));
    session.note({ kind: 'interrupted', heard: 'Sorry,' });
  }
  expect(turns[1]).toEqual(turns[0]);
});

describe('what no turn answers', () => {
  const overhearing = async (text: string, confidence = 1) => {
    const session = createPlaybooks().open(RECEPTIONIST);
    await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
    session.note({ kind: 'overheard', transcript: { text, confidence } });
    return session;
  };

  it('is an opt-out all the same', async () => {
    const session = await overhearing('and please stop calling me');
    expect(session.outcome()).toMatchObject({ intent: 'do_not_call', followUp: { kind: 'suppress' } });
  });

  it('leaves what was reached before as it was', async () => {
    const session = createPlaybooks().open(RECEPTIONIST);
    await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
    for (const text of ['yes', 'yes'])
      await thoughtsOf(session.turn({ kind: 'heard', transcript: { text, confidence: 1 } }, undisturbed));
    const before = session.outcome();
    expect(before.resolutionAchieved).toBe(true);
    session.note({ kind: 'overheard', transcript: { text: 'do not call me again', confidence: 1 } });
    expect(session.outcome()).toEqual({ ...before, followUp: { kind: 'suppress' } });
  });

  it.each([
    ['do not call me again', 0.1],
    ['thank you', 1],
    ['call me tomorrow', 1],
    ['', 0],
  ])('says nothing with %j (confidence %d)', async (text, confidence) => {
    const session = createPlaybooks().open(RECEPTIONIST);
    await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
    const before = session.outcome();
    session.note({ kind: 'overheard', transcript: { text, confidence } });
    expect(session.outcome()).toEqual(before);
  });
});
