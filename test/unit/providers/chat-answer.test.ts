import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { describe, expect, it } from 'vitest';
import type { ModelEvent } from '#dialogue/llm/model-source.js';
import { aiSdkSource, type MakeModel } from '#providers/ai-sdk/ai-sdk-source.js';
import { ChatRepairs } from '#providers/wire/chat-repairs.js';
import { modelRequest } from '#test/support/models-rig.js';
import { packetsOf, replayingFetch } from '#test/support/replayed-stream.js';

const chunk = (delta: object, finish_reason: string | null = null, usage?: object) => ({
  id: 'c',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
  ...(usage && { usage }),
});
const call = (index: number, fields: object, said: object) => ({
  tool_calls: [{ index, ...fields, function: said }],
});
const begun = (id: string, name: string) =>
  [
    { id, type: 'function' },
    { name, arguments: '' },
  ] as const;
const COUNTED = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 };

const ANSWERS: readonly [what: string, chunks: object[]][] = [
  ['a text', [chunk({ role: 'assistant', content: '' }), chunk({ content: 'Yes.' }), chunk({}, 'stop')]],
  ['a text that is too long', [chunk({ content: 'Yes, and' }), chunk({}, 'length')]],
  ['nothing that may be said', [chunk({}, 'content_filter')]],
  ['a refusal', [chunk({ refusal: 'I cannot do that.' }), chunk({}, 'stop')]],
  ['a reason that is new', [chunk({ content: 'Yes.' }), chunk({}, 'tired')]],
  ['counts', [chunk({ content: 'Yes.' }), chunk({}, 'stop', COUNTED)]],
  [
    'counts, some of them kept',
    [chunk({ content: 'Yes.' }, 'stop', { ...COUNTED, prompt_tokens_details: { cached_tokens: 8 } })],
  ],
  ['thoughts', [chunk({ reasoning_content: 'Hm.' }), chunk({ content: 'Yes.' }), chunk({}, 'stop')]],
  [
    'two calls whose pieces are mixed',
    [
      chunk(call(0, ...begun('a', 'find'))),
      chunk(call(1, ...begun('b', 'book'))),
      chunk(call(0, {}, { arguments: '{"day":' })),
      chunk(call(1, {}, { arguments: '{}' })),
      chunk(call(0, {}, { arguments: '1}' })),
      chunk({}, 'tool_calls'),
    ],
  ],
  ['a call without arguments', [chunk(call(0, ...begun('a', 'find'))), chunk({}, 'tool_calls')]],
  [
    'a call with its signature',
    [
      chunk({
        tool_calls: [
          {
            index: 0,
            id: 'a',
            type: 'function',
            function: { name: 'find', arguments: '{}' },
            extra_content: { google: { thought_signature: 'signed' } },
          },
        ],
      }),
      chunk({}, 'tool_calls'),
    ],
  ],
];

/** What a model has told, without what only says that it goes on. */
async function toldBy(chunks: readonly object[], make: MakeModel, readsAs?: string): Promise<ModelEvent[]> {
  const events = [...chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`), 'data: [DONE]\n\n'];
  const source = aiSdkSource({
    provider: 'tested',
    model: 'm',
    account: 'tested',
    usesOperatorsAccount: true,
    mayBeProbed: true,
    fetch: replayingFetch(packetsOf(events, 'as events')),
    wallMs: () => 0,
    load: () => Promise.resolve(make),
    repairs: () => new ChatRepairs('tested', () => 'made'),
    wantsReasoningBack: true,
    ...(readsAs !== undefined && { optionsKey: readsAs }),
  });
  const told: ModelEvent[] = [];
  for await (const event of source.open(modelRequest(), new AbortController().signal)) told.push(event);
  return told.filter(({ type }) => type !== 'working' && type !== 'tool_named');
}

const PACKAGES: readonly [name: string, make: MakeModel][] = [
  ['chat', (fetch) => createOpenAICompatible({ name: 'chat', baseURL: 'http://x/v1', fetch })('m')],
  ['openai', (fetch) => createOpenAI({ apiKey: 'k', baseURL: 'http://x/v1', fetch }).chat('m')],
];

describe.each(PACKAGES)('an answer to a request of the package %s', (name, make) => {
  // The package of OpenAI knows neither thoughts nor signatures.
  const readable = ANSWERS.filter(([what]) => name === 'chat' || !/thoughts|signature/.test(what));

  it.each(readable)('is read as by the package: %s', async (_what, chunks) => {
    const ours = await toldBy(chunks, make, name);
    expect(ours.at(-1)?.type).toBe('finish');
    expect(ours).toEqual(await toldBy(chunks, make));
  });
});
