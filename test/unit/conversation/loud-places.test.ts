import { expect, it } from 'vitest';
import { end, expectNothingLeft, isOver, listen, say, startTalk } from '#test/support/scripted-talk.js';

it('the noise of a crowd that never stops is silence: it is asked about, and ends the call', async () => {
  const script = [[say('Hello.'), listen], [say('Are you there?'), listen], [say('Hello?'), listen], [end]];
  const talk = startTalk({ script });
  await talk.rustle(45_000);
  expect(talk.asked).toEqual(['begin', 'wake: 1', 'wake: 2', 'part']);
  expect(talk.entries.map(({ text }) => text)).toEqual(['Hello.', 'Are you there?', 'Hello?']);
  expect(talk.result()!.end).toEqual({ by: 'silence' });
  await expectNothingLeft(talk);
});

it.each([
  ['before', 2_000],
  ['only behind', 0],
])('what somebody says with a crowd %s it is answered soon after it', async (_, crowdMs) => {
  const talk = startTalk({
    script: [
      [say('Hello.'), listen],
      [say('Thank you. Goodbye.'), end],
    ],
    utterances: ['yes please'],
  });
  await talk.waitUntil(() => talk.states.at(-1) === 'listening');
  await talk.rustle(crowdMs);
  await talk.speak(700);
  const saidMs = talk.recorded.customer.length * 20;
  await talk.rustle(10_000);
  expect(talk.asked).toEqual(['begin', 'reply: yes please']);
  const answer = talk.entries.at(-1)!;
  expect(answer).toMatchObject({ text: 'Thank you. Goodbye.', interrupted: false });
  expect(answer.startMs - saidMs).toBeLessThan(4_000);
  expect(isOver(talk)()).toBe(true);
});

it('whoever goes on without new words, in a voice of their own, is listened to', async () => {
  const talk = startTalk({ script: [[say('Hello.'), listen]], utterances: ['yes'] });
  await talk.waitUntil(() => talk.states.at(-1) === 'listening');
  await talk.speak(8_000);
  expect(talk.asked).toEqual(['begin']);
  talk.conversation.stop();
});
