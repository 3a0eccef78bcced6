import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LanguageModel, ModelMessage, ModelPart, ModelTool } from '#dialogue/llm/language-model.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { answerOf, modelRequest, modelsOf } from '#test/support/models-rig.js';
import { FakeClock } from '#test/support/fake-clock.js';
import {
  ModelEmulator,
  type ModelDialect,
  type ReceivedRequest,
} from '#test/support/emulators/models/model-emulator.js';
import type { ModelChoice } from '#providers/provider-definition.js';

/** An adapter and the emulator of its service. */
export interface TestedModel {
  dialect: ModelDialect;
  key: string | null;
  environment(url: string): Record<string, string>;
  choice(url: string): ModelChoice;
}

/** Text that must never appear in an error message. */
const SECRET_WORDS = 'my card number is four one one one';
/** For dialects that read the request when they answer. */
const ANY_REQUEST = { path: '', body: {} } as ReceivedRequest;
const FIND_SLOT: ModelTool = {
  name: 'find_slot',
  description: 'Free visits on a day.',
  parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
};

/** The contract of every language model, whatever the provider. */
export function describeLanguageModel(name: string, tested: TestedModel): void {
  describe(`the language model of ${name}`, () => {
    let clock: FakeClock;
    let emulator: ModelEmulator;
    let model: LanguageModel;
    let memory: ReturnType<typeof createMemoryLog>;
    beforeEach(async () => {
      clock = new FakeClock();
      memory = createMemoryLog();
      emulator = await ModelEmulator.open(tested.dialect, clock);
      const models = modelsOf(tested.environment(emulator.url), { clock, fetch, log: memory.log });
      model = models.resolve(tested.choice(emulator.url));
    });
    afterEach(() => emulator.close());

    it('gives its text out as it comes, and then that it is complete, with its counts', async () => {
      const words = ['Good ', 'morning', '. Grüße!'];
      const parts: ModelPart[] = [];
      let wake = () => {};
      // Each piece is sent after the one before it was read.
      const holds = async (event: string) => {
        const before = words.findIndex((word) => event.includes(word));
        while (parts.length < before) await new Promise<void>((resolve) => (wake = resolve));
      };
      emulator.next({ turn: { text: words }, holds });
      for await (const part of model.stream(modelRequest(), new AbortController().signal)) {
        parts.push(part);
        wake();
      }
      expect(parts.slice(0, -1)).toEqual(words.map((text) => ({ type: 'text', text })));
      const usage = { inputTokens: 20, cachedInputTokens: 8, outputTokens: 5 };
      expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'stop', usage });
    });

    it.each(['bytes', 'one packet'] as const)('reads what comes as %s', async (pieces) => {
      emulator.next({ turn: { text: ['Grüße', ' aus Köln'] }, pieces });
      const { text, finish } = await answerOf(model);
      expect([text, finish?.reason]).toEqual(['Grüße aus Köln', 'stop']);
    });

    it('never speaks what the model thinks', async () => {
      emulator.next({ turn: { reasoning: ['The caller wants ', 'a visit.'], text: ['Of course.'] } });
      expect(await answerOf(model)).toMatchObject({ text: 'Of course.', error: null });
    });

    it('gives out calls of tools whole, and takes their results back', async () => {
      const calls = [
        { name: 'find_slot', arguments: { day: 'Monday' } },
        { name: 'find_slot', arguments: { day: 'Tuesday' } },
      ];
      emulator.next({ turn: { text: ['One moment.'], calls } });
      const first = await answerOf(model, modelRequest({ tools: [FIND_SLOT] }));
      expect(first.finish?.reason).toBe('tool_calls');
      expect(first.calls.map((call) => JSON.parse(call.arguments) as unknown)).toEqual([
        { day: 'Monday' },
        { day: 'Tuesday' },
      ]);
      expect(new Set(first.calls.map(({ id }) => id)).size).toBe(2);

      const second = await answerOf(model, modelRequest({ tools: [FIND_SLOT], messages: historyOf(first) }));
      expect(second).toMatchObject({ error: null, text: 'Hello.' });
      expect(emulator.last.text).toContain('Free at nine.');
    });

    it('begins with the user where the agent speaks first, and leaves out what is empty', async () => {
      const messages: ModelMessage[] = [
        { role: 'assistant', text: 'Hello, this is the clinic.', toolCalls: [] },
        { role: 'assistant', text: '', toolCalls: [] },
        { role: 'user', text: 'Hi.' },
      ];
      expect((await answerOf(model, modelRequest({ messages }))).error).toBeNull();
      expect((await answerOf(model, modelRequest({ system: '', messages: [] }))).error).toBeNull();
    });

    it('sends back a call of which the arguments were no JSON', async () => {
      const call = { id: 'call_1', name: 'find_slot', arguments: '{"day":' };
      const messages: ModelMessage[] = [
        { role: 'user', text: 'Monday?' },
        { role: 'assistant', text: '', toolCalls: [call] },
        { role: 'tool', results: [{ id: call.id, name: call.name, text: 'The arguments were no JSON.' }] },
      ];
      const { error } = await answerOf(model, modelRequest({ tools: [FIND_SLOT], messages }));
      expect(error).toBeNull();
    });

    it('asks for the temperature and the length that it is told', async () => {
      const settings = { temperature: 0.3, maxOutputTokens: 77, reasoningEffort: null };
      expect((await answerOf(model, modelRequest({ settings }))).error).toBeNull();
      expect(emulator.last.text).toContain('0.3');
      expect(emulator.last.text).toContain('77');
    });

    it('closes its connection at once when it is aborted, and ends without an error', async () => {
      const stop = new AbortController();
      emulator.next({ events: upToText(tested.dialect), staysOpen: true });
      const parts = model.stream(modelRequest(), stop.signal)[Symbol.asyncIterator]();
      expect((await parts.next()).value).toEqual({ type: 'text', text: 'One' });
      const pending = parts.next();
      stop.abort();
      expect(await pending).toEqual({ done: true, value: undefined });
      expect(await emulator.last.closed).toBe(false);
    });

    it('closes its connection when nobody reads on', async () => {
      emulator.next({ events: upToText(tested.dialect), staysOpen: true });
      for await (const part of model.stream(modelRequest(), new AbortController().signal))
        if (part.type === 'text') break;
      expect(await emulator.last.closed).toBe(false);
      expect(clock.armed).toBe(0);
    });

    it('asks for nothing when it was aborted before', async () => {
      expect(await answerOf(model, modelRequest(), AbortSignal.abort())).toMatchObject({
        parts: [],
        error: null,
      });
    });

    it.each([
      [400, 'bad_request', 1],
      [401, 'refused_credentials', 1],
      [403, 'refused_credentials', 1],
      [404, 'unknown_model', 1],
      [429, 'rate_limited', 1],
      [500, 'unavailable', 2],
      [503, 'unavailable', 2],
    ])('is refused with %i: %s, after %i requests', async (status, failure, count) => {
      emulator.usual = { refusal: tested.dialect.refused(status) };
      const { error } = await answerOf(model);
      expect(error).toMatchObject({ failure, retryable: count === 2 });
      expect(emulator.requests).toHaveLength(count);
    });

    it('waits for as long as it is told to, where that is short', async () => {
      const refusal = { ...tested.dialect.refused(429), headers: { 'retry-after': '1' } };
      emulator.next({ refusal }, { turn: { text: ['Here I am.'] } });
      const answer = answerOf(model);
      await emulator.received(1);
      while (clock.nextInMs > 1_000) await clock.advance(0);
      await advanceUntil(clock, emulator.received(2));
      expect((await answer).text).toBe('Here I am.');
    });

    it.each(['fin', 'rst'] as const)(
      'takes a connection that ends by %s after any event for a cut',
      async (by) => {
        const script = { turn: { text: ['One', ' two'] } };
        const events = tested.dialect.eventsOf(script.turn, ANY_REQUEST);
        const ends = events.findIndex((event) => /message_stop|"finish_?[rR]eason":"\w/.test(event));
        for (let after = 0; after < ends; after++) {
          emulator.usual = { ...script, cut: { after, by } };
          const { error, finish } = await answerOf(model);
          expect(finish).toBeNull();
          expect(error).toMatchObject({ failure: 'cut' });
        }
      },
    );

    it('is asked once more where an error comes first, and never after a word', async () => {
      emulator.next({ events: [tested.dialect.errorEvent()] });
      expect(await answerOf(model)).toMatchObject({ text: 'Hello.', error: null });
      expect(emulator.requests).toHaveLength(2);

      let hear = () => {};
      const heard = new Promise<void>((resolve) => (hear = resolve));
      const error = tested.dialect.errorEvent();
      const holds = (event: string) => (event === error ? heard : undefined);
      emulator.next({ events: [...upToText(tested.dialect), error], holds });
      const texts: string[] = [];
      const reading = (async () => {
        for await (const part of model.stream(modelRequest(), new AbortController().signal)) {
          if (part.type === 'text') texts.push(part.text);
          hear();
        }
      })();
      await expect(reading).rejects.toMatchObject({ failure: 'unavailable' });
      expect(texts).toEqual(['One']);
      expect(emulator.requests).toHaveLength(3);
    });

    it.each([
      ['text/html', '<html><body>Bad gateway</body></html>'],
      ['application/json', '{"choices":[]}'],
    ])('takes no %s for an answer', async (contentType, body) => {
      emulator.usual = { contentType, events: [body] };
      expect((await answerOf(model)).error).toMatchObject({ failure: 'bad_answer' });
    });

    it('reads past events that it does not know, and ends where the service keeps the connection', async () => {
      const events = tested.dialect.eventsOf({ text: ['Hello', ' there.'] }, ANY_REQUEST);
      const [first = '', ...rest] = events;
      const unknown = tested.dialect.unknownEvent();
      emulator.next({ events: [unknown, first, ': a comment\n\n', unknown, ...rest] });
      expect(await answerOf(model)).toMatchObject({ text: 'Hello there.', error: null });
    });

    it('says in no error and no log what was said, or which key it has', async () => {
      const messages: ModelMessage[] = [{ role: 'user', text: SECRET_WORDS }];
      const echoed = JSON.stringify({
        error: { message: `${SECRET_WORDS} ${tested.key}`, code: 'invalid_request' },
      });
      for (const refusal of [
        { status: 400, body: echoed },
        { status: 500, body: SECRET_WORDS },
      ]) {
        emulator.usual = { refusal };
        const { error } = await answerOf(model, modelRequest({ messages }));
        expect(error).toBeInstanceOf(Error);
        const shown = JSON.stringify([
          String(error),
          memory.lines,
          (error as Error).cause,
          (error as Error).stack,
        ]);
        expect(shown).not.toContain(SECRET_WORDS);
        expect(shown).not.toContain(tested.key ?? SECRET_WORDS);
      }
    });
  });
}

/** An answer from its beginning to its first word. */
function upToText(dialect: ModelDialect): string[] {
  const events = dialect.eventsOf({ text: ['One'] }, ANY_REQUEST);
  return events.slice(0, 1 + events.findIndex((event) => event.includes('One')));
}

/** A conversation in which the tools of an answer have run. */
function historyOf({ text, calls, finish }: Awaited<ReturnType<typeof answerOf>>): ModelMessage[] {
  return [
    { role: 'user', text: 'Monday or Tuesday?' },
    { role: 'assistant', text, toolCalls: calls, providerData: finish?.providerData },
    { role: 'tool', results: calls.map(({ id, name }) => ({ id, name, text: 'Free at nine.' })) },
  ];
}

/** Lets time pass until a promise settles that time alone does not settle. */
async function advanceUntil(clock: FakeClock, happened: Promise<unknown>): Promise<void> {
  let isDone = false;
  void happened.then(() => (isDone = true));
  while (!isDone) await clock.advance(50);
}
