import { describe, expect, it } from 'vitest';
import type { Toolbox, ToolResult } from '#dialogue/tools/toolbox.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { isOver, startTalk } from '#test/support/scripted-talk.js';
import { startModelTalk, type ModelTalk, type ModelTalkOptions } from '#test/support/model-talks.js';
import { callOf, finish, text } from '#test/support/answering-model.js';

/** A tool that answers when the test says so. */
function heldTool(sayWhile: readonly string[] = ['One moment, please.']): {
  toolbox: Toolbox;
  answer(result: ToolResult): void;
  runs: string[];
} {
  const runs: string[] = [];
  let answer!: (result: ToolResult) => void;
  const toolbox: Toolbox = {
    offered: [{ name: 'book', description: 'Books a visit', parameters: { type: 'object' } }],
    transferTo: null,
    run(call) {
      runs.push(call.id);
      return {
        call,
        sayWhile,
        done: new Promise((resolve) => (answer = resolve)),
      };
    },
  };
  return { toolbox, runs, answer: (result) => answer(result) };
}

function spokenTalk(options: ModelTalkOptions, utterances: string[]) {
  const model: ModelTalk = startModelTalk({ initialMessage: 'Hello.', clock: new FakeClock(), ...options });
  const talk = startTalk({ script: [], utterances, agent: { dialogue: model.dialogue }, clock: model.clock });
  const saidByAgent = () => talk.entries.flatMap((entry) => (entry.speaker === 'agent' ? [entry.text] : []));
  return { model, talk, saidByAgent };
}

describe('a conversation with a language model', () => {
  it('speaks the answer, and its history holds what was heard when the caller interrupts', async () => {
    const { model, talk, saidByAgent } = spokenTalk(
      {
        answer: (_, index) =>
          index === 0 ? 'We are open on Monday, on Tuesday, on Wednesday, and on Friday.' : 'All right.',
      },
      ['when are you open', 'and on Sunday please'],
    );
    await talk.waitUntil(() => saidByAgent().length === 1);
    await talk.speak(800);
    await talk.waitUntil(() => talk.states.at(-1) === 'speaking');
    await talk.wait(600);
    await talk.speak(1_500);
    await talk.waitUntil(() => model.model.requests.length === 2);

    const cut = talk.entries.find(({ interrupted }) => interrupted);
    expect(cut?.text).toMatch(/^We are open/);
    expect(cut?.text).not.toMatch(/Friday/);
    expect(model.model.requests[1]?.messages.filter(({ role }) => role === 'assistant')).toEqual([
      { role: 'assistant', text: 'Hello.', toolCalls: [] },
      { role: 'assistant', text: cut?.text, toolCalls: [] },
    ]);
    expect(model.model.complaints).toEqual([]);
    talk.conversation.stop();
    await talk.waitUntil(isOver(talk));
  });

  it('runs a tool once whose turn is interrupted, and keeps its result', async () => {
    const { toolbox, runs, answer } = heldTool();
    const { model, talk, saidByAgent } = spokenTalk(
      {
        toolbox,
        answer: (_, index) =>
          index === 0 ? [text('I am booking Tuesday for you.'), callOf('book'), finish] : 'It is done.',
      },
      ['book me on Tuesday', 'is it done yet please'],
    );
    await talk.waitUntil(() => saidByAgent().length === 1);
    await talk.speak(800);
    await talk.waitUntil(() => talk.states.at(-1) === 'speaking');
    await talk.wait(500);
    await talk.speak(1_500);
    await talk.wait(1_500);
    expect(model.model.requests).toHaveLength(1);

    answer({ status: 'ok', text: 'booked' });
    await talk.waitUntil(() => model.model.requests.length === 2);
    expect(runs).toEqual(['call_book']);
    const { messages } = model.model.requests[1]!;
    expect(messages.filter(({ role }) => role === 'tool')).toEqual([
      { role: 'tool', results: [{ id: 'call_book', name: 'book', text: 'booked' }] },
    ]);
    expect(messages.at(-1)?.role).toBe('user');
    expect(model.model.complaints).toEqual([]);
    talk.conversation.stop();
    await talk.waitUntil(isOver(talk));
  });

  it('ends with an apology that is heard, and with the failure', async () => {
    const { talk, saidByAgent } = spokenTalk({ answer: () => [new Error('away')] }, ['when are you open']);
    await talk.waitUntil(() => saidByAgent().length === 1);
    await talk.speak(800);
    await talk.waitUntil(isOver(talk));

    expect(saidByAgent().at(-1)).toMatch(/^I am sorry, I have a technical problem/);
    expect(talk.result()?.end).toEqual({ by: 'error', error: new Error('away') });
  });

  it('answers sooner where the model was asked while the caller had only paused', async () => {
    const soundedAfterMs = async (preparesReplies: boolean) => {
      const clock = new FakeClock();
      const { model, talk, saidByAgent } = spokenTalk(
        { clock, preparesReplies, answer: () => [900, text('We are open on Monday.'), finish] },
        ['when are you open'],
      );
      await talk.waitUntil(() => saidByAgent().length === 1);
      await talk.speak(1_040);
      const spokeMs = talk.line.frames.length * 20;
      await talk.waitUntil(() => saidByAgent().length === 2);
      expect(model.model.requests).toHaveLength(1);
      talk.conversation.stop();
      await talk.waitUntil(isOver(talk));
      return talk.entries.at(-1)!.startMs - spokeMs;
    };
    const [prepared, usual] = [await soundedAfterMs(true), await soundedAfterMs(false)];
    // The caller's turn ends after 600 ms of silence, and the model is asked after 200.
    expect(usual).toBeGreaterThanOrEqual(1_450);
    expect(usual - prepared).toBeGreaterThanOrEqual(380);
  });

  it('asks nobody whether they are there while a tool runs, says what it has to say, and keeps what they say', async () => {
    const { toolbox, runs, answer } = heldTool(['One moment, please.', 'I am still looking.']);
    const { model, talk, saidByAgent } = spokenTalk(
      { toolbox, answer: (_, index) => (index === 0 ? [callOf('book'), finish] : 'It is done.') },
      ['book me on Tuesday', 'in the morning please'],
    );
    const spoken = () => talk.speaking.requests.map(({ text: words }) => words);
    const spokenAfterMs = async (words: string, fromMs: number) => {
      await talk.waitUntil(() => spoken().includes(words));
      return talk.clock.monotonicMs() - fromMs;
    };
    await talk.waitUntil(() => saidByAgent().length === 1);
    await talk.speak(800);
    await talk.waitUntil(() => runs.length === 1);
    const beganMs = talk.clock.monotonicMs();
    expect(await spokenAfterMs('One moment, please.', beganMs)).toBeCloseTo(1_500, -2);
    expect(await spokenAfterMs('I am still looking.', beganMs)).toBeCloseTo(5_000, -2);

    // Longer than the silence after which the agent asks, and than that which ends the call.
    await talk.wait(40_000);
    expect(spoken().slice(-2)).toEqual(['One moment, please.', 'I am still looking.']);
    expect(talk.result()).toBeNull();

    await talk.speak(1_000);
    await talk.wait(1_000);
    expect(model.model.requests).toHaveLength(1);
    answer({ status: 'ok', text: 'booked' });
    await talk.waitUntil(() => model.model.requests.length === 2);
    expect(runs).toEqual(['call_book']);
    const told = model.model.requests[1]!.messages;
    expect(told.at(-1)).toEqual({ role: 'user', text: 'in the morning please' });
    expect(told.find(({ role }) => role === 'tool')).toMatchObject({ results: [{ text: 'booked' }] });
    expect(
      told.filter(({ role }) => role === 'assistant').map((message) => 'text' in message && message.text),
    ).toEqual(['Hello.', 'One moment, please. I am still looking.']);
    await talk.waitUntil(() => spoken().at(-1) === 'It is done.');
    talk.conversation.stop();
    await talk.waitUntil(isOver(talk));
  });
});
