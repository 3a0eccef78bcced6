import { speaking } from '#test/support/call-languages.js';
import { describe, expect, it } from 'vitest';
import { RealtimeDialogue } from '#dialogue/realtime-dialogue.js';
import { TalkMemory } from '#dialogue/talk-memory.js';
import type { Toolbox, ToolResult } from '#dialogue/tools/toolbox.js';
import { conversationContract } from '#test/contracts/conversation.js';
import { createScriptedRealtime, type ScriptedReply } from '#test/support/scripted-realtime.js';
import {
  expectNothingLeft,
  isOver,
  startTalk,
  type Talk,
  type TalkOptions,
} from '#test/support/scripted-talk.js';
import { toneMs } from '#test/support/scripted-tts.js';

const GREETING = 'Good morning, this is the clinic.';
const GOODBYE: ToolResult = {
  status: 'ok',
  text: 'The call ends.',
  effect: { kind: 'end', goodbye: 'goodbye' },
};

const RESULTS: Readonly<Record<string, ToolResult>> = {
  end_call: GOODBYE,
  look_up: { status: 'ok', text: 'nine' },
  transfer: { status: 'ok', text: 'Connecting.', effect: { kind: 'transfer', to: '+14155550100' } },
  press_keys: { status: 'ok', text: 'Pressed.', effect: { kind: 'press', keys: '1' } },
};

const toolbox: Toolbox = {
  offered: [],
  transferTo: null,
  run: (call) => ({ call, sayWhile: [], done: Promise.resolve(RESULTS[call.name]!) }),
};

function startRealtime(replies: ScriptedReply[], options: Partial<TalkOptions> & { greeting?: string } = {}) {
  const realtime = createScriptedRealtime(...replies);
  const memory = new TalkMemory({});
  const tools: string[] = [];
  const { greeting = GREETING, ...talkOptions } = options;
  const talk = startTalk({
    script: [],
    realtime: {
      realtime,
      voice: null,
      language: speaking('en-US'),
      dialogue: new RealtimeDialogue({
        instructions: 'You are the receptionist.',
        initialMessage: greeting,
        memory,
        toolbox,
        control: {
          forbidsCalls: ({ text }) => text === 'never call me again',
          say: (sentence) => `(${sentence})`,
        },
        observer: { onTool: ({ name }) => void tools.push(name) },
        clock: { wallMs: () => 0, monotonicMs: () => 0 },
      }),
    },
    ...talkOptions,
  });
  return { talk, realtime, tools };
}

const tool = (name: string) => ({ name, arguments: '{}' });
const isListening = (talk: Talk) => () => talk.states.at(-1) === 'listening';
const said = (talk: Talk) => talk.entries.map(({ speaker, text }) => `${speaker}: ${text}`);

conversationContract('of a speech-to-speech session', () => {
  const { talk } = startRealtime([]);
  return { conversation: talk.conversation, pass: talk.wait, nowMs: () => talk.clock.wallMs() };
});

describe('a talk by a speech-to-speech session', () => {
  it('greets, answers, and hangs up behind its goodbye', async () => {
    const { talk, realtime, tools } = startRealtime([
      { heard: 'is nine free', text: 'It is.' },
      { heard: 'thank you', text: 'Goodbye.', tool: tool('end_call') },
    ]);
    await talk.waitUntil(isListening(talk));
    await talk.speak(600);
    await talk.waitUntil(() => talk.entries.length === 3);
    await talk.speak(600);
    await talk.waitUntil(isOver(talk));

    expect(talk.result()?.end).toEqual({ by: 'agent' });
    expect(said(talk)).toEqual([
      `agent: ${GREETING}`,
      'customer: is nine free',
      'agent: It is.',
      'customer: thank you',
      'agent: Goodbye.',
    ]);
    expect(tools).toEqual(['end_call']);
    expect(talk.partials).toEqual(['is', 'thank']);
    expect(talk.turns).toHaveLength(2);
    expect(realtime.asked).toEqual([`say: ${GREETING}`, 'close']);
    await expectNothingLeft(talk);
  });

  it('is timed and recorded as it was heard', async () => {
    const { talk } = startRealtime([{ heard: 'yes', text: 'Fine.' }]);
    await talk.waitUntil(isListening(talk));
    await talk.speak(600);
    await talk.waitUntil(() => talk.entries.length === 3);
    talk.conversation.stop();
    await talk.wait(1_000);
    const [greeting, answer, reply] = talk.entries;
    expect(greeting!.endMs - greeting!.startMs).toBe(toneMs(GREETING));
    expect(answer!.endMs - answer!.startMs).toBe(600);
    expect(reply!.endMs - reply!.startMs).toBe(toneMs('Fine.'));
    expect(talk.recorded.agent).toEqual(talk.line.frames);
    const loudMs = talk.recorded.customer.flatMap((frame, tick) => (frame[0] === 0 ? [] : [tick * 20]));
    expect([loudMs[0], loudMs.at(-1)! + 20]).toEqual([answer!.startMs, answer!.endMs]);
    expect(talk.turns[0]!.totalMs).toBe(reply!.startMs - answer!.endMs);
  });

  it.each([100, 300, 700, 1_100])(
    'keeps of a turn that is cut after %d ms what was heard',
    async (afterMs) => {
      const { talk, realtime } = startRealtime([{ heard: 'stop', text: 'I stop.' }]);
      await talk.waitUntil(() => talk.states.at(-1) === 'speaking');
      await talk.wait(afterMs);
      await talk.speak(400);
      await talk.waitUntil(() => talk.entries.some(({ text }) => text === 'I stop.'));
      const [cut] = talk.entries;
      const heardMs = cut!.endMs - cut!.startMs;
      expect(cut!.interrupted).toBe(true);
      expect(GREETING.startsWith(cut!.text)).toBe(true);
      expect(toneMs(cut!.text)).toBeLessThanOrEqual(heardMs);
      expect(toneMs(cut!.text)).toBeGreaterThan(heardMs - toneMs('morning, '));
      expect(realtime.asked).toContain(`interrupt: ${heardMs}`);
      const loud = talk.line.frames.filter(
        (_, tick) => tick * 20 < cut!.endMs + 100 && talk.line.isLoud(tick),
      );
      expect(loud.length * 20).toBe(heardMs);
      expect(talk.interruptions.count).toBe(1);
    },
  );

  it('goes on with the result of a tool', async () => {
    const { talk, realtime } = startRealtime([{ heard: 'when', text: 'Let me see.', tool: tool('look_up') }]);
    await talk.waitUntil(isListening(talk));
    await talk.speak(600);
    await talk.waitUntil(() => talk.entries.some(({ text }) => text === 'All right.'));
    expect(realtime.asked).toContain('tool result: c1 nine');
  });

  it('connects the caller when everything said before was heard, and says so when that fails', async () => {
    const asked: string[] = [];
    const { talk } = startRealtime([{ heard: 'a person', text: 'One moment.', tool: tool('transfer') }], {
      transfer: async (to) => {
        asked.push(`${to} after ${talk.entries.at(-1)!.text}`);
        return false;
      },
    });
    await talk.waitUntil(isListening(talk));
    await talk.speak(600);
    await talk.waitUntil(() => talk.entries.some(({ text }) => text === '(not_connected)'));
    expect(asked).toEqual(['+14155550100 after All right.']);
  });

  it('asks a silent caller, and hangs up with last words', async () => {
    const { talk } = startRealtime([]);
    await talk.waitUntil(isOver(talk));
    expect(talk.result()?.end).toEqual({ by: 'silence' });
    expect(said(talk)).toEqual([
      `agent: ${GREETING}`,
      'agent: (still_there)',
      'agent: (cannot_hear)',
      'agent: (nobody_there)',
    ]);
    await expectNothingLeft(talk);
  });

  it('gives the session keys and typed words in place of speech', async () => {
    const { talk, realtime } = startRealtime([]);
    await talk.waitUntil(isListening(talk));
    talk.conversation.press('4');
    await talk.waitUntil(() => talk.entries.length === 3);
    talk.conversation.type('hello');
    await talk.waitUntil(() => talk.entries.length === 5);
    expect(realtime.asked.slice(1)).toEqual(['type: 4', 'type: hello']);
  });

  it('hangs up on a machine, or leaves the message when it listens', async () => {
    const left = startRealtime([], {
      isOutbound: true,
      voicemail: { action: 'leave_message', message: 'Please call us back.' },
    });
    await left.talk.wait(200);
    left.talk.conversation.machineAnswered(true);
    await left.talk.waitUntil(isOver(left.talk));
    expect(left.talk.result()?.end).toEqual({ by: 'machine' });
    expect(left.talk.entries.at(-1)).toMatchObject({ text: 'Please call us back.', interrupted: false });

    const hungUp = startRealtime([], { isOutbound: true, voicemail: { action: 'hang_up' } });
    await hungUp.talk.wait(200);
    hungUp.talk.conversation.machineAnswered(false);
    expect(await hungUp.talk.waitUntil(isOver(hungUp.talk))).toBe(true);
    expect(hungUp.talk.result()?.end).toEqual({ by: 'machine' });
  });

  it('ends with the session: in an error, or when the session has nothing more to say', async () => {
    const failed = startRealtime([]);
    await failed.talk.wait(500);
    failed.realtime.tell({ kind: 'error', error: new Error('quota') });
    await failed.talk.waitUntil(isOver(failed.talk));
    expect(failed.talk.result()?.end).toMatchObject({ by: 'error', error: { message: 'quota' } });

    const ended = startRealtime([]);
    await ended.talk.wait(500);
    ended.realtime.tell({ kind: 'end' });
    await ended.talk.waitUntil(isOver(ended.talk));
    expect(ended.talk.result()?.end).toEqual({ by: 'agent' });
    expect(said(ended.talk)).toEqual([`agent: ${GREETING}`]);
  });
});
