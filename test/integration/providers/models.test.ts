import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModelCallFacts } from '#dialogue/llm/language-model.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { anthropicMessages } from '#test/support/emulators/models/anthropic-emulator.js';
import { ModelEmulator } from '#test/support/emulators/models/model-emulator.js';
import { openAiChat } from '#test/support/emulators/models/openai-chat-emulator.js';
import { answerOf, modelRequest, modelsOf } from '#test/support/models-rig.js';
import { signedChat } from '#test/support/emulators/models/signed-chat.js';
import type { ServerOwner } from '#providers/provider-definition.js';
import { signatureHeaders } from '#webhooks/deliveries/signature.js';
import { replayingFetch } from '#test/support/replayed-stream.js';

const KEY = 'key-4711-of-a-test';
const clock = new FakeClock();
let emulator: ModelEmulator;
beforeEach(async () => {
  emulator = await ModelEmulator.open(openAiChat(KEY), clock);
});
afterEach(() => emulator.close());

const CALL: ModelCallFacts = {
  callId: 'call_1',
  agentId: 'agent_1',
  direction: 'outbound',
  callerNumber: '+14155550100',
  calledNumber: '+14155550101',
  variables: { name: 'Ann' },
  step: 'book',
};

describe('a server of the customer', () => {
  const guarded: string[] = [];
  const guardedFetch: typeof fetch = (input, init) => {
    guarded.push(new Request(input, { method: 'POST' }).url);
    return fetch(input, init);
  };
  const SECRETS: Readonly<Record<string, string>> = { dialogue: KEY, tool_signing: 'whsec_c2lnbmluZw==' };
  const owner: ServerOwner = {
    workspace: 'wsp_1',
    secrets: async (names) =>
      Object.fromEntries(names.flatMap((name) => (SECRETS[name] ? [[name, SECRETS[name]]] : []))),
    sign: async ({ id, body }) =>
      signatureHeaders(
        { current: SECRETS['tool_signing']!, previous: null },
        { id, body, timestampSeconds: Math.floor(clock.wallMs() / 1_000) },
      ),
  };
  const custom = (authorization: string) =>
    modelsOf({}, { clock, fetch: replayingFetch([]), guardedFetch }).resolve({
      provider: 'custom',
      model: null,
      url: `${signed.url}/`,
      headers: { authorization },
      extraBody: { department: 'north', messages: [] },
      owner,
    });
  let signed: ModelEmulator;
  beforeEach(async () => {
    signed = await ModelEmulator.open(signedChat(KEY, SECRETS['tool_signing']!), clock);
  });
  afterEach(() => signed.close());

  it('learns of the call, knows us by our signature, and is asked at a guarded address', async () => {
    const model = custom('Bearer {{secret.dialogue}}');
    expect(await answerOf(model, modelRequest({ call: CALL }))).toMatchObject({
      text: 'Hello.',
      error: null,
    });
    const { headers, body, path } = signed.last;
    expect(path).toBe('/v1/chat/completions');
    expect(headers).toMatchObject({ 'x-call-id': 'call_1', authorization: `Bearer ${KEY}` });
    expect(body['metadata']).toEqual({
      call_id: 'call_1',
      agent_id: 'agent_1',
      direction: 'outbound',
      caller_number: '+14155550100',
      called_number: '+14155550101',
      variables: { name: 'Ann' },
      step: 'book',
    });
    expect(body['department']).toBe('north');
    expect(body['messages']).toHaveLength(2);
    expect(guarded).toContain(`${signed.url}/chat/completions`);
    await answerOf(model, modelRequest({ call: CALL }));
    expect(new Set(signed.requests.map((request) => request.headers['webhook-id']))).toHaveProperty(
      'size',
      2,
    );
  });

  it('is not asked with a secret that does not exist', async () => {
    const { error } = await answerOf(custom('Bearer {{secret.missing}}'));
    expect(error).toMatchObject({
      failure: 'refused_credentials',
      message: 'custom: there is no secret missing',
    });
    expect(signed.requests).toEqual([]);
  });

  it('is not asked where it must not be', async () => {
    const blocked = Object.assign(new Error('blocked_address'), { name: 'BlockedAddress' });
    const models = modelsOf(
      {},
      { clock, fetch, guardedFetch: () => Promise.reject(new TypeError('x', { cause: blocked })) },
    );
    const { error } = await answerOf(
      models.resolve({ provider: 'custom', model: null, url: 'http://10.0.0.1/v1' }),
    );
    expect(error).toMatchObject({ failure: 'bad_request', retryable: false });
  });

  it('shows its headers in no outage', async () => {
    const { log, lines } = createMemoryLog();
    const models = modelsOf({}, { clock, fetch, log });
    const headers = { authorization: 'Bearer not-the-right-key' };
    await answerOf(models.resolve({ provider: 'custom', model: null, url: emulator.url, headers }));
    expect(models.outages()).toMatchObject([
      { provider: 'custom', failure: 'refused_credentials', usesOperatorsAccount: false },
    ]);
    expect(JSON.stringify([models.outages(), lines])).not.toContain('not-the-right-key');
    models.close();
  });
});

describe('models of OpenAI that reason', () => {
  it.each([
    ['gpt-5-mini', null, { reasoning_effort: 'minimal', max_completion_tokens: 50 }],
    ['gpt-5.6-luna', null, { reasoning_effort: 'none', temperature: 0.3, max_completion_tokens: 50 }],
    ['gpt-5.6-luna', 'low', { reasoning_effort: 'low', max_completion_tokens: 50 }],
    ['o4-mini', null, { reasoning_effort: 'low', max_completion_tokens: 50 }],
    ['gpt-4.1', null, { temperature: 0.3, max_tokens: 50 }],
  ])('are asked for what %s takes (effort %s)', async (model, reasoningEffort, expected) => {
    const models = modelsOf({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: emulator.url }, { clock, fetch });
    const settings = { temperature: 0.3, maxOutputTokens: 50, reasoningEffort };
    const { error } = await answerOf(
      models.resolve({ provider: 'openai', model }),
      modelRequest({ settings, call: CALL }),
    );
    expect(error).toBeNull();
    const { reasoning_effort, temperature, max_tokens, max_completion_tokens, ...rest } = emulator.last.body;
    expect(
      JSON.parse(JSON.stringify({ reasoning_effort, temperature, max_tokens, max_completion_tokens })),
    ).toEqual(expected);
    expect(rest).toMatchObject({ prompt_cache_key: 'agent_1' });
    expect(rest).not.toHaveProperty('metadata');
    expect(rest).not.toHaveProperty('tools');
  });
});

describe('the models of a process', () => {
  it('answer from one provider when another fails', async () => {
    const anthropic = await ModelEmulator.open(anthropicMessages(KEY), clock);
    anthropic.usual = { turn: { text: ['From the other.'] } };
    emulator.usual = { refusal: openAiChat(KEY).refused(529) };
    const urls = { OPENAI_BASE_URL: emulator.url, ANTHROPIC_BASE_URL: anthropic.url };
    const models = modelsOf({ OPENAI_API_KEY: KEY, ANTHROPIC_API_KEY: KEY, ...urls }, { clock, fetch });
    const list = models.resolve({ provider: 'openai', model: null }, [
      { provider: 'groq', model: null },
      { provider: 'anthropic', model: null },
    ]);
    const { text, finish } = await answerOf(list);
    expect(text).toBe('From the other.');
    expect(finish?.answeredBy).toEqual({ provider: 'anthropic', model: 'claude-haiku-4-5' });
    models.close();
    await anthropic.close();
  });

  it.each([
    [{ provider: 'openia', model: null }, 'unknown_provider'],
    [{ provider: 'anthropic', model: null }, 'not_configured'],
    [{ provider: 'azure', model: 'm' }, 'not_configured'],
    [{ provider: 'ollama', model: null }, 'no_model'],
    [{ provider: 'custom', model: null }, 'no_url'],
    [{ provider: 'openai', model: null }, null],
  ])('say of %o what is wrong with it: %s', (choice, reason) => {
    const models = modelsOf(
      { OPENAI_API_KEY: KEY, OLLAMA_BASE_URL: emulator.url, AZURE_API_KEY: KEY },
      { clock, fetch },
    );
    expect(models.problemOf(choice)?.reason ?? null).toBe(reason);
  });

  it('are listed, with what is configured and what is used where nothing is named', () => {
    const models = modelsOf({ GOOGLE_API_KEY: KEY }, { clock, fetch }, ['@ai-sdk/amazon-bedrock']);
    const listings = new Map(models.listings().map((listing) => [listing.name, listing]));
    expect(listings.get('google')).toEqual({
      name: 'google',
      configured: true,
      missing: [],
      defaultModel: 'gemini-2.5-flash',
    });
    expect(listings.get('openai')).toEqual({
      name: 'openai',
      configured: false,
      missing: ['OPENAI_API_KEY'],
      defaultModel: 'gpt-4.1',
    });
    expect(models.listingsWithKey().map(({ name }) => name)).toEqual(['google']);
    expect(listings.get('amazon-bedrock')).toMatchObject({ configured: true, defaultModel: null });
  });

  it('can be checked without a cost', async () => {
    const models = modelsOf({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: emulator.url }, { clock, fetch });
    await models.check('openai');
    expect(emulator.last).toMatchObject({ method: 'GET', path: '/v1/models' });
    const refusing = () =>
      Promise.resolve(new Response('{"error":{"code":"invalid_api_key"}}', { status: 401 }));
    const wrong = modelsOf({ OPENAI_API_KEY: KEY }, { clock, fetch: refusing });
    await expect(wrong.check('openai')).rejects.toMatchObject({ failure: 'refused_credentials' });
  });

  it.each([
    ['openai', { data: [{ id: 'gpt-4.1' }, { id: 'gpt-5' }] }, null],
    ['openai', { data: [{ id: 'gpt-5' }] }, 'openai has no model gpt-4.1'],
    ['openai', { data: [] }, null],
    ['openai', { data: [{ id: 'gpt-5' }], has_more: true }, null],
    ['anthropic', { data: [{ type: 'model', id: 'other' }], has_more: false }, /^anthropic has no model/],
    ['google', { models: [{ name: 'models/other' }] }, /^google has no model/],
    ['google', { models: [{ name: 'models/other' }], nextPageToken: 'x' }, null],
    ['azure', { data: [{ id: 'gpt-4o-2024-11-20' }] }, null],
    ['openai', 'a server with a page of its own', null],
  ])('miss the usual model in the list of %s where it is not there: %j', async (name, list, problem) => {
    const environment = {
      OPENAI_API_KEY: KEY,
      ANTHROPIC_API_KEY: KEY,
      GOOGLE_API_KEY: KEY,
      AZURE_API_KEY: KEY,
      AZURE_BASE_URL: 'https://x.openai.azure.com/openai/v1',
      AZURE_MODEL: 'my-deployment',
    };
    const body = typeof list === 'string' ? list : JSON.stringify(list);
    const models = modelsOf(environment, { clock, fetch: () => Promise.resolve(new Response(body)) });
    const checked = models.check(name);
    if (problem === null) await expect(checked).resolves.toBeUndefined();
    else await expect(checked).rejects.toThrow(problem);
  });
});

describe('a further package of the AI SDK', () => {
  const packages = ['@vendor/new-models'];
  const load = (specificationVersion: string) => async () => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    return {
      createNewModels: (options: { fetch: typeof fetch }) => ({
        languageModel: (id: string) =>
          Object.assign(
            createOpenAICompatible({ name: 'x', baseURL: emulator.url, apiKey: KEY, ...options })(id),
            { specificationVersion },
          ),
      }),
    };
  };

  it('is a provider of its own', async () => {
    const models = modelsOf({}, { clock, fetch, importPackage: load('v3') }, packages);
    expect(await answerOf(models.resolve({ provider: 'new-models', model: 'm' }))).toMatchObject({
      text: 'Hello.',
    });
  });

  it.each([
    ['is not installed', undefined],
    ['is of another line of the AI SDK', load('v4')],
    ['has no function that makes a provider', () => Promise.resolve({})],
  ])('says that it %s', async (words, importPackage) => {
    const models = modelsOf({}, { clock, fetch, ...(importPackage && { importPackage }) }, packages);
    const { error } = await answerOf(models.resolve({ provider: 'new-models', model: 'm' }));
    expect(String(error)).toContain(words);
  });

  it('are loaded at the start, also where one of them cannot be', async () => {
    const loaded: string[] = [];
    const importPackage = async (name: string) => {
      if (name === 'broken-models') throw new SyntaxError('a package that is none');
      loaded.push(name);
      return {};
    };
    const models = modelsOf({}, { clock, fetch, importPackage }, ['broken-models', ...packages]);
    await expect(models.warmUp()).rejects.toMatchObject({
      errors: [{ message: 'broken-models cannot be loaded (SyntaxError)' }],
    });
    expect(loaded).toEqual(packages);
  });
});
