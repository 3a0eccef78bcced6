import { describe, expect, it } from 'vitest';
import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import { toneMs } from '#test/support/scripted-tts.js';
import { end, listen, say, startTalk, type Talk } from '#test/support/scripted-talk.js';

const connect: DialogueOutput = { kind: 'transfer', to: '+14155550100' };
const isSent = (talk: Talk) => () => talk.line.frames.length * 20 >= toneMs('One moment please.');

describe('a transfer', () => {
  it('is asked for when everything was said, and ends the talk', async () => {
    const asked: { to: string; atMs: number }[] = [];
    const talk = startTalk({
      script: [[say('One moment please.', false), connect]],
      transfer: async (to) => {
        asked.push({ to, atMs: talk.line.frames.length * 20 });
        return true;
      },
    });
    await talk.waitUntil(() => talk.result() !== null);
    expect(talk.result()!.end).toEqual({ by: 'transfer', to: '+14155550100' });
    expect(asked).toEqual([{ to: '+14155550100', atMs: expect.any(Number) }]);
    expect(talk.entries).toMatchObject([{ text: 'One moment please.', interrupted: false }]);
    expect(asked[0]!.atMs).toBeGreaterThanOrEqual(talk.entries[0]!.endMs);
  });

  it('waits until a peer that is behind has played the words', async () => {
    const askedAtMs: number[] = [];
    const talk = startTalk({
      script: [[say('One moment please.', false), connect]],
      transfer: async () => {
        askedAtMs.push(talk.line.frames.length * 20);
        return true;
      },
    });
    talk.line.lagMs = 500;
    await talk.waitUntil(() => talk.result() !== null);
    const waitedMs = askedAtMs[0]! - talk.entries[0]!.endMs;
    // To the frame.
    expect(Math.abs(waitedMs - 500)).toBeLessThanOrEqual(20);
  });

  it('comes after words that were heard, also where nothing of the caller arrives meanwhile', async () => {
    const talk = startTalk({
      script: [[say('One moment please.', false), connect]],
      transfer: async () => true,
    });
    talk.line.lagMs = 500;
    await talk.waitUntil(isSent(talk));
    await talk.stall(600);
    expect(talk.result()!.end).toEqual({ by: 'transfer', to: '+14155550100' });
    expect(talk.entries).toMatchObject([{ text: 'One moment please.', interrupted: false }]);
  });

  it('comes after words that were heard, also where it takes the sound away before it is answered', async () => {
    const talk = startTalk({
      script: [[say('One moment please.', false), connect]],
      transfer: async () => {
        talk.conversation.stop();
        return true;
      },
    });
    talk.line.lagMs = 500;
    await talk.waitUntil(isSent(talk));
    await talk.stall(600);
    expect(talk.result()).not.toBeNull();
    expect(talk.entries).toMatchObject([{ text: 'One moment please.', interrupted: false }]);
  });

  it('is not asked for any more when the caller hangs up before the last word', async () => {
    let asked = 0;
    const talk = startTalk({
      script: [[say('One moment please.', false), connect]],
      transfer: async () => (asked += 1) > 0,
    });
    talk.line.lagMs = 500;
    await talk.waitUntil(isSent(talk));
    talk.conversation.stop();
    await talk.waitUntil(() => talk.result() !== null);
    expect(talk.result()!.end).toEqual({ by: 'stop' });
    expect(asked).toBe(0);
    expect(talk.entries).toMatchObject([{ text: 'One', interrupted: true }]);
  });

  it('that is still asked for when a machine is found is not waited for with its message', async () => {
    const answer = { refuse: () => {} };
    const talk = startTalk({
      script: [[say('One moment please.', false), connect]],
      transfer: () => new Promise<boolean>((resolve) => (answer.refuse = () => resolve(false))),
      isOutbound: true,
      voicemail: { action: 'leave_message', message: 'Please call us back.' },
    });
    await talk.waitUntil(() => talk.states.at(-1) === 'thinking');
    talk.conversation.machineAnswered(true);
    answer.refuse();
    await talk.waitUntil(() => talk.result() !== null);
    expect(talk.result()!.end).toEqual({ by: 'machine' });
    expect(talk.entries.map(({ text }) => text)).toEqual(['One moment please.', 'Please call us back.']);
  });

  it.each([
    ['refused', async () => false],
    ['failing', async () => Promise.reject(new Error('the carrier is away'))],
    ['never answered', () => new Promise<boolean>(() => {})],
    ['not possible here', undefined],
  ])('that is %s is told to the thinking, and the talk goes on', async (_, transfer) => {
    const talk = startTalk({
      script: [
        [say('One moment please.', false), connect],
        [say('Nobody is there. Anything else?'), listen],
      ],
      ...(transfer ? { transfer } : {}),
    });
    await talk.waitUntil(() => talk.states.at(-1) === 'listening');
    expect(talk.asked).toEqual(['begin', 'not transferred']);
    expect(talk.entries.map(({ text }) => text)).toEqual([
      'One moment please.',
      'Nobody is there. Anything else?',
    ]);
    expect(talk.result()).toBeNull();
  });

  it.each<[string, (talk: Talk) => Promise<void>]>([
    ['is said', (talk) => talk.speak(600)],
    ['is typed', async (talk) => talk.conversation.type('thank you')],
  ])(
    'that could not be made is not asked for again when something %s before that is told',
    async (_, act) => {
      let asked = 0;
      let refuse = () => {};
      const talk = startTalk({
        script: [
          [say('One moment please.', false), connect],
          [say('Nobody is there. Anything else?'), listen],
          [say('Goodbye.'), end],
        ],
        utterances: ['thank you'],
        transfer: () => {
          asked += 1;
          return new Promise((resolve) => (refuse = () => resolve(false)));
        },
      });
      await talk.waitUntil(() => asked === 1);
      talk.hold.thoughtMs = 3_000;
      refuse();
      await talk.waitUntil(() => talk.asked.length === 2);
      await act(talk);
      await talk.waitUntil(() => talk.entries.some(({ text }) => text === 'Nobody is there. Anything else?'));
      expect(asked).toBe(1);
      expect(talk.asked.slice(0, 2)).toEqual(['begin', 'not transferred']);
      expect(talk.asked).not.toContain('taken back');
      talk.conversation.stop();
    },
  );

  it('is waited for in silence: what the caller says meanwhile is written down', async () => {
    let answer = (_isDone: boolean) => {};
    const talk = startTalk({
      script: [[say('One moment please.', false), connect]],
      utterances: ['thank you'],
      transfer: () => new Promise((resolve) => (answer = resolve)),
    });
    await talk.waitUntil(() => talk.entries.length === 1);
    await talk.speak(600);
    await talk.wait(1_500);
    answer(true);
    await talk.waitUntil(() => talk.result() !== null);
    expect(talk.entries.map(({ text }) => text)).toEqual(['One moment please.', 'thank you']);
    expect(talk.asked).toEqual(['begin']);
  });
});
