import { describe, expect, it } from 'vitest';
import type { Stt } from '#speech/stt.js';
import { createScriptedStt } from '#test/support/scripted-stt.js';
import { end, isOver, listen, say, startTalk } from '#test/support/scripted-talk.js';

describe('an answer without a word', () => {
  it('is one: a noise after it does not leave the agent thinking for ever', async () => {
    const talk = startTalk({ script: [[listen], [listen]] });
    await talk.wait(100);
    talk.conversation.type('hello');
    await talk.wait(100);
    expect(talk.states).toEqual(['listening', 'thinking', 'listening']);
    await talk.rustle(800);
    expect(await talk.waitUntil(isOver(talk))).toBe(true);
    expect(talk.result()!.end).toEqual({ by: 'silence' });
  });

  it('is one: what is said after it is answered by itself', async () => {
    const talk = startTalk({ script: [[listen], [listen], [say('Goodbye.'), end]] });
    await talk.wait(100);
    talk.conversation.type('hello');
    await talk.wait(100);
    talk.conversation.type('goodbye');
    await talk.waitUntil(isOver(talk));
    expect(talk.asked).toEqual(['begin', 'reply: hello', 'reply: goodbye']);
  });

  it('is none to a caller who has gone on meanwhile, and whose words are still to come', async () => {
    const words = { come: () => {} };
    const come = new Promise<void>((resolve) => (words.come = resolve));
    const inner = createScriptedStt('and goodbye');
    const hearing: Stt = {
      ...inner,
      async open(options) {
        const stream = await inner.open(options);
        const finish = async () => {
          await come;
          return stream.finish();
        };
        return { ...stream, finish };
      },
    };
    const script = [[listen], [listen], [say('Goodbye.'), end]];
    const talk = startTalk({ script, agent: { stt: hearing } });
    await talk.wait(100);
    talk.hold.thoughtMs = 1_000;
    talk.conversation.type('hello');
    await talk.speak(300);
    await talk.wait(1_500);
    words.come();
    await talk.waitUntil(isOver(talk));
    expect(talk.asked).toEqual(['begin', 'reply: hello', 'taken back', 'reply: hello and goodbye']);
  });
});
