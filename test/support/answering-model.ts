import { expect } from 'vitest';
import type {
  LanguageModel,
  ModelMessage,
  ModelPart,
  ModelRequest,
  ModelUsage,
} from '#dialogue/llm/language-model.js';
import { sleep, type Clock } from '#kernel/time/clock.js';

const NO_USAGE: ModelUsage = { inputTokens: null, cachedInputTokens: null, outputTokens: null };

/** One step of an answer: a part, a pause in milliseconds, or an error that ends it. */
export type AnswerStep = ModelPart | number | Error;
/** A whole answer; a string stands for an answer with this text and a finish. */
export type ScriptedAnswer = string | readonly AnswerStep[];

export const text = (words: string): ModelPart => ({ type: 'text', text: words });
export const finish: ModelPart = { type: 'finish', reason: 'stop', usage: NO_USAGE };

/** A tool call; arguments as JSON text, or as a value to be serialised. */
export function callOf(name: string, args: unknown = {}, id = `call_${name}`): ModelPart {
  return {
    type: 'tool_call',
    call: { id, name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  };
}

/** A model that answers by a script and records its requests. */
export interface ScriptedModel extends LanguageModel {
  readonly requests: readonly ModelRequest[];
  /**
   * Malformed requests. They are recorded because a dialogue manager would treat a thrown error as a failure of the
   * model.
   */
  readonly complaints: readonly unknown[];
}

/**
 * @param answer the model's answer to a request; `index` counts from 0
 * @param options.clock for pauses in answers
 */
export function createScriptedModel(
  answer: (request: ModelRequest, index: number) => ScriptedAnswer,
  options: { clock?: Clock } = {},
): ScriptedModel {
  const requests: ModelRequest[] = [];
  const complaints: unknown[] = [];
  function take(request: ModelRequest): ScriptedAnswer {
    requests.push(structuredClone(request));
    try {
      expectWellFormed(request);
      return answer(request, requests.length - 1);
    } catch (error) {
      complaints.push(error);
      throw error;
    }
  }
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
    const scripted = take(request);
    const steps = typeof scripted === 'string' ? [text(scripted), finish] : scripted;
    for (const step of steps) {
      if (signal.aborted) return;
      if (step instanceof Error) throw step;
      if (typeof step === 'number') await sleep(options.clock!, step, signal);
      else yield step;
    }
  }
  return { provider: 'scripted', model: 'script-1', requests, complaints, stream };
}

/** Asserts what every provider requires: the user begins, roles alternate, and each tool call has its result. */
function expectWellFormed({ messages }: ModelRequest): void {
  expect(messages[0]?.role).toBe('user');
  expect(['user', 'tool']).toContain(messages.at(-1)?.role);
  messages.forEach((message, index) => {
    expect(message.role, rolesOf(messages)).not.toBe(messages[index + 1]?.role);
    if (message.role !== 'tool') expect(message).not.toMatchObject({ text: '', toolCalls: [] });
    if (message.role !== 'assistant' || message.toolCalls.length === 0) return;
    const next = messages[index + 1];
    const results = next?.role === 'tool' ? next.results.map(({ id }) => id) : [];
    expect(results).toEqual(message.toolCalls.map(({ id }) => id));
  });
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []));
  const answered = messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
  expect(answered.map(({ id }) => id)).toEqual(calls.map(({ id }) => id));
}

function rolesOf(messages: readonly ModelMessage[]): string {
  return messages.map(({ role }) => role).join(' ');
}
