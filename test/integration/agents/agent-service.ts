import { createAgents, type Agents } from '#agents/definitions/agents.js';
import { AgentTrials } from '#agents/definitions/agent-trials.js';
import type { KnownProviders } from '#providers/choose-providers.js';
import { createPhoneNumbers, type PhoneNumbers } from '#agents/phone-numbers/phone-numbers.js';
import { newWebhookSecret } from '#webhooks/registrations/notification-target.js';
import { agentTrialRoutes } from '#http/routes/agent-trials.js';
import { agentRoutes } from '#http/routes/agents.js';
import { phoneNumberRoutes } from '#http/routes/phone-numbers.js';
import { providerRoutes } from '#http/routes/providers.js';
import { createIds } from '#kernel/ids/ids.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { AUTHORIZED, startTestServer } from '#test/support/server.js';

const BUILT_IN = { name: 'builtin', configured: true };
const PROVIDERS: KnownProviders = {
  ai: [BUILT_IN, { name: 'openai', configured: false }],
  voice: [{ ...BUILT_IN, voices: ['slt', 'rms'], languages: ['en'] }],
  transcription: [{ ...BUILT_IN, languages: ['en'] }],
  whenUnconfigured: 'builtin',
  languages: ['en', 'de', 'es'],
};

/** What the tests look at in bodies of agents, numbers, lists and errors. */
export interface Body {
  id: string;
  code: string;
  updated_at: string;
  is_default: boolean;
  agent_id: string | null;
  backup_agent_id: string | null;
  phone_numbers: string[];
  warnings: { message: string }[];
  data: Body[];
  has_more: boolean;
  next_cursor: string | null;
  details: { field: string }[];
}

/** An answer as the tests look at it. */
export interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: Body;
}

/** A server with the routes of agents and numbers over a fresh database. */
export async function startAgentService() {
  const clock = new FakeClock();
  const ids = createIds(clock);
  const lookups = { checkUrl: async () => {}, newSecret: () => newWebhookSecret(ids) };
  const trials = new AgentTrials(clock);
  let agents!: Agents;
  let phoneNumbers!: PhoneNumbers;
  const service = await startTestServer({
    clock,
    routes(server, store) {
      agents = createAgents({ store, clock, ids, lookups, providers: PROVIDERS, trials });
      phoneNumbers = createPhoneNumbers({ store, clock, ids, lookups, defaultCarrier: 'simulated' });
      void server.register(agentRoutes, {
        agents,
        secrets: { list: () => Promise.resolve([]) },
        defaultTimezone: 'UTC',
      });
      void server.register(agentTrialRoutes, { agents, secrets: { list: () => Promise.resolve([]) } });
      void server.register(phoneNumberRoutes, { phoneNumbers });
      void server.register(providerRoutes, {
        providers: { ...PROVIDERS, telephony: [{ name: 'simulated', configured: true }], storage: [] },
      });
    },
  });

  async function ask(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    payload?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    await clock.advance(1);
    const response = await service.server.inject({
      method,
      url,
      headers: { ...AUTHORIZED, ...headers },
      ...(payload === undefined ? {} : { payload: payload as object }),
    });
    return { status: response.statusCode, headers: response.headers, body: response.json<Body>() };
  }

  return { ...service, clock, ids, agents, trials, phoneNumbers, ask };
}

export type AgentService = Awaited<ReturnType<typeof startAgentService>>;
