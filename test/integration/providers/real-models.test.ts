import { describe, expect, it } from 'vitest';
import { createIds } from '#kernel/ids/ids.js';
import { systemClock } from '#kernel/time/clock.js';
import { readProviders } from '#config/provider-settings.js';
import { openModels } from '#providers/models.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { answerOf, modelRequest } from '#test/support/models-rig.js';

/** The real services, as far as keys are in the environment: a tiny prompt each. */
const models = openModels(
  { settings: readProviders(process.env, []), packages: [] },
  {
    clock: systemClock,
    ids: createIds(systemClock),
    log: createMemoryLog().log,
    fetch,
    guardedFetch: fetch,
  },
);
const reached = models
  .listings()
  .filter(({ name }) => models.problemOf({ provider: name, model: null }) === null);

describe.skipIf(reached.length === 0)('real models, of which the environment has keys', () => {
  it.each(reached)('$name answers, and lets itself be checked', async ({ name }) => {
    await models.check(name);
    const messages = [{ role: 'user' as const, text: 'Say "ready" and nothing else.' }];
    const settings = { temperature: null, maxOutputTokens: 64, reasoningEffort: null };
    const answer = await answerOf(
      models.resolve({ provider: name, model: null }),
      modelRequest({ messages, settings }),
    );
    expect(answer.error).toBeNull();
    expect(answer.text).toMatch(/ready/i);
  });
});
