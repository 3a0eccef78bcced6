import { describe, expect, it } from 'vitest';
import type { ScriptedUtterance } from '#test/support/scripted-stt.js';
import { expectNothingLeft, isOver, listen, say, startTalk, type Talk } from '#test/support/scripted-talk.js';

const GREETING = 'you have reached Jordan please leave a message after the beep';
const MESSAGE = 'Please call us back. Goodbye.';

/** Our agent has phoned, and something that speaks for 4.5 s has picked up. */
async function phoned(options: {
  action: 'leave_message' | 'continue';
  utterances?: ScriptedUtterance[];
}): Promise<Talk> {
  const { action, utterances = [GREETING] } = options;
  const talk = startTalk({
    script: [
      [say('Hello, this is Robin.'), listen],
      [say('Fine.'), listen],
      [say('Well.'), listen],
    ],
    utterances,
    isOutbound: true,
    voicemail: action === 'leave_message' ? { action, message: MESSAGE } : { action },
  });
  await talk.speak(4_500);
  return talk;
}

const saidByAgent = (talk: Talk) =>
  talk.entries.filter(({ speaker }) => speaker === 'agent').map(({ text }) => text);

describe('a message left with an answering machine', () => {
  it('is said once the greeting is over, to the end, and then the line is hung up', async () => {
    const talk = await phoned({ action: 'leave_message' });
    await talk.waitUntil(isOver(talk));

    expect(saidByAgent(talk).at(-1)).toBe(MESSAGE);
    expect(talk.result()!.end).toEqual({ by: 'machine' });
    const message = talk.entries.at(-1)!;
    // Three seconds of quiet are the end of a greeting that does not beep.
    expect(message.startMs).toBeGreaterThan(4_500 + 3_000);
    expect(message.startMs).toBeLessThan(4_500 + 5_000);
    await expectNothingLeft(talk);
  });

  it('is said too when the recogniser knows a greeting that it could not write down', async () => {
    const heard = { text: '', confidence: 0, greeting: 'voice mail after the tone' };
    const talk = await phoned({ action: 'leave_message', utterances: [heard] });
    await talk.waitUntil(isOver(talk));

    expect(saidByAgent(talk).at(-1)).toBe(MESSAGE);
    const [greeting] = talk.entries.filter(({ speaker }) => speaker === 'customer');
    expect(greeting).toEqual({
      speaker: 'customer',
      text: '',
      confidence: 0,
      interrupted: false,
      startMs: 0,
      endMs: 4_500,
    });
    expect(talk.result()!.end).toEqual({ by: 'machine' });
  });

  it('is said at once when the carrier has heard the end of the greeting', async () => {
    const talk = await phoned({ action: 'leave_message', utterances: ['hello'] });
    talk.conversation.machineAnswered(true);
    await talk.waitUntil(isOver(talk));

    expect(talk.entries.at(-1)).toMatchObject({ text: MESSAGE, interrupted: false });
    expect(talk.result()!.end).toEqual({ by: 'machine' });
  });

  it.each([
    ['in its greeting', ['the mailbox is full and can not take any messages at this time goodbye']],
    ['after a pause of a second and a half', [GREETING, 'sorry this mailbox is full']],
  ])('is left with none that is full, and says so %s', async (_, utterances) => {
    const talk = await phoned({ action: 'leave_message', utterances });
    await talk.wait(1_500);
    if (utterances.length > 1) await talk.speak(1_000);
    await talk.waitUntil(isOver(talk));

    expect(saidByAgent(talk)).not.toContain(MESSAGE);
    expect(talk.result()!.end).toEqual({ by: 'machine' });
    await expectNothingLeft(talk);
  });

  it('is said behind a greeting that pauses for a second and a half, and asks something', async () => {
    const talk = await phoned({
      action: 'leave_message',
      utterances: [GREETING, 'how can we reach you'],
    });
    await talk.wait(1_500);
    await talk.speak(1_000);
    await talk.waitUntil(isOver(talk));

    expect(saidByAgent(talk).filter((text) => text === MESSAGE)).toHaveLength(1);
    expect(talk.entries.at(-1)!.startMs).toBeGreaterThan(7_000 + 3_000);
    expect(talk.asked).toEqual(['begin']);
  });

  it('is not disturbed by what the machine goes on to say', async () => {
    const talk = await phoned({
      action: 'leave_message',
      utterances: [GREETING, 'if you are satisfied press one'],
    });
    await talk.waitUntil(() => saidByAgent(talk).length > 0 || talk.states.at(-1) === 'speaking');
    await talk.speak(500);
    await talk.waitUntil(isOver(talk));

    expect(saidByAgent(talk).filter((text) => text === MESSAGE)).toHaveLength(1);
    expect(talk.asked).toEqual(['begin']);
  });
});

it('a machine may be talked with like a person', async () => {
  const talk = await phoned({ action: 'continue' });
  await talk.wait(2_000);
  expect(talk.result()).toBeNull();
  expect(talk.asked).toContain(`reply: ${GREETING}`);
  talk.conversation.stop();
});

it('whoever calls us is no machine, whatever a carrier says', async () => {
  const talk = startTalk({ script: [[say('Hello.'), listen]] });
  talk.conversation.machineAnswered(true);
  await talk.wait(2_000);
  expect(talk.result()).toBeNull();
  talk.conversation.stop();
});
