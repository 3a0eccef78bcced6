import type { KeepAnswer } from '#idempotency/idempotency-store.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Cursor, Page } from '#store/page.js';
import type { Store } from '#store/store.js';
import type { AgentCreate, AgentTrialInput, AgentUpdate } from './agent-input.js';
import { promptOf, type PromptCall } from './agent-prompt.js';
import { agentTransactions, type AgentChanges, type AgentFilter } from './agent-store.js';
import type { AgentTrials } from './agent-trials.js';
import { withLookupUrl, type LookupGate } from './lookup.js';
import { toAgentResource, type AgentRecord, type AgentResource, type AgentRow } from './agent.js';
import type { KnownProviders } from '#providers/choose-providers.js';
import { requireAgentTools } from './require-agent-tools.js';
import { warningsFor } from './agent-warnings.js';

/** Defaults of a new agent. */
const BUILT_IN_PROVIDER = 'builtin';
const DEFAULT_LANGUAGE = 'en-US';
/** The name of an unsaved agent that has none yet. */
const UNSAVED_NAME = 'Unsaved agent';
/** The opening message of a new agent without one. */
const FALLBACK_INITIAL_MESSAGE = 'Hello {{name}}, this is {{agent_name}}.';

/**
 * The operations of the API on agents. Every id is looked up within the workspace: an agent of another workspace is
 * unknown (Problem `agent_not_found`).
 */
export interface Agents {
  /**
   * Creates an agent.
   * @param keep turns the result into the stored answer of an idempotent request
   * @throws Problem `agent_not_found` for an unknown `backup_agent_id`; what {@link LookupGate} throws
   */
  create(workspace: string, input: AgentCreate, keep: KeepAnswer<AgentResource>): Promise<AgentResource>;
  get(workspace: string, id: string): Promise<AgentResource>;
  /** The prompt that the language model of an agent receives in a call with this data. */
  prompt(workspace: string, id: string, call: PromptCall): Promise<ReturnType<typeof promptOf>>;
  list(filter: AgentFilter, cursor: Cursor | null, limit: number): Promise<Page<AgentResource>>;
  /** @throws Problem as the transaction `update` of `agentTransactions`; what {@link LookupGate} throws */
  update(workspace: string, id: string, input: AgentUpdate): Promise<AgentResource>;
  /**
   * Holds an agent for calls without saving it. In a trial of a saved agent the agent has the id of the saved one, so
   * that its calls count as calls of that agent.
   * @throws Problem as `create` and `update` do
   */
  createTrial(workspace: string, input: AgentTrialInput): Promise<AgentTrial>;
  /** @throws Problem `invalid_state` while numbers, other agents, schedules or batches use it, unless `force` */
  remove(workspace: string, id: string, options: { force: boolean }): Promise<void>;
  /** The default agent of the workspace, which is created when it is first needed. */
  ensureDefault(workspace: string): Promise<AgentRow>;
}

/** An agent that can be called for a while under a temporary id. */
export interface AgentTrial {
  id: string;
  agent: AgentResource;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** Creates the operations on agents, for the routes of agents and trials. */
export function createAgents(parts: {
  store: Store;
  clock: Clock;
  ids: Ids;
  providers: KnownProviders;
  lookups: LookupGate;
  /** True if the carrier of outbound calls can join two calls; default true. */
  joinsLegs?: boolean;
  trials: AgentTrials;
}): Agents {
  const { store, clock, ids, providers, lookups, trials, joinsLegs = true } = parts;
  const toResource = (record: AgentRecord, newSecret: string | null = null) =>
    toAgentResource(record, { warnings: warningsFor(record.agent, providers, { joinsLegs }), newSecret });
  const checkLookupUrl = async ({ lookup_url: url }: AgentUpdate) => {
    if (url) await lookups.checkUrl(url);
  };
  return {
    async create(workspace, input, keep) {
      await checkLookupUrl(input);
      const newSecret = lookups.newSecret();
      const agent = newAgent(input, { id: ids.next('agent'), workspace, newSecret, at: clock.wallMs() });
      const resource = toResource({ agent, phoneNumbers: [] }, newSecret);
      requireAgentTools(agent);
      await store.write(agentTransactions.create, { agent, answer: keep(resource) });
      return resource;
    },
    get: async (workspace, id) => toResource(await store.read(agentTransactions.get, { workspace, id })),
    async prompt(workspace, id, call) {
      const { agent } = await store.read(agentTransactions.get, { workspace, id });
      return promptOf(agent, { ...call, at: clock.wallMs() });
    },
    async list(filter, cursor, limit) {
      const page = await store.read(agentTransactions.list, { filter, cursor, limit });
      return { items: page.items.map((record) => toResource(record)), next: page.next };
    },
    async update(workspace, id, input) {
      await checkLookupUrl(input);
      const newSecret = lookups.newSecret();
      const args = { workspace, id, changes: changesOf(input), newSecret, at: clock.wallMs() };
      return toResource(await store.write(agentTransactions.update, args), newSecret);
    },
    async createTrial(workspace, { agent_id: agentId, ...input }) {
      await checkLookupUrl(input);
      // The call is requested with this id; the row of a saved agent keeps its own.
      const id = ids.next('trial');
      const saved = agentId ? await store.read(agentTransactions.get, { workspace, id: agentId }) : null;
      const agent: AgentRow = saved
        ? { ...saved.agent, ...changesOf(input) }
        : newAgent({ ...input, name: input.name ?? UNSAVED_NAME }, { id, workspace, at: clock.wallMs() });
      requireAgentTools(agent);
      const resource = toResource({ agent, phoneNumbers: saved?.phoneNumbers ?? [] });
      return { id, agent: resource, expiresAt: trials.add(id, agent) };
    },
    remove: (workspace, id, { force }) =>
      store.write(agentTransactions.remove, { workspace, id, force, at: clock.wallMs() }),
    ensureDefault: (workspace) =>
      store.write(agentTransactions.ensureDefault, { workspace, at: clock.wallMs() }),
  };
}

/** The row of a new agent, with defaults for omitted fields. */
function newAgent(
  input: AgentCreate,
  creation: { id: string; workspace: string; newSecret?: string; at: number },
): AgentRow {
  return {
    id: creation.id,
    workspace: creation.workspace,
    name: input.name,
    initial_message: input.initial_message ?? FALLBACK_INITIAL_MESSAGE,
    ai_provider: input.ai_provider ?? BUILT_IN_PROVIDER,
    voice_provider: input.voice_provider ?? BUILT_IN_PROVIDER,
    transcription_provider: input.transcription_provider ?? null,
    system_prompt: input.system_prompt ?? null,
    model: input.model ?? null,
    model_settings: input.model_settings ?? {},
    fallbacks: input.fallbacks ?? {},
    turn_taking: input.turn_taking ?? {},
    voice: input.voice ?? null,
    voice_settings: input.voice_settings ?? {},
    language: input.language ?? input.languages?.[0] ?? DEFAULT_LANGUAGE,
    languages: input.languages ?? [],
    tools: input.tools ?? [],
    playbook: input.playbook ?? null,
    status: input.status ?? 'active',
    is_default: input.is_default ?? false,
    backup_agent_id: input.backup_agent_id ?? null,
    missing_variables: input.missing_variables ?? 'warn',
    region: input.region ?? null,
    voicemail: input.voicemail ?? { action: 'hang_up' },
    // A trial has no secret: no lookup is made for it.
    ...withLookupUrl({ lookup_url: null, lookup_secret: null }, input.lookup_url, creation.newSecret ?? ''),
    metadata: input.metadata ?? {},
    created_at: creation.at,
    updated_at: creation.at,
    deleted_at: null,
  };
}

/** Columns that a `null` empties; in any other column a `null` changes nothing. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set<keyof AgentChanges>([
  'transcription_provider',
  'system_prompt',
  'model',
  'voice',
  'playbook',
  'backup_agent_id',
  'region',
  'lookup_url',
]);

/** The columns that a request changes. */
function changesOf(input: AgentUpdate): AgentChanges {
  const changes = Object.entries(input).filter(
    ([field, value]) => value !== undefined && (value !== null || MAY_BE_EMPTY.has(field)),
  );
  return Object.fromEntries(changes);
}
