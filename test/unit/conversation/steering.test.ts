import { describe, expect, it, onTestFinished } from 'vitest';
import { frameSamples } from '#media/samples/audio.js';
import { createScriptedStt } from '#test/support/scripted-stt.js';
import { expectNothingLeft, isOver, listen, say, startTalk, type Talk } from '#test/support/scripted-talk.js';

const LONG = 'This is a sentence that takes the agent several seconds to say to its end.';
const GREETING = [say('Hello.'), listen];

async function greeted(options: Partial<Parameters<typeof startTalk>[0]> = {}): Promise<Talk> {
  const talk = startTalk({ script: [GREETING], ...options });
  onTestFinished(() => talk.conversation.stop());
  await talk.waitUntil(() => talk.entries.length > 0);
  await talk.wait(200);
  return talk;
}

const textsOf = (talk: Talk) => talk.entries.map(({ speaker, text, by }) => [speaker, text, by ?? null]);

describe('words of an operator', () => {
  it('are said by the agent as soon as nobody speaks, and stand as theirs in the transcript', async () => {
    const talk = await greeted();
    expect(talk.conversation.steering.say('One moment.', { interrupt: false })).toBe(true);
    await talk.waitUntil(() => talk.entries.length > 1);
    expect(textsOf(talk)).toEqual([
      ['agent', 'Hello.', null],
      ['agent', 'One moment.', 'operator'],
    ]);
    expect(talk.speaking.requests.map(({ text }) => text)).toEqual(['Hello.', 'One moment.']);
  });

  it('wait for the end of what the agent is saying, or cut it', async () => {
    for (const interrupt of [false, true]) {
      const talk = startTalk({ script: [[say(LONG), listen]] });
      await talk.wait(500);
      talk.conversation.steering.say('Stop there.', { interrupt });
      await talk.waitUntil(() => talk.entries.length === 2);
      expect(talk.entries[0]).toMatchObject({ interrupted: interrupt });
      expect(talk.entries[0]!.text === LONG).toBe(!interrupt);
      expect(talk.entries[1]).toMatchObject({ text: 'Stop there.', by: 'operator' });
      talk.conversation.stop();
    }
  });

  it('wait for the caller to finish, whose words are answered as before', async () => {
    const talk = await greeted({ script: [GREETING, [say('Fine.'), listen]], utterances: ['yes'] });
    await talk.speak(300);
    talk.conversation.steering.say('One moment.', { interrupt: true });
    await talk.speak(300);
    await talk.waitUntil(() => talk.entries.length === 4);
    expect(textsOf(talk)).toEqual([
      ['agent', 'Hello.', null],
      ['customer', 'yes', null],
      ['agent', 'Fine.', null],
      ['agent', 'One moment.', 'operator'],
    ]);
  });

  it('are too late once the talk is over', async () => {
    const talk = await greeted();
    talk.conversation.stop();
    await talk.waitUntil(isOver(talk));
    const { steering } = talk.conversation;
    const wishes = [
      steering.say('Hello?', { interrupt: true }),
      steering.advise('a note'),
      steering.mute(),
      steering.unmute(),
      steering.takeOver(),
      steering.handBack(),
      await steering.transfer('+15550100001'),
    ];
    expect(wishes).toEqual(Array(7).fill(false));
    await expectNothingLeft(talk);
  });
});

describe('a muted agent', () => {
  it('falls silent in mid-sentence, and hears without answering', async () => {
    const talk = startTalk({
      script: [
        [say(LONG), listen],
        [say('Fine.'), listen],
      ],
      utterances: ['yes'],
    });
    await talk.wait(500);
    expect(talk.conversation.steering.mute()).toBe(true);
    expect(talk.conversation.steering.mode).toBe('muted');
    const silentFrom = talk.line.frames.length + 1;
    await talk.speak(600);
    await talk.wait(20_000);
    expect(talk.line.loudSpan(silentFrom)).toBeNull();
    expect(talk.asked).toEqual(['begin']);
    expect(talk.overheard).toEqual(['yes']);
    expect(talk.entries.map(({ speaker }) => speaker)).toEqual(['agent', 'customer']);

    expect(talk.conversation.steering.unmute()).toBe(true);
    talk.hearing.queue('hello');
    await talk.speak(600);
    await talk.waitUntil(() => talk.asked.length > 1);
    expect(talk.asked).toEqual(['begin', 'reply: hello']);
    talk.conversation.stop();
  });
});

describe('a person in the place of the agent', () => {
  const loud = (forMs: number) =>
    new Int16Array((frameSamples(8000) * forMs) / 20).map((_, index) => (index % 20 < 10 ? 6_000 : -6_000));

  it('is heard on the line and in the recording, and stands in the transcript as the agent', async () => {
    const operatorStt = createScriptedStt('how can I help you');
    const talk = await greeted({ parts: { operatorStt } });
    const { steering } = talk.conversation;
    expect(steering.takeOver()).toBe(true);
    expect(steering.mode).toBe('operator');
    const from = talk.line.frames.length;
    for (let piece = 0; piece < 30; piece += 1) {
      steering.speak(loud(20));
      await talk.wait(20);
    }
    await talk.wait(1_500);
    const span = talk.line.loudSpan(from)!;
    expect(span.endMs - span.startMs).toBeGreaterThan(500);
    expect(talk.recorded.agent.slice(from).some((frame) => frame.some((sample) => sample > 500))).toBe(true);
    expect(textsOf(talk).at(-1)).toEqual(['agent', 'how can I help you', 'operator']);
    const { startMs, endMs } = talk.entries.at(-1)!;
    expect(startMs).toBeGreaterThanOrEqual(from * 20 - 100);
    expect(endMs - startMs).toBeGreaterThan(400);
  });

  it('is understood at the pace of speech on a line that takes sound ahead of its time', async () => {
    const operatorStt = createScriptedStt('how can I help you');
    const talk = await greeted({ parts: { operatorStt }, isBuffered: true });
    talk.conversation.steering.takeOver();
    for (let piece = 0; piece < 12; piece += 1) {
      talk.conversation.steering.speak(loud(80));
      await talk.wait(80);
    }
    await talk.wait(1_500);
    const spoken = talk.entries.filter(({ by }) => by === 'operator');
    expect(spoken.map(({ text }) => text)).toEqual(['how can I help you']);
    expect(spoken[0]!.endMs - spoken[0]!.startMs).toBeGreaterThan(900);
    expect(spoken[0]!.endMs - spoken[0]!.startMs).toBeLessThan(1_100);
    talk.conversation.stop();
  });

  it('hands the talk back, and the agent answers again', async () => {
    const operatorStt = createScriptedStt('bye');
    const talk = await greeted({
      parts: { operatorStt },
      script: [GREETING, [say('Fine.'), listen]],
      utterances: ['to the person', 'to the agent'],
    });
    const { steering } = talk.conversation;
    steering.takeOver();
    await talk.speak(600);
    await talk.wait(1_000);
    expect([steering.unmute(), steering.handBack(), steering.handBack()]).toEqual([false, true, false]);
    expect(steering.mode).toBe('agent');
    await talk.speak(600);
    await talk.waitUntil(() => talk.asked.length > 1);
    expect(talk.asked).toEqual(['begin', 'reply: to the agent']);
    for (const stream of operatorStt.streams) expect(stream.closed).toBe(true);
  });

  it('leaves nothing behind when the call ends', async () => {
    const operatorStt = createScriptedStt('bye');
    const talk = await greeted({ parts: { operatorStt } });
    talk.conversation.steering.takeOver();
    for (let piece = 0; piece < 20; piece += 1) {
      talk.conversation.steering.speak(loud(20));
      await talk.wait(20);
    }
    talk.conversation.stop();
    await talk.waitUntil(isOver(talk));
    for (const stream of operatorStt.streams) expect(stream.closed).toBe(true);
    expect(textsOf(talk).at(-1)).toEqual(['agent', 'bye', 'operator']);
    await expectNothingLeft(talk);
  });
});

describe('a transfer by an operator', () => {
  it('cuts the agent and ends the talk when the line is handed over', async () => {
    const talk = startTalk({ script: [[say(LONG), listen]], transfer: async () => true });
    await talk.wait(500);
    expect(await talk.conversation.steering.transfer('+15550100001')).toBe(true);
    await talk.waitUntil(isOver(talk));
    expect(talk.result()!.end).toEqual({ by: 'transfer', to: '+15550100001' });
    expect(talk.entries[0]).toMatchObject({ interrupted: true });
  });

  it('gives the talk back to the agent when it is not', async () => {
    const talk = await greeted({
      script: [GREETING, [say('Fine.'), listen]],
      utterances: ['yes'],
      transfer: async () => false,
    });
    expect(await talk.conversation.steering.transfer('+15550100001')).toBe(false);
    expect(talk.conversation.steering.mode).toBe('agent');
    await talk.speak(600);
    await talk.waitUntil(() => talk.asked.length > 1);
    expect(talk.asked).toEqual(['begin', 'reply: yes']);
  });
});
