import { describe, expect, it } from 'vitest';
import { settle } from '../../support/fake-clock.js';
import { end, expectNothingLeft, isOver, listen, say, startTalk } from '../../support/scripted-talk.js';

describe('silence', () => {
  it('is asked about twice and then ends the call', async () => {
    const talk = startTalk({
      script: [
        [say('Hello.'), listen],
        [say('Are you there?'), listen],
        [say('Are you still there?'), listen],
      ],
    });
    await talk.waitUntil(isOver(talk));
    expect(talk.asked).toEqual(['begin', 'nudge: 1', 'nudge: 2']);
    expect(talk.result()!.end).toEqual({ by: 'silence' });
    const [first, second, third] = talk.entries;
    expect(second!.startMs - first!.endMs).toBe(10_000);
    // The second one left one frame ahead of the ticks.
    expect(third!.startMs - second!.endMs).toBe(9_980);
    // Time to answer it, however long it took to ask.
    expect(talk.line.frames.length * 20 - third!.endMs).toBe(9_980);
    await expectNothingLeft(talk);
  });

  it('ends the call also when no sound ever arrives', async () => {
    const talk = startTalk({ script: [[say('Hello.'), listen]], limits: { silenceTimeoutSeconds: 12 } });
    await talk.stall(14_000);
    expect(talk.result()).toMatchObject({ end: { by: 'silence' }, audioQuality: 0 });
    await expectNothingLeft(talk);
  });

  it('is over when the caller speaks, even what nobody understands', async () => {
    const talk = startTalk({ script: [[listen], [say('Pardon?'), listen]], utterances: [''] });
    await talk.wait(9_000);
    await talk.speak(500);
    await talk.wait(9_000);
    expect(talk.asked).toEqual(['begin', 'reply: ']);
  });

  it('is not there while somebody goes on talking', async () => {
    const talk = startTalk({ script: [[listen]], limits: { silenceTimeoutSeconds: 11 } });
    await talk.speak(20_000);
    expect(talk.asked).toEqual(['begin']);
    expect(talk.result()).toBeNull();
  });
});

describe('an answering machine', () => {
  const greeting = 'you have reached Jordan please leave a message after the beep';

  it('that answers our call ends it', async () => {
    const talk = startTalk({
      script: [[say('Hello, this is Robin.', false), listen]],
      utterances: [greeting],
      isOutbound: true,
    });
    await talk.speak(4_500);
    await talk.waitUntil(isOver(talk));
    expect(talk.result()!.end).toEqual({ by: 'machine' });
    expect(talk.asked).toEqual(['begin']);
    await expectNothingLeft(talk);
  });

  it('does not phone us', async () => {
    const talk = startTalk({ script: [[say('Hello.'), listen], [end]], utterances: [greeting] });
    await talk.speak(4_500);
    await talk.wait(1_000);
    expect(talk.result()?.end).not.toEqual({ by: 'machine' });
  });
});

describe('stopping', () => {
  it('keeps what both sides were just saying', async () => {
    const talk = startTalk({
      script: [[say('One moment please, I am looking it up.'), listen]],
      utterances: ['hang on'],
    });
    await talk.wait(1_000);
    await talk.speak(300);
    talk.conversation.stop();
    await settle();
    expect(talk.result()!.end).toEqual({ by: 'stop' });
    expect(talk.entries).toMatchObject([
      { speaker: 'agent', text: 'One moment please, I am', startMs: 0, endMs: 1_200, interrupted: true },
      { speaker: 'customer', text: 'hang on', startMs: 1_000, endMs: 1_300 },
    ]);
    expect(talk.recorded.customer.length).toBe(talk.line.frames.length);
    await expectNothingLeft(talk);
  });

  it('works before anything was said', async () => {
    const talk = startTalk({ script: [[say('Hello.'), listen]] });
    talk.conversation.stop();
    await settle();
    expect(talk.result()).toMatchObject({ end: { by: 'stop' }, audioQuality: 0 });
    expect(talk.entries).toEqual([]);
    await expectNothingLeft(talk);
  });
});
