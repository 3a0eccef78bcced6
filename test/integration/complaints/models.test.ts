import { createOpenAI } from '@ai-sdk/openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LanguageModel, ModelMessage, ModelTool } from '#dialogue/llm/language-model.js';
import { ModelError } from '#dialogue/llm/language-model.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { gemini, SIGNATURE } from '#test/support/emulators/models/gemini-emulator.js';
import { ModelEmulator, type ModelDialect } from '#test/support/emulators/models/model-emulator.js';
import { openAiChat } from '#test/support/emulators/models/openai-chat-emulator.js';
import { answerOf, modelRequest, modelsOf } from '#test/support/models-rig.js';

/**
 * What users of such services complain about, as far as models are the matter, each against our adapter and against a
 * naive one, which fails: it takes any byte for progress, the end of a stream for the end of the answer, every error
 * for one that heals, and the reason for finishing at its word.
 */
let clock: FakeClock;
let emulator: ModelEmulator;
beforeEach(() => {
  clock = new FakeClock();
});
afterEach(() => emulator.close());

const KEY = 'a-key';
const TOOL: ModelTool = { name: 'find_slot', description: 'Free visits.', parameters: { type: 'object' } };

async function emulate(dialect: ModelDialect): Promise<void> {
  emulator = await ModelEmulator.open(dialect, clock);
}

function ours(provider: string, model: string): LanguageModel {
  const environment = { OPENAI_API_KEY: KEY, GEMINI_API_KEY: KEY, OLLAMA_BASE_URL: emulator.url };
  const urls = { OPENAI_BASE_URL: emulator.url, GEMINI_BASE_URL: emulator.url };
  return modelsOf({ ...environment, ...urls }, { clock, fetch }).resolve({ provider, model });
}

/** As one might write it in an afternoon. */
class NaiveAdapter {
  attempts = 0;

  /** The answer, whose limit begins anew with every packet, and which is tried again whatever has happened. */
  async answer(
    body: object,
    tries = 3,
  ): Promise<{ text: string; calls: Map<number, string>; reason: string }> {
    this.attempts += 1;
    const response = await fetch(`${emulator.url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer wrong' },
      body: JSON.stringify({
        model: 'm',
        stream: true,
        messages: [{ role: 'user', content: 'Hi' }],
        ...body,
      }),
    });
    if (!response.ok) return tries > 1 ? this.answer(body, tries - 1) : Promise.reject(new Error('failed'));
    let cancel = () => {};
    const decoder = new TextDecoder();
    let received = '';
    const stop = new Promise<never>((_resolve, reject) => {
      const restart = () => {
        cancel();
        cancel = clock.after(5_000, () => reject(new Error('timeout')));
      };
      this.onPacket = restart;
      restart();
    });
    const reader = response.body!.getReader();
    try {
      for (;;) {
        const packet = await Promise.race([reader.read(), stop]);
        if (packet.done) break;
        this.onPacket();
        received += decoder.decode(packet.value, { stream: true });
      }
    } catch {
      // What has come is the answer.
    }
    cancel();
    return naivelyRead(received);
  }

  onPacket = () => {};
}

function naivelyRead(received: string) {
  const answer = { text: '', calls: new Map<number, string>(), reason: '' };
  for (const line of received.split('\n').filter((one) => one.startsWith('data: {'))) {
    const { choices } = JSON.parse(line.slice('data: '.length)) as {
      choices: {
        delta: { content?: string; tool_calls?: { index: number; function: { arguments: string } }[] };
        finish_reason: string | null;
      }[];
    };
    const [choice] = choices;
    answer.text += choice?.delta.content ?? '';
    for (const { index, function: call } of choice?.delta.tool_calls ?? [])
      answer.calls.set(index, (answer.calls.get(index) ?? '') + call.arguments);
    answer.reason = choice?.finish_reason ?? answer.reason;
  }
  return answer;
}

/** Moves time on, step by step, until the work is done, or so much has passed. */
async function after<Result>(
  work: Promise<Result>,
  limitMs: number,
  stepMs = 250,
): Promise<Result | 'still waiting'> {
  let result: { value: Result } | null = null;
  void work.then((value) => (result = { value }));
  for (let passedMs = 0; passedMs < limitMs && result === null; passedMs += stepMs)
    await clock.advance(stepMs);
  return result === null ? 'still waiting' : (result as { value: Result }).value;
}

describe('complaint 3: keep-alives put off the limit for the first word (livekit/agents#6171, #5660)', () => {
  beforeEach(async () => {
    await emulate(openAiChat(null));
    emulator.usual = { commentEveryMs: 200 };
  });

  it('does not happen: the first word has five seconds by the clock', async () => {
    const answer = await after(answerOf(ours('ollama', 'm')), 6_000);
    expect(answer).toMatchObject({ error: { failure: 'timeout' } });
  });

  it('happens to the naive adapter', async () => {
    const answer = new NaiveAdapter().answer({});
    await emulator.received(1);
    // Each step lets a comment travel: the limit never passes.
    expect(await after(answer, 60_000)).toBe('still waiting');
  });
});

// That such an answer is heard all the same is shown in `test/unit/conversation/streamed-text.test.ts`.
describe('complaint 4: an answer that dribbles never ends a sentence (pipecat#5842)', () => {
  beforeEach(async () => {
    await emulate(openAiChat(null));
    emulator.usual = { turn: { text: Array.from({ length: 9 }, (_, i) => `word${i} `) }, betweenMs: 3_000 };
  });

  it('is spoken at its end by who waits for sentences', async () => {
    let spoken = '';
    const reading = (async () => {
      for await (const part of ours('ollama', 'm').stream(modelRequest(), new AbortController().signal))
        if (part.type === 'text' && /[.!?]/.test(part.text)) spoken += part.text;
    })().catch(() => {});
    await after(reading, 25_000);
    expect(spoken).toBe('');
  });
});

describe('complaint 13: Gemini 3 refuses the turn after a tool (agents-js#920, pipecat#3557)', () => {
  const historyOf = (call: {
    id: string;
    name: string;
    arguments: string;
    providerData?: unknown;
  }): ModelMessage[] => [
    { role: 'user', text: 'Monday?' },
    { role: 'assistant', text: '', toolCalls: [call] },
    { role: 'tool', results: [{ id: call.id, name: call.name, text: 'Free.' }] },
  ];

  it('does not happen: the signature goes back with its call, and none is invented for another model’s', async () => {
    await emulate(gemini(KEY));
    const model = ours('google', 'gemini-3.6-flash');
    emulator.next({ turn: { calls: [{ name: 'find_slot', arguments: {} }] } });
    const { calls } = await answerOf(model, modelRequest({ tools: [TOOL] }));
    const answer = await answerOf(model, modelRequest({ tools: [TOOL], messages: historyOf(calls[0]!) }));
    expect(answer.error).toBeNull();
    expect(emulator.last.text).toContain(SIGNATURE);

    const foreign = { ...calls[0]!, providerData: { provider: 'anthropic', options: {} } };
    const taken = await answerOf(model, modelRequest({ tools: [TOOL], messages: historyOf(foreign) }));
    expect(taken.error).toBeNull();
  });

  it('happens to an adapter that drops what it does not know', async () => {
    await emulate(gemini(KEY));
    const naive = await fetch(`${emulator.url}/models/gemini-3.6-flash:streamGenerateContent?alt=sse`, {
      method: 'POST',
      headers: { 'x-goog-api-key': KEY },
      body: JSON.stringify({
        contents: [
          { role: 'user', parts: [{ text: 'Monday?' }] },
          { role: 'model', parts: [{ functionCall: { name: 'find_slot', args: {} } }] },
          {
            role: 'user',
            parts: [{ functionResponse: { name: 'find_slot', response: { output: 'Free.' } } }],
          },
        ],
      }),
    });
    expect(naive.status).toBe(400);
  });
});

describe('complaint 14: calls that are all the first, and end with "stop" (ollama#15457, #7881)', () => {
  const call = (id: string, day: string) => ({
    tool_calls: [
      { index: 0, id, type: 'function', function: { name: 'find_slot', arguments: `{"day":"${day}"}` } },
    ],
  });
  const chunk = (delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  beforeEach(async () => {
    await emulate(openAiChat(null));
    emulator.usual = { events: [chunk(call('a', 'Monday')), chunk(call('b', 'Tuesday')), chunk({}, 'stop')] };
  });

  it.each([['ollama'], ['openai']])('are run, each by itself, by %s', async (provider) => {
    const { calls, finish } = await answerOf(ours(provider, 'm'), modelRequest({ tools: [TOOL] }));
    expect(calls.map(({ id, arguments: text }) => [id, text])).toEqual([
      ['a', '{"day":"Monday"}'],
      ['b', '{"day":"Tuesday"}'],
    ]);
    expect(finish?.reason).toBe('tool_calls');
  });

  it('are one call that is none, and is not run, to the naive adapter', async () => {
    const { calls, reason } = await new NaiveAdapter().answer({});
    expect([...calls.values()]).toEqual(['{"day":"Monday"}{"day":"Tuesday"}']);
    expect(reason).toBe('stop');
  });
});

describe('complaint 17: an answer that was cut counts as complete (anomalyco/opencode#40061)', () => {
  beforeEach(async () => {
    await emulate(openAiChat(null));
    const events = openAiChat(null).eventsOf({ text: ['Your visit is ', 'not ', 'booked.'] }, {
      body: {},
    } as never);
    emulator.usual = { events: events.slice(0, 2) };
  });

  it('does not: it is an error, whatever came before', async () => {
    const { error, finish } = await answerOf(ours('ollama', 'm'));
    expect([(error as ModelError).failure, finish]).toEqual(['cut', null]);
  });

  it('does to the naive adapter', async () => {
    expect((await new NaiveAdapter().answer({})).text).toBe('Your visit is ');
  });

  it('does to the package without our reading of the wire', async () => {
    const bare = createOpenAI({ apiKey: KEY, baseURL: emulator.url }).chat('m');
    const { stream } = await bare.doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    });
    const types: string[] = [];
    for await (const part of stream) types.push(part.type);
    expect(types.at(-1)).toBe('finish');
    expect(types).not.toContain('error');
  });
});

describe('complaint 18: a wrong key is tried again and again', () => {
  beforeEach(() => emulate(openAiChat('another-key')));

  it('does not happen: it is asked once a turn where nothing else is there, and never probed', async () => {
    const environment = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: emulator.url, OLLAMA_BASE_URL: emulator.url };
    const models = modelsOf(environment, { clock, fetch });
    const list = models.resolve({ provider: 'openai', model: 'm' }, [{ provider: 'openai', model: 'n' }]);
    for (let turn = 0; turn < 5; turn++) await answerOf(list);
    expect(emulator.requests).toHaveLength(5);
    await clock.advance(60_000);
    expect(emulator.requests).toHaveLength(5);
    expect(models.outages()).toMatchObject([{ provider: 'openai', model: null, untilMs: null }]);
  });

  it('happens to the naive adapter', async () => {
    const naive = new NaiveAdapter();
    await expect(naive.answer({})).rejects.toThrow('failed');
    expect(naive.attempts).toBe(3);
  });
});
