import { describe, expect, it } from 'vitest';
import { ModelError, type LanguageModel, type ModelUsage } from '#dialogue/llm/language-model.js';
import { FakeClock } from '#test/support/fake-clock.js';
import {
  modelRecordings,
  RECORDINGS_FOLDER,
  recordedRefusals,
  textAsIn,
  type ModelRecording,
} from '#test/support/model-recordings.js';
import { answerOf, modelsOf } from '#test/support/models-rig.js';
import { CUTTINGS, packetsOf, replayingFetch } from '#test/support/replayed-stream.js';

/** Which provider reads the recordings of which service, and how that is set up. */
const READERS: Record<string, { provider: string; model: string }> = {
  anthropic: { provider: 'anthropic', model: 'claude-haiku-4-5' },
  google: { provider: 'google', model: 'gemini-2.5-flash' },
  'openai-chat': { provider: 'openai', model: 'gpt-4.1' },
  'openai-compatible': { provider: 'openai-compatible', model: 'any' },
  deepseek: { provider: 'deepseek', model: 'any' },
  groq: { provider: 'groq', model: 'any' },
  mistral: { provider: 'mistral', model: 'any' },
  xai: { provider: 'xai', model: 'any' },
};

const ENVIRONMENT = {
  OPENAI_API_KEY: 'k',
  ANTHROPIC_API_KEY: 'k',
  GEMINI_API_KEY: 'k',
  OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:9/v1',
  DEEPSEEK_API_KEY: 'k',
  GROQ_API_KEY: 'k',
  MISTRAL_API_KEY: 'k',
  XAI_API_KEY: 'k',
};

const FINISH_REASONS: Record<string, string> = {
  end_turn: 'stop',
  stop: 'stop',
  STOP: 'stop',
  tool_use: 'tool_calls',
  tool_calls: 'tool_calls',
  max_tokens: 'length',
  refusal: 'content_filter',
};

function readerOf(service: string, fetch: typeof globalThis.fetch): LanguageModel {
  return modelsOf(ENVIRONMENT, { clock: new FakeClock(), fetch }).resolve(READERS[service]!);
}

/** What the providers' own counts come to in ours. */
function usageOf(usage: Record<string, unknown> | null): ModelUsage {
  const number = (field: string) => (usage?.[field] as number | undefined) ?? 0;
  if (usage === null) return { inputTokens: null, cachedInputTokens: null, outputTokens: null };
  const details = usage['prompt_tokens_details'] as { cached_tokens?: number } | undefined;
  if ('input_tokens' in usage) {
    const cached = number('cache_read_input_tokens');
    const inputTokens = number('input_tokens') + number('cache_creation_input_tokens') + cached;
    return { inputTokens, cachedInputTokens: cached, outputTokens: number('output_tokens') };
  }
  if ('promptTokenCount' in usage)
    return {
      inputTokens: number('promptTokenCount'),
      cachedInputTokens: number('cachedContentTokenCount'),
      outputTokens: number('candidatesTokenCount') + number('thoughtsTokenCount'),
    };
  return {
    inputTokens: number('prompt_tokens'),
    cachedInputTokens: details?.cached_tokens ?? 0,
    outputTokens: number('completion_tokens'),
  };
}

function expectAsRecorded(
  { expect: expected }: ModelRecording,
  answer: Awaited<ReturnType<typeof answerOf>>,
) {
  expect(answer.error).toBeNull();
  expect(textAsIn(expected.text, answer.text)).toEqual(expected.text);
  const calls = answer.calls.map(({ id, name, arguments: text }, i) => ({
    id: expected.toolCalls[i]?.id === null ? null : id,
    name,
    arguments: JSON.parse(text) as unknown,
  }));
  expect(calls).toEqual(
    expected.toolCalls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args })),
  );
  const reason = expected.toolCalls.length > 0 ? 'tool_calls' : FINISH_REASONS[expected.finishReason];
  expect(answer.finish?.reason).toBe(reason);
  expect(answer.finish?.usage).toEqual(usageOf(expected.usage));
}

const MOST_CUTS = 60;

/** After how many lines to cut: all up to `last`, or of a long answer so many, first and last among them. */
function countsUpTo(last: number): number[] {
  const step = Math.max(1, last / MOST_CUTS);
  const counts = Array.from({ length: Math.floor(last / step) }, (_, i) => Math.round(i * step));
  return [...new Set([...counts, last - 1, last])].filter((count) => count >= 0);
}

/** The end mark of each format: after it, an answer is complete. */
const END_MARK = /"finish_reason": ?"\w|"type": ?"message_stop"|"finishReason": ?"\w/;

describe.skipIf(RECORDINGS_FOLDER === null)(
  'recorded answers of models, in the folder that PROVIDER_RECORDINGS names',
  () => {
    const recordings = modelRecordings();

    it('are those of every service', () => {
      expect([...new Set(recordings.map(({ service }) => service))].sort()).toEqual(
        Object.keys(READERS).sort(),
      );
    });

    describe.each(recordings)('$file', (recording) => {
      it.each(CUTTINGS)('is read %s', async (cutting) => {
        const model = readerOf(recording.service, replayingFetch(packetsOf(recording.events, cutting)));
        expectAsRecorded(recording, await answerOf(model));
      });

      it.each([
        ['ends', false],
        ['breaks', true],
      ])(
        'is a cut answer where the connection %s after any line of it before the mark',
        async (_how, breaks) => {
          const lines = recording.events.join('').split(/(?<=\n)/);
          const marked = lines.findIndex((line) => END_MARK.test(line));
          expect(marked).toBeGreaterThan(0);
          for (const count of countsUpTo(marked)) {
            const fetch = replayingFetch([Buffer.from(lines.slice(0, count).join(''))], { breaks });
            const { error, finish } = await answerOf(readerOf(recording.service, fetch));
            expect(finish, `after ${count} lines`).toBeNull();
            expect(error, `after ${count} lines`).toMatchObject({ name: 'ModelError', failure: 'cut' });
          }
        },
      );
    });

    it.each(recordedRefusals())('$file is a refusal', async ({ service, body, status }) => {
      const fetch = () => Promise.resolve(new Response(body, { status }));
      const { error } = await answerOf(readerOf(service, fetch));
      expect(error).toBeInstanceOf(ModelError);
      const long = { failure: 'rate_limited', retryable: false, retryAfterMs: 34_400 };
      expect(error).toMatchObject(status === 429 ? long : { failure: 'bad_request', retryable: false });
    });
  },
);
