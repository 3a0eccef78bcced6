import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import type { LanguageModelV3, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '#test/support/fake-clock.js';
import { answerOf, modelsOf } from '#test/support/models-rig.js';
import { packetsOf, replayingFetch, type Cutting } from '#test/support/replayed-stream.js';

/** What servers send that their format does not say, and what the libraries that read it make of that. */
interface OddStream {
  what: string;
  events: object[];
  text?: string;
  calls?: [id: unknown, args: string][];
  failure?: string;
}

const key = 'k';
const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;

const BARE: Record<string, (fetch: typeof globalThis.fetch) => LanguageModelV3> = {
  openai: (fetch) => createOpenAI({ apiKey: key, fetch }).chat('m'),
  anthropic: (fetch) => createAnthropic({ apiKey: key, fetch })('m'),
  google: (fetch) => createGoogleGenerativeAI({ apiKey: key, fetch })('gemini-2.5-flash'),
};

async function readByUs(provider: string, events: object[]) {
  const environment = { OPENAI_API_KEY: key, ANTHROPIC_API_KEY: key, GEMINI_API_KEY: key };
  const fetch = replayingFetch(packetsOf(events.map(event), 'as events'));
  const models = modelsOf(environment, { clock: new FakeClock(), fetch });
  const { text, calls, error } = await answerOf(models.resolve({ provider, model: 'gemini-2.5-flash' }));
  return {
    text,
    calls: calls.map(({ id, arguments: args }) => [id, args]),
    failure: (error as { failure?: string } | null)?.failure ?? null,
  };
}

/** The same stream read by the package alone. */
async function readBare(provider: string, events: object[]) {
  const seen = { text: '', calls: [] as unknown[], failure: null as string | null };
  try {
    const model = BARE[provider]!(replayingFetch(packetsOf(events.map(event), 'as events')));
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }];
    const { stream } = await model.doStream({ prompt });
    for await (const part of stream as AsyncIterable<LanguageModelV3StreamPart>) {
      if (part.type === 'text-delta') seen.text += part.delta;
      if (part.type === 'tool-call') seen.calls.push([part.toolCallId, part.input]);
      if (part.type === 'error') seen.failure = 'error';
    }
  } catch {
    seen.failure = 'error';
  }
  return seen;
}

const chunk = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const end = chunk({}, 'stop');
const call = (fields: object, name?: string, args: unknown = '') => ({
  ...fields,
  function: { name, arguments: args },
});
const tools = (...tool_calls: object[]) => chunk({ tool_calls });

const CHAT: OddStream[] = [
  {
    what: 'a chunk without choices',
    events: [{ id: 'x', queue: 1 }, chunk({ content: 'Hi' }), end],
    text: 'Hi',
  },
  {
    what: 'choices without an index',
    events: [{ choices: [{ delta: { content: 'Hi' } }] }, end],
    text: 'Hi',
  },
  { what: 'a role of another name', events: [chunk({ role: 'model', content: 'Hi' }), end], text: 'Hi' },
  {
    what: 'content in parts, thoughts among them',
    events: [
      chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] }),
      chunk({ content: [{ type: 'text', text: 'Hi' }] }),
      end,
    ],
    text: 'Hi',
  },
  {
    what: 'thoughts between tags that are cut anywhere',
    events: [...'<think>Hm. <b></think>Hi <there'].map((content) => chunk({ content })).concat(end),
    text: 'Hi <there',
  },
  {
    what: 'thoughts that never end',
    events: [chunk({ content: 'Hi<think>Hm. ' }), chunk({ content: 'So' }), end],
    text: 'Hi',
  },
  {
    what: 'a tool call without an index',
    events: [tools(call({ id: 'a' }, 'find_slot', '{}')), end],
    calls: [['a', '{}']],
  },
  {
    what: 'two calls of which each is the first',
    events: [
      tools(call({ index: 0, id: 'a' }, 'find_slot')),
      tools(call({ index: 0 }, undefined, '{"d":1}')),
      tools(call({ index: 0, id: 'b' }, 'find_slot')),
      tools(call({ index: 0 }, '', '{"d":2}')),
      end,
    ],
    calls: [
      ['a', '{"d":1}'],
      ['b', '{"d":2}'],
    ],
  },
  {
    what: 'a name that comes late',
    events: [
      tools(call({ index: 0, id: 'a' }, undefined, '{"d"')),
      tools(call({ index: 0 }, 'find_slot', ':1}')),
      end,
    ],
    calls: [['a', '{"d":1}']],
  },
  {
    what: 'ids that change within a call',
    events: [
      tools(call({ index: 0, id: 'a' }, 'find_slot', '{"d"')),
      tools(call({ id: 'z' }, undefined, ':1}')),
      end,
    ],
    calls: [['a', '{"d":1}']],
  },
  {
    what: 'arguments that are no text',
    events: [tools(call({ index: 0, id: 'a' }, 'find_slot', { d: 1 })), end],
    calls: [['a', '{"d":1}']],
  },
  {
    what: 'a reason that is empty, and no other',
    events: [chunk({ content: 'Hi' }, '')],
    failure: 'cut',
    text: 'Hi',
  },
  { what: 'the end of an upstream', events: [chunk({}, 'error')], failure: 'unavailable' },
  {
    what: 'an error where Groq puts it',
    events: [{ x_groq: { error: { message: 'm', code: null } } }],
    failure: 'unavailable',
  },
];

const start = (id: string) => ({
  type: 'message_start',
  message: {
    id,
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    usage: { input_tokens: 1, output_tokens: 1 },
  },
});
const block = (type: string, delta: object) => [
  { type: 'content_block_start', index: 0, content_block: { type, text: '' } },
  { type: 'content_block_delta', index: 0, delta },
  { type: 'content_block_stop', index: 0 },
];
const said = (text: string) => block('text', { type: 'text_delta', text });
const stop = [
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
  { type: 'message_stop' },
];

const ANTHROPIC: OddStream[] = [
  {
    what: 'an event of a later version',
    events: [start('1'), { type: 'message_note' }, ...said('Hi'), ...stop],
    text: 'Hi',
  },
  {
    what: 'a block of a later version',
    events: [start('1'), ...block('hologram', { type: 'hologram_delta', x: 1 }), ...said('Hi'), ...stop],
    text: 'Hi',
  },
  { what: 'no end', events: [start('1'), ...said('Hi'), stop[0]!], failure: 'cut', text: 'Hi' },
  {
    what: 'an answer that begins anew',
    events: [start('1'), start('2'), ...said('Hi'), ...stop],
    failure: 'bad_answer',
  },
];

const candidate = (parts: object[], finishReason?: string) => ({
  candidates: [{ content: { role: 'model', parts }, ...(finishReason && { finishReason }) }],
});
const GEMINI: OddStream[] = [
  {
    what: 'an end with nothing before it',
    events: [candidate([{ text: '' }], 'STOP')],
    failure: 'bad_answer',
  },
  { what: 'a spoilt call', events: [candidate([], 'MALFORMED_FUNCTION_CALL')], failure: 'bad_answer' },
  { what: 'no end', events: [candidate([{ text: 'Hi' }])], failure: 'cut', text: 'Hi' },
];

describe.each([
  ['openai', CHAT],
  ['anthropic', ANTHROPIC],
  ['google', GEMINI],
])('the stream of %s', (provider, streams) => {
  it.each(streams)('is read with $what, which the package alone gets wrong', async (stream) => {
    const expected = { text: '', calls: [], failure: null, ...stream, what: undefined, events: undefined };
    const { text, calls, failure } = expected;
    expect(await readByUs(provider, stream.events)).toEqual({ text, calls, failure });
    expect(await readBare(provider, stream.events)).not.toEqual({ text, calls, failure });
  });
});

describe('pieces of text that come together', () => {
  const plain = (content: string) => ({ id: 'c', created: 1, model: 'm', ...chunk({ content }) });
  const text = (words: string) => ({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'text_delta', text: words },
  });
  const block = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
  const over = { type: 'content_block_stop', index: 0 };

  it.each([
    ['openai', [plain('Yes'), plain(', of '), plain('course.'), end]],
    ['anthropic', [start('1'), block, text('Yes'), text(', of '), text('course.'), over, ...stop]],
  ])('of %s are handed on together, and others as they come', async (provider, events) => {
    const environment = { OPENAI_API_KEY: key, ANTHROPIC_API_KEY: key };
    const textsIn = async (cutting: Cutting) => {
      const fetch = replayingFetch(packetsOf(events.map(event), cutting));
      const model = modelsOf(environment, { clock: new FakeClock(), fetch }).resolve({
        provider,
        model: 'm',
      });
      const { parts } = await answerOf(model);
      return parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    };
    expect(await textsIn('several in a packet')).toEqual(['Yes, of course.']);
    expect(await textsIn('as events')).toEqual(['Yes', ', of ', 'course.']);
  });
});
