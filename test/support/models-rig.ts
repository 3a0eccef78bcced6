import { readProviders } from '#config/provider-settings.js';
import type { Environment, SettingProblem } from '#config/setting.js';
import type { LanguageModel, ModelPart, ModelRequest, ModelToolCall } from '#dialogue/llm/language-model.js';
import { createIds } from '#kernel/ids/ids.js';
import type { Clock } from '#kernel/time/clock.js';
import { openModels, type Models, type ModelsParts } from '#providers/models.js';
import { createMemoryLog } from './memory-log.js';

/** Language models opened as in the service, from a separate environment. */
export function modelsOf(
  environment: Environment,
  parts: { clock: Clock; fetch: typeof fetch } & Partial<ModelsParts>,
  packages: readonly string[] = [],
): Models {
  const problems: SettingProblem[] = [];
  const settings = readProviders(environment, problems);
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return openModels(
    { settings, packages },
    {
      log: createMemoryLog().log,
      ids: createIds(parts.clock),
      guardedFetch: parts.fetch,
      ...parts,
    },
  );
}

/** A model request with defaults. */
export function modelRequest(changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: 'You are the receptionist.',
    messages: [{ role: 'user', text: 'Hello?' }],
    tools: [],
    settings: { temperature: null, maxOutputTokens: null, reasoningEffort: null },
    ...changes,
  };
}

/** A whole answer. */
export interface WholeAnswer {
  text: string;
  calls: ModelToolCall[];
  finish: Extract<ModelPart, { type: 'finish' }> | null;
  parts: ModelPart[];
  error: unknown;
}

/** Reads an answer to its end or error. */
export async function answerOf(
  model: LanguageModel,
  request: ModelRequest = modelRequest(),
  signal: AbortSignal = new AbortController().signal,
): Promise<WholeAnswer> {
  const answer: WholeAnswer = { text: '', calls: [], finish: null, parts: [], error: null };
  try {
    for await (const part of model.stream(request, signal)) {
      answer.parts.push(part);
      if (part.type === 'text') answer.text += part.text;
      else if (part.type === 'tool_call') answer.calls.push(part.call);
      else answer.finish = part;
    }
  } catch (error) {
    answer.error = error;
  }
  return answer;
}
