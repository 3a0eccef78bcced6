import { describe, expect, it } from 'vitest';
import { createAttentiveStt } from '#test/support/attentive-stt.js';
import { createScriptedStt } from '#test/support/scripted-stt.js';
import { end, isOver, listen, say, startTalk } from '#test/support/scripted-talk.js';
import type { Stt } from '#speech/stt.js';

const script = [
  [say('What can I do for you?'), listen],
  [say('Thank you.'), end],
];

/** The caller answers the first question after a second. */
async function talkWith(stt: Stt, speech: (talk: ReturnType<typeof startTalk>) => Promise<void>) {
  const talk = startTalk({ script, agent: { stt } });
  await talk.waitUntil(() => talk.states.at(-1) === 'listening');
  await talk.wait(1_000);
  await speech(talk);
  await talk.waitUntil(isOver(talk));
  return talk;
}

describe('a recogniser that hears every frame', () => {
  it('is given the silence of a call as well as the speech', async () => {
    const stt = createAttentiveStt('a table for four');
    const talk = await talkWith(stt, ({ speak }) => speak(1_000));
    expect(talk.asked).toContain('reply: a table for four');
    expect(stt.heardMs).toBe(talk.recorded.customer.length * 20);
    expect(talk.partials).toEqual(['a', 'a table', 'a table for', 'a table for four']);
  });

  it('ends a turn sooner with what it believes than silence alone would', async () => {
    const believing = await talkWith(createAttentiveStt('a table for four'), ({ speak }) => speak(1_000));
    const plain = await talkWith(createScriptedStt('a table for four'), ({ speak }) => speak(1_000));
    expect([believing, plain].map(({ turns }) => turns[0]!.endOfTurnMs)).toEqual([300, 600]);
  });

  it('does not cut a caller off whose turn goes on', async () => {
    const talk = await talkWith(createAttentiveStt('a table for four'), async ({ speak, wait }) => {
      await speak(500);
      await wait(200);
      await speak(500);
    });
    expect(talk.asked.filter((asked) => asked.startsWith('reply'))).toEqual(['reply: a table for four']);
    expect(talk.turns[0]!.endOfTurnMs).toBe(300);
  });

  it('has its words interrupt the agent', async () => {
    const stt = createAttentiveStt('please stop that now');
    const talk = startTalk({
      script: [[say('This sentence goes on and on until it is over.'), listen], [end]],
      agent: { stt },
    });
    await talk.waitUntil(() => talk.states.at(-1) === 'speaking');
    await talk.wait(300);
    await talk.speak(1_000);
    await talk.waitUntil(isOver(talk));
    expect(talk.interruptions.count).toBe(1);
    expect(talk.asked).toContain('reply: please stop that now');
  });
});
