import { describe, expect, it } from 'vitest';
import { createScriptedStt } from '#test/support/scripted-stt.js';
import { end, isOver, listen, say, startTalk, type Talk } from '#test/support/scripted-talk.js';

const OPT_OUT = 'do not call me again';

/** A talk in which the caller says one thing, and the agent what it is given. */
function talkOf(...script: Parameters<typeof startTalk>[0]['script']): Talk {
  return startTalk({ script, utterances: [OPT_OUT] });
}

describe('what nobody answers is told to the thinking', () => {
  it('when it is said over a turn that may not be interrupted', async () => {
    const talk = talkOf([say('This is a long sentence that has to be said to its very end.', false), listen]);
    await talk.waitUntil(() => talk.states.at(-1) === 'speaking');
    await talk.speak(1_000);
    await talk.waitUntil(() => talk.entries.length === 2);
    expect(talk.asked).toEqual(['begin']);
    expect(talk.overheard).toEqual([OPT_OUT]);
    talk.conversation.stop();
  });

  it('when it is said behind our goodbye', async () => {
    const talk = talkOf([say('Goodbye.'), end]);
    await talk.waitUntil(() => talk.entries.length === 1);
    await talk.speak(1_000);
    await talk.waitUntil(isOver(talk));
    expect(talk.overheard).toEqual([OPT_OUT]);
  });

  it('when it is typed over our goodbye, or behind it', async () => {
    for (const isBehind of [false, true]) {
      const talk = talkOf([say('Goodbye.'), end]);
      await talk.waitUntil(() => (isBehind ? talk.entries.length === 1 : talk.states.at(-1) === 'speaking'));
      talk.conversation.type(OPT_OUT);
      await talk.waitUntil(isOver(talk));
      expect(talk.overheard).toEqual([OPT_OUT]);
    }
  });

  it('when it is typed over a turn that may not be interrupted, and the caller hangs up', async () => {
    const talk = talkOf([say('This is a long sentence that has to be said to its very end.', false), listen]);
    await talk.waitUntil(() => talk.states.at(-1) === 'speaking');
    talk.conversation.type(OPT_OUT);
    await talk.wait(200);
    talk.conversation.stop();
    await talk.waitUntil(isOver(talk));
    expect(talk.asked).toEqual(['begin']);
    expect(talk.overheard).toEqual([OPT_OUT]);
  });

  it('but not what is answered', async () => {
    const talk = talkOf([say('Hello.'), listen], [say('As you wish.'), end]);
    await talk.waitUntil(() => talk.states.at(-1) === 'listening');
    await talk.speak(1_000);
    await talk.waitUntil(isOver(talk));
    expect(talk.asked).toEqual(['begin', `reply: ${OPT_OUT}`]);
    expect(talk.overheard).toEqual([]);
  });

  it('but not what a machine says', async () => {
    const greeting = 'you have reached Jordan please leave a message after the tone and do not call me again';
    const talk = startTalk({
      script: [[say('Hello.'), listen]],
      utterances: [greeting],
      isOutbound: true,
      voicemail: { action: 'leave_message', message: 'Please call us back.' },
    });
    await talk.speak(4_500);
    await talk.waitUntil(isOver(talk));
    expect(talk.result()!.end).toEqual({ by: 'machine' });
    expect(talk.overheard).toEqual([]);
  });
});

describe('a caller who hangs up has replied', () => {
  it('in the same breath', async () => {
    const talk = talkOf([say('Hello.'), listen]);
    await talk.waitUntil(() => talk.states.at(-1) === 'listening');
    await talk.speak(1_000);
    talk.conversation.stop();
    await talk.waitUntil(isOver(talk));
    expect(talk.asked).toEqual(['begin', `last reply: ${OPT_OUT}`]);
    expect(talk.overheard).toEqual([]);
  });

  it('before it is understood', async () => {
    let understand = () => {};
    const understood = new Promise<void>((resolve) => (understand = resolve));
    const hearing = createScriptedStt(OPT_OUT);
    const slow: typeof hearing = {
      ...hearing,
      open: async (options) => {
        const stream = await hearing.open(options);
        const finish = stream.finish.bind(stream);
        return Object.assign(stream, { finish: () => understood.then(finish) });
      },
    };
    const talk = startTalk({ script: [[say('Hello.'), listen]], agent: { stt: slow } });
    await talk.waitUntil(() => talk.states.at(-1) === 'listening');
    await talk.speak(1_000);
    await talk.waitUntil(() => talk.states.at(-1) === 'thinking');
    talk.conversation.stop();
    understand();
    await talk.waitUntil(isOver(talk));
    expect(talk.asked).toEqual(['begin', `last reply: ${OPT_OUT}`]);
    expect(talk.overheard).toEqual([]);
  });

  it('but not by what they said over the agent', async () => {
    const talk = talkOf([say('This is a long sentence that has to be said to its very end.'), listen]);
    await talk.waitUntil(() => talk.states.at(-1) === 'speaking');
    await talk.speak(300);
    talk.conversation.stop();
    await talk.waitUntil(isOver(talk));
    expect(talk.asked).toEqual(['begin']);
    expect(talk.overheard).toEqual([OPT_OUT]);
  });

  it('but not twice, where the answer to the first half was being thought of', async () => {
    const talk = talkOf([say('Hello.'), listen], [say('As you wish.'), end]);
    talk.hold.thoughtMs = 60_000;
    await talk.waitUntil(() => talk.states.at(-1) === 'listening');
    await talk.speak(1_000);
    await talk.waitUntil(() => talk.asked.length === 2);
    await talk.speak(300);
    talk.conversation.stop();
    await talk.waitUntil(isOver(talk));
    expect(talk.asked).toEqual(['begin', `reply: ${OPT_OUT}`]);
  });
});
