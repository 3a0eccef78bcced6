import { describe, expect, it } from 'vitest';
import { end, listen, say, startTalk } from '#test/support/scripted-talk.js';

const spoken = (entries: readonly { speaker: string; text: string }[]) =>
  entries.map(({ speaker, text }) => `${speaker}: ${text}`);

describe('a conversation', () => {
  it('is carried by both sides to its end', async () => {
    const talk = startTalk({
      script: [
        [say('Hello, this is Robin. Can you come on Monday?'), listen],
        [say('Very well. Is nine all right?'), listen],
        [say('See you then, goodbye.'), end],
      ],
      utterances: ['yes I can', 'nine is fine'],
    });
    expect(await talk.waitUntil(() => talk.states.at(-1) === 'listening')).toBe(true);
    await talk.speak(800);
    expect(await talk.waitUntil(() => talk.entries.length === 3)).toBe(true);
    await talk.speak(800);
    expect(await talk.waitUntil(() => talk.result() !== null)).toBe(true);

    expect(spoken(talk.entries)).toEqual([
      'agent: Hello, this is Robin. Can you come on Monday?',
      'customer: yes I can',
      'agent: Very well. Is nine all right?',
      'customer: nine is fine',
      'agent: See you then, goodbye.',
    ]);
    expect(talk.asked).toEqual(['begin', 'reply: yes I can', 'reply: nine is fine']);
    const oneTurn = ['thinking', 'speaking', 'listening'];
    expect(talk.states).toEqual([...oneTurn.slice(1), ...oneTurn, ...oneTurn.slice(0, 2)]);
    expect(talk.result()).toEqual({
      end: { by: 'agent' },
      endedAt: talk.clock.wallMs(),
      outcome: { intent: 'scripted', resolutionAchieved: true, answers: {} },
      audioQuality: 1,
    });
  });
});
