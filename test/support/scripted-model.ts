import { sleep, type Clock } from '#kernel/time/clock.js';
import { ModelError, type ModelFailure, type ModelPart } from '#dialogue/llm/language-model.js';
import type { ModelEvent, ModelSource } from '#dialogue/llm/model-source.js';

/** The next step of a scripted model: an event, a wait in milliseconds, or a failure. */
export type ModelStep = ModelEvent | number | ModelError;

const FINISH: ModelPart = {
  type: 'finish',
  reason: 'stop',
  usage: { inputTokens: null, cachedInputTokens: null, outputTokens: null },
};

/** The steps of a complete answer. */
export const answering = (text: string): ModelStep[] => [
  { type: 'accepted' },
  { type: 'text', text },
  FINISH,
];

export function failing(
  failure: ModelFailure,
  options: { retryable?: boolean; retryAfterMs?: number } = {},
): ModelError {
  const { retryable = false, retryAfterMs = null } = options;
  return new ModelError(`scripted: ${failure}`, { provider: 'scripted', failure, retryable, retryAfterMs });
}

/** A model that follows scripts, one per request, repeating the last; it counts requests. */
export class ScriptedModel implements ModelSource {
  readonly provider: string;
  readonly model = 'm';
  readonly account: string;
  usesOperatorsAccount = true;
  mayBeProbed = true;
  asked = 0;
  readonly #clock: Clock;
  readonly scripts: ModelStep[][];

  constructor(provider: string, clock: Clock, ...scripts: ModelStep[][]) {
    this.provider = provider;
    this.account = provider;
    this.#clock = clock;
    this.scripts = scripts;
  }

  async *open(_request: unknown, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    this.asked += 1;
    const script = this.scripts.length > 1 ? this.scripts.shift()! : this.scripts[0]!;
    for (const step of script) {
      if (signal.aborted) return;
      if (typeof step === 'number') await sleep(this.#clock, step, signal);
      else if (step instanceof ModelError) throw step;
      else yield step;
    }
  }
}
