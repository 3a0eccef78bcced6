import { describe, expect, it } from 'vitest';
import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import { settle } from '#test/support/fake-clock.js';
import { end, expectNothingLeft, isOver, listen, say, startTalk } from '#test/support/scripted-talk.js';

const RATING: DialogueOutput = { kind: 'listen', hints: { kind: 'number', max: 10, isWhole: true } };

describe('silence', () => {
  it('is asked about twice and then ends the call', async () => {
    const talk = startTalk({
      script: [
        [say('Hello.'), listen],
        [say('Are you there?'), listen],
        [say('Are you still there?'), listen],
        [end],
      ],
    });
    await talk.waitUntil(isOver(talk));
    expect(talk.asked).toEqual(['begin', 'wake: 1', 'wake: 2', 'part']);
    expect(talk.result()!.end).toEqual({ by: 'silence' });
    const [first, second, third] = talk.entries;
    expect(second!.startMs - first!.endMs).toBe(10_000);
    expect(third!.startMs - second!.endMs).toBe(10_000);
    // Time to answer it, however long it took to ask.
    expect(talk.line.frames.length * 20 - third!.endMs).toBe(10_000 + 220);
    await expectNothingLeft(talk);
  });

  it('is taken leave of before the call ends, and the call ends as one of silence', async () => {
    const leave = 'Goodbye then, and thank you for your time.';
    const talk = startTalk({
      script: [
        [say('Hello.'), listen],
        [say(leave), end],
      ],
      limits: { silenceTimeoutSeconds: 12, maxIdlePrompts: 0 },
    });
    await talk.waitUntil(() => talk.entries.length === 1);
    await talk.wait(12_500);
    expect(talk.result()).toBeNull();
    // Whoever speaks into it is written down, and keeps nobody on the line.
    await talk.speak(300);
    await talk.waitUntil(isOver(talk));
    expect(talk.asked).toEqual(['begin', 'part']);
    expect(talk.entries.map(({ text }) => text).sort()).toEqual(['', leave, 'Hello.']);
    expect(talk.result()!.end).toEqual({ by: 'silence' });
    await expectNothingLeft(talk);
  });

  it('is over when the caller speaks before the leave is taken', async () => {
    const talk = startTalk({
      script: [[listen], [say('Goodbye then.'), end], [say('You are there!'), listen]],
      utterances: ['I am here'],
      limits: { silenceTimeoutSeconds: 6, maxIdlePrompts: 0 },
    });
    talk.hold.thoughtMs = 1_500;
    await talk.wait(6_500);
    expect(talk.asked).toEqual(['begin', 'part']);
    await talk.speak(600);
    await talk.wait(4_500);
    expect(talk.asked).toEqual(['begin', 'part', 'taken back', 'reply: I am here']);
    expect(talk.entries.map(({ text }) => text)).toEqual(['I am here', 'You are there!']);
    expect(talk.result()).toBeNull();
    talk.conversation.stop();
  });

  it('has nothing to do with how a call ends in which the caller spoke after all', async () => {
    const talk = startTalk({
      script: [[listen], [say('Goodbye then.'), end], [say('You are there! Goodbye.'), end]],
      utterances: ['I am here'],
      limits: { silenceTimeoutSeconds: 6, maxIdlePrompts: 0 },
    });
    talk.hold.thoughtMs = 1_500;
    await talk.wait(6_500);
    await talk.speak(600);
    await talk.waitUntil(isOver(talk));
    expect(talk.asked).toEqual(['begin', 'part', 'taken back', 'reply: I am here']);
    expect(talk.result()!.end).toEqual({ by: 'agent' });
  });

  it('ends the call as one of silence also when the voice of the goodbye fails', async () => {
    const talk = startTalk({
      script: [
        [say('Hello.'), listen],
        [say('Goodbye then.'), end],
      ],
      limits: { silenceTimeoutSeconds: 6, maxIdlePrompts: 0 },
    });
    await talk.waitUntil(() => talk.entries.length === 1);
    for (const failure of [new Error('no'), new Error('no')]) talk.speaking.failNext(failure);
    await talk.waitUntil(isOver(talk));
    expect(talk.result()!.end).toEqual({ by: 'silence' });
  });

  it.each([
    ['that is thought of too long', { thoughtMs: 19_000 }, [say('Goodbye then.'), end]],
    ['that fails', { thoughtMs: 0 }, new Error('no thought')],
  ])('ends the call for certain, also with a leave %s', async (_what, { thoughtMs }, leave) => {
    const talk = startTalk({
      script: [[say('Hello.'), listen], leave],
      limits: { silenceTimeoutSeconds: 6, maxIdlePrompts: 0 },
    });
    talk.hold.thoughtMs = thoughtMs;
    await talk.wait(6_000 + 2_000 + 10_000);
    expect(talk.result()!.end).toEqual({ by: 'silence' });
    expect(talk.pacingTimer.members).toBe(0);
  });

  it('ends the call also when no sound ever arrives', async () => {
    const talk = startTalk({
      script: [[say('Hello.'), listen], [listen], [end]],
      limits: { silenceTimeoutSeconds: 12 },
    });
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

  it('is over with the first key of a number, before the others are pressed', async () => {
    const talk = startTalk({ script: [[say('From one to ten?'), RATING]] });
    await talk.waitUntil(() => talk.states.at(-1) === 'listening');
    await talk.wait(9_500);
    talk.conversation.press('1');
    await talk.wait(1_500);
    expect(talk.asked).toEqual(['begin']);
    talk.conversation.press('#');
    expect(talk.entries.at(-1)).toMatchObject({ speaker: 'customer', text: '1' });
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

describe('hanging up', () => {
  it.each([
    ['tells nothing of what it has played', 0, 200],
    ['is half a second behind', 500, 700],
    ['says that it is a minute behind', 60_000, 3_200],
  ])('leaves time for the last words to be played by a peer that %s', async (_what, lagMs, leftMs) => {
    const talk = startTalk({ script: [[say('Goodbye.'), end]] });
    talk.line.lagMs = lagMs;
    await talk.waitUntil(isOver(talk));
    expect(talk.result()!.end).toEqual({ by: 'agent' });
    expect(talk.line.frames.length * 20 - talk.line.loudSpan()!.endMs).toBe(leftMs);
    await expectNothingLeft(talk);
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
      { speaker: 'agent', text: 'One moment please, I am', startMs: 0, endMs: 1_280, interrupted: true },
      { speaker: 'customer', text: 'hang on', startMs: 1_000, endMs: 1_300 },
    ]);
    expect(talk.recorded.customer.length).toBe(talk.line.frames.length);
    await expectNothingLeft(talk);
  });

  it('keeps a number that was being pressed, as the last reply', async () => {
    const talk = startTalk({ script: [[say('From one to ten?'), RATING]] });
    await talk.waitUntil(() => talk.states.at(-1) === 'listening');
    talk.conversation.press('1');
    await talk.wait(400);
    talk.conversation.stop();
    await talk.waitUntil(isOver(talk));
    expect(talk.asked).toEqual(['begin', 'last reply: 1']);
    expect(talk.entries.at(-1)).toMatchObject({ speaker: 'customer', text: '1' });
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
