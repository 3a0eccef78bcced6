import { DateTime } from 'luxon';
import type { LanguageModel } from '#dialogue/llm/language-model.js';
import { ModelDialogue } from '#dialogue/llm/model-dialogue.js';
import { systemTextOf } from '#dialogue/prompt/system-text.js';
import { TalkMemory } from '#dialogue/talk-memory.js';
import { CallToolbox } from '#dialogue/tools/call-toolbox.js';
import { createIds } from '#kernel/ids/ids.js';
import { createLog } from '#kernel/log/log.js';
import { systemClock as clock } from '#kernel/time/clock.js';
import { createFetch } from '#outbound-http/fetch.js';
import { openHttpPool } from '#outbound-http/pool.js';
import { PlaybookCallerControl } from '#playbook/talk/caller-control.js';
import { openModels } from '#providers/models.js';

const PROMPT = 'You are the receptionist of a clinic. Visits are on weekdays from nine to five. '.repeat(10);

/** A model at an address, through everything that stands between: pool, `fetch`, package, limits and fallback. */
export function modelAt(url: string): LanguageModel {
  const log = createLog('ERROR');
  const fetch = createFetch({ pool: openHttpPool({ clock }) });
  const settings = { 'openai-compatible': { BASE_URL: url, API_KEY: null, MODEL: 'm' } };
  const models = openModels(
    { settings, packages: [] },
    { clock, ids: createIds(clock), log, fetch, guardedFetch: fetch },
  );
  return models.resolve({ provider: 'openai-compatible', model: 'm' });
}

/** The dialogue of an agent with a prompt and every built-in tool. */
export function dialogueWith(model: LanguageModel): ModelDialogue {
  const memory = new TalkMemory({ agent_name: 'Reception' });
  const nothing = () => {};
  const toolbox = new CallToolbox([], {
    memory,
    clock,
    timeZone: 'UTC',
    isReachable: true,
    callId: null,
    filler: () => 'One moment.',
    onFailure: nothing,
    send: () => Promise.reject(new Error('there are no such tools')),
    secrets: async () => ({}),
    sign: async () => ({}),
  });
  const readContext = () => ({ now: DateTime.fromMillis(clock.wallMs()), region: 'US' as const });
  return new ModelDialogue({
    model,
    settings: { temperature: null, maxOutputTokens: 300, reasoningEffort: null, maxContextTokens: 16_000 },
    system: systemTextOf({ systemPrompt: PROMPT, variables: memory.variables }),
    initialMessage: 'Hello, this is the clinic.',
    memory,
    toolbox,
    control: new PlaybookCallerControl({ minConfidence: 0.3, readContext }),
    observer: { onTool: nothing, onModel: nothing },
    preparesReplies: true,
    clock,
    log: createLog('ERROR'),
  });
}
