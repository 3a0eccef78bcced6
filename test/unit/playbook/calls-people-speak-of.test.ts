import { USUAL_LANGUAGES } from '#language/languages/languages.js';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { answerKindOf } from '#conversation/answering/answer-phrases.js';
import { defaultPlaybook } from '#playbook/book/default-playbook.js';
import { interpret } from '#playbook/understanding/interpret.js';
import { briefOf, createPlaybooks } from '#test/support/playbooks.js';
import { isOptOut } from '#playbook/understanding/requests.js';
import { thoughtsOf, undisturbed } from '#test/contracts/dialogue-manager.js';

const now = DateTime.fromISO('2026-11-21T12:00', { zone: 'America/New_York' });

function meaningOf(text: string) {
  const heard = { text, confidence: 0.9 };
  const at = { expectation: { kind: 'yes_no' }, minConfidence: 0.3, now, region: 'US' } as const;
  return interpret(heard, at);
}

/** What the default agent makes of answers. */
async function outcomeOf(...answers: string[]) {
  const session = createPlaybooks().open(briefOf({ playbook: defaultPlaybook, variables: {} }));
  await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
  for (const text of answers)
    await thoughtsOf(session.turn({ kind: 'heard', transcript: { text, confidence: 0.9 } }, undisturbed));
  return session.outcome();
}

describe('nobody is suppressed for speaking of calls', () => {
  it.each([
    'i stopped calling the office',
    'you stopped calling me last year',
    'the alarm stopped ringing',
    'my ex will not stop calling me',
    'why did you stop calling me',
    "i didn't ask you not to call me",
    "i never said don't call me again",
    'delete that number i have a new one',
    'remove this number and use my mobile',
    "forget my number i'll give you the new one",
    'my doctor told me not to call again',
    'tell the driver not to call me just ring the bell',
    'take me off that tablet',
    'stop calling it that',
    "i don't want to be called sir",
  ])('%s', (text) => expect(isOptOut(text)).toBe(false));
});

describe('everybody is suppressed who wants it, however it is worded', () => {
  it.each([
    "i'd like to be removed from your list",
    'i want to be taken off your list',
    "i don't want to be on your list",
    'remove him from your list',
    'please take my husband off your calling list',
    "don't call my wife again",
    "don't call him anymore",
    'i told you never to call me again',
    'these calls have to stop',
    'no more calling me',
    'enough with the calls',
    "you don't have my permission to call me",
    'no further contact please',
    "don't call or text me again",
    'stop texting and calling me',
    'stop bugging me',
    'i wish you people stopped calling me',
  ])('%s', (text) => expect(isOptOut(text)).toBe(true));
});

describe('no call is planned that nobody wants', () => {
  it.each([
    "i'll call back",
    "i'm going to call back tomorrow",
    'let me ring back in ten minutes',
    'when can i call back',
    'i tried to call back on monday and nobody answered',
    'does the doctor call me at three',
    'the nurse said she would ring me on monday',
    "they told me you'd call me at three",
    'it is not necessary to call me tomorrow',
    'you are not allowed to call me at night',
    "if you call me at ten again i'll scream",
  ])('%s', (text) => {
    expect(meaningOf(text)).not.toMatchObject({ kind: 'leaving', reason: 'later' });
  });

  it.each(['call me monday morning', 'give us a bell tomorrow', 'ring us back later', 'try me tomorrow'])(
    'one is for: %s',
    (text) => expect(meaningOf(text)).toMatchObject({ kind: 'leaving', reason: 'later' }),
  );
});

describe('an appointment is not confirmed', () => {
  it.each([
    'yes but i have a cold',
    'i can come on friday instead',
    'yes i need to change the time',
    "okay the thing is i'm away",
    'yes i have to postpone',
    "looking forward to it but i'm sick",
    'as if',
  ])('by: %s', async (text) => {
    expect((await outcomeOf('yes', text)).answers).not.toMatchObject({ coming: 'yes' });
  });

  it.each(["i'm driving but i'm on hands free go ahead", "i can't talk long but go ahead"])(
    'put off by: %s',
    async (text) => expect((await outcomeOf(text)).answers).toMatchObject({ good_time: 'yes' }),
  );
});

describe('a yes is taken back', () => {
  it.each(["look i can't come", "ah sorry i can't come", "listen i'm not going to make it tomorrow"])(
    'at a later question by: %s',
    async (text) => expect((await outcomeOf('yes', 'yes', text)).answers).toMatchObject({ coming: 'no' }),
  );

  it.each(["actually i don't want a next visit", 'actually no i never forget an appointment'])(
    'by no such thing as: %s',
    async (text) => expect((await outcomeOf('yes', 'yes', text)).answers).toMatchObject({ coming: 'yes' }),
  );
});

describe('a person is no machine', () => {
  const kindOf = (text: string) => answerKindOf(text, USUAL_LANGUAGES.of('en-US'));

  it.each([
    'hello yes i left a message after the beep yesterday did you get it',
    'this call has been forwarded to my mobile how can i help',
  ])('who says: %s', (text) => expect(kindOf(text)).toBe('person'));

  it.each([
    'you have reached the smith family please leave a message after the beep',
    'we can not take your call please leave a message after the tone',
  ])('but this is one: %s', (text) => expect(kindOf(text)).toBe('machine'));
});

describe('what is said at length', () => {
  it('costs no more than its length', () => {
    const text = `${'bye '.repeat(10_000)}car`;
    const at = { expectation: { kind: 'anything' }, minConfidence: 0.3, now, region: 'US' } as const;
    expect(interpret({ text, confidence: 0.9 }, at).kind).toBe('answer');
  });
});
