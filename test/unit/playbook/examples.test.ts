import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { agentCreate } from '#agents/definitions/agent-input.js';
import { briefOf, createPlaybooks } from '#test/support/playbooks.js';
import { thoughtsOf, undisturbed } from '#test/contracts/dialogue-manager.js';

/** Half past twelve in New York, on Saturday, 21 November 2026. */
const clock = { wallMs: () => Date.UTC(2026, 10, 21, 17, 30) };
const thinking = createPlaybooks({ clock, timeZone: 'America/New_York' });

/** A call with an example: the last words of the agent, what ends it, and what came of it. */
async function talk(name: string, variables: Record<string, string>, ...says: string[]) {
  const url = new URL(`../../../examples/playbooks/${name}.json`, import.meta.url);
  const { playbook, initial_message } = agentCreate.parse(JSON.parse(readFileSync(url, 'utf8')));
  const session = thinking.open(
    briefOf({ playbook: playbook!, initialMessage: initial_message!, variables }),
  );
  let thoughts = await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
  for (const text of says)
    thoughts = await thoughtsOf(
      session.turn({ kind: 'heard', transcript: { text, confidence: text === '' ? 0 : 0.9 } }, undisturbed),
    );
  const said = thoughts.flatMap((thought) => (thought.kind === 'say' ? [thought.text] : [])).join(' ');
  return { said, last: thoughts.at(-1)!, outcome: session.outcome() };
}

describe('the reception after hours', () => {
  it('agrees on a day and a time in one sentence', async () => {
    const says = ['please call me back', 'on Monday at ten', 'yes that is right'];
    const { last, outcome } = await talk('reception', {}, ...says);
    expect(last).toEqual({ kind: 'end' });
    expect(outcome).toMatchObject({
      answers: { what: 'call_back', day: '2026-11-23', time: '10:00' },
      followUp: { kind: 'call_back', at: Date.UTC(2026, 10, 23, 15, 0) },
      summary: 'The caller is to be called back on Monday, November 23rd at 10 AM.',
    });
  });

  it('connects an emergency, and takes a message where nobody is on duty', async () => {
    const urgent = 'it is an emergency, the water is running';
    const { last } = await talk('reception', { duty_number: '+14155550155' }, urgent);
    expect(last).toEqual({ kind: 'transfer', to: '+14155550155' });
    expect((await talk('reception', {}, urgent)).said).toMatch(/^Please tell me your message/);
  });

  it('calls back a caller who asks for it in two words', async () => {
    expect((await talk('reception', {}, 'call back')).said).toContain('When may we call you?');
  });

  it('waits for a caller who asks for a moment', async () => {
    const { said, outcome } = await talk('reception', {}, 'hold on a second');
    expect(said).toContain('take your time');
    expect(outcome.answers).toEqual({});
  });

  it('does not pretend to have understood a message', async () => {
    const { said, outcome } = await talk('reception', {}, 'leave a message', '', '');
    expect(said).toMatch(/will listen to it/);
    expect(outcome).toMatchObject({ resolutionAchieved: false, answers: { what: 'message' } });
  });
});

describe('the invitation', () => {
  it('counts guests, nobody among them', async () => {
    const { outcome } = await talk(
      'invitation',
      { name: 'Zoë' },
      'yes sure',
      'nobody else',
      'the fish please',
    );
    expect(outcome).toMatchObject({
      intent: 'accept_invitation',
      answers: { coming: 'yes', guests: '0', meal: 'fish' },
      summary: 'Zoë will come with 0 further guests. Meal: fish.',
    });
  });

  it('asks again on the day that suits who does not know yet', async () => {
    const { outcome } = await talk('invitation', { name: 'Ada' }, 'I have to ask my wife', 'next Friday');
    expect(outcome).toMatchObject({
      answers: { coming: 'unsure', ask_day: '2026-11-27' },
      followUp: { kind: 'call_back' },
      intent: 'undecided',
    });
  });
});

describe('the payment reminder', () => {
  const account = {
    name: "Peter O'Toole",
    known_birth_date: '1984-03-07',
    balance: '$1,249.50',
    due: 'June',
  };

  it('tells the amount to the right person, and keeps the promise', async () => {
    const says = ['yes speaking', 'march seventh nineteen eighty four', 'no', 'on december fifth', 'yes'];
    const { outcome } = await talk('payment', account, ...says);
    expect(outcome.summary).toBe("Peter O'Toole will pay $1,249.50 by Saturday, December 5th.");
  });

  it.each([
    ['somebody else', ['no he is at work'], 'Somebody else answered; nothing was told.'],
    [
      'another date of birth',
      ['yes', 'may first nineteen eighty'],
      'The person on the line was not identified',
    ],
  ])('tells nothing to %s', async (_who, says, summary) => {
    const { said, outcome } = await talk('payment', account, ...says);
    expect(said).not.toContain('1,249');
    expect(outcome.summary).toContain(summary);
  });

  const ADA = { name: 'Ada Lovelace', known_birth_date: '1980-03-01', balance: 'Forty dollars', due: 'May' };

  it('waits while the phone is handed over, and knows who comes to it by the name', async () => {
    const husband = await talk('payment', ADA, 'this is her husband, let me get her');
    expect(husband.said).toContain('take your time');
    const ada = await talk('payment', ADA, 'this is her husband, let me get her', 'hello, this is Ada');
    expect(ada.said).toContain('date of birth');
  });

  it.each([
    ["it's Ada", 'yes'],
    ['Ada Lovelace speaking', 'yes'],
    ['this is Mrs Lovelace', 'yes'],
    ['yes I am Ada', 'yes'],
    ['this is her husband', 'no'],
    ['who is Ada', undefined],
    ["I'm not Ada", 'no'],
    ['this is Paul', undefined],
    ['Ada moved to Spain', undefined],
    ['Ada', undefined],
  ])('knows by what is said whether it is the right person: %s', async (text, isThere) => {
    const { outcome } = await talk('payment', ADA, text);
    expect(outcome.answers).toEqual(isThere === undefined ? {} : { person_there: isThere });
  });
});

describe('the survey', () => {
  it.each([
    'okay but quickly',
    'yes if it is quick',
    'sure but make it quick please',
    'yes but please be brief',
  ])('goes on with a caller in a hurry: %s', async (text) =>
    expect((await talk('survey', { name: 'Ada' }, text)).said).toContain('how likely'),
  );

  it.each(['yes but not now', 'yes but I have no time'])('ends for a caller without time: %s', async (text) =>
    expect((await talk('survey', { name: 'Ada' }, text)).said).not.toContain('how likely'),
  );
});

describe('the appointment reminder', () => {
  it('asks for nothing that was said with the first no', async () => {
    const says = ['no, can we make it next Tuesday at three', 'yes please'];
    const { said } = await talk('reminder', { name: 'Ada' }, ...says);
    expect(said).toBe('So that is Tuesday, November 24th at 3 PM. Is that right?');
    const { outcome } = await talk('reminder', { name: 'Ada' }, ...says, 'yes');
    expect(outcome).toMatchObject({
      intent: 'reschedule_appointment',
      answers: { coming: 'no', day: '2026-11-24', time: '15:00' },
    });
  });
});
