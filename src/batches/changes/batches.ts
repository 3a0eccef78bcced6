import type { KeepAnswer } from '#idempotency/idempotency-store.js';
import type { Principal } from '#access/keys/principal.js';
import { requireOwnCallerId } from '#agents/phone-numbers/caller-id.js';
import { MissingVariables, requireVariables } from '#agents/definitions/missing-variables.js';
import type { CallDefaults } from '#calls/requests/draft-call.js';
import type { TxContexts } from '#calls/endings/tx-contexts.js';
import { toInstant, type Clock } from '#kernel/time/clock.js';
import { withWarnings } from '#kernel/input/request-warnings.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Cursor, Page } from '#store/page.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { Store } from '#store/store.js';
import {
  batchLoadTransactions,
  newRecipient,
  type BatchDraft,
  type LoadSlice,
} from '#batches/intake/batch-load-store.js';
import type { BatchHeader } from '#batches/intake/batch-request.js';
import { NUMBERS_SHOWN, toBatchResource, type BatchResource } from './batch-resource.js';
import { batchTransactions, type BatchFilter } from './batch-store.js';
import type { RecipientRow } from '#batches/record/batch.js';
import type { Intake, IntakeRecipient } from '#batches/intake/intake.js';
import { settleEndsOf } from '#batches/settling/batch-ends.js';
import { INITIAL_STATE } from '#batches/settling/circuit-breaker.js';
import { preflightTransactions } from '#batches/preflight/preflight-store.js';
import { readScheduledTime, zoneToStore } from '#calls/requests/scheduled-time.js';

/** The time without a new slice after which a batch counts as abandoned by its request. */
const GIVEN_UP_AFTER_MS = 60_000;

/** The fields that all slices of a batch share. */
type SharedLoad = Omit<LoadSlice, 'text' | 'callIds' | 'firstPosition' | 'context' | 'giveUpAt'>;

/** The dependencies of {@link Batches}. */
export interface BatchesContext {
  store: Store;
  clock: Clock;
  ids: Ids;
  txContexts: TxContexts;
  defaults: CallDefaults;
  /** Wakes the dispatcher for a batch, at an instant (epoch milliseconds). */
  wakeDispatcher(at: number): void;
  /** Closes the waiting numbers of a cancelled batch. */
  closeOff(batchId: string): Promise<void>;
  settings: { defaultTimezone: string; planningHorizonDays: number; rules: PolicyRules };
}

/** The commands on batches, for the HTTP routes. An unknown batch is the problem `batch_not_found`. */
export class Batches {
  readonly #parts: BatchesContext;

  constructor(parts: BatchesContext) {
    this.#parts = parts;
  }

  /**
   * Accepts a batch: stored durably and whole when this resolves. Its rows are written in slices, so that neither this
   * thread nor other users of the database wait long.
   * @param keep makes the response that is stored for a repeated request with the same idempotency key
   */
  async create(
    principal: Principal,
    intake: Intake,
    keep: KeepAnswer<BatchResource>,
  ): Promise<BatchResource> {
    const { store, clock, defaults, settings, wakeDispatcher } = this.#parts;
    const { header } = intake;
    const now = clock.wallMs();
    const draft = this.#draft(principal, intake, now);
    await this.#requireOwnCallerId(principal, header);
    const { agent, needed } = await store.write(batchLoadTransactions.begin, {
      batch: draft,
      agentId: header.agent_id ?? null,
      transcriptionProvider: header.transcription_provider ?? null,
      providers: defaults.providers,
    });
    const shared = {
      batchId: draft.id,
      plan: sharedPlan(draft, header),
      defaults: { ...defaults, fromNumber: draft.from_phone },
      agent,
      needed: needed.names,
      rules: settings.rules,
    };
    const { firstRecipients, missingVariables } = await this.#load(intake, shared, now);
    const missingWarnings = missingVariables.warnings();
    // A batch that is refused here stays incomplete, and is deleted as abandoned.
    requireVariables(needed, missingWarnings);
    const { id: agentId, name: agentName, language } = agent;
    const withAgent = { ...draft, agent_id: agentId, agent_name: agentName, language };
    const view = {
      // The status that `finish` stores below.
      batch: { ...withAgent, status: 'scheduled' as const },
      recipients: firstRecipients,
      hasMore: draft.total_numbers > firstRecipients.length,
    };
    const resource = withWarnings(toBatchResource(view), [...intake.warnings, ...missingWarnings]);
    await store.write(batchLoadTransactions.finish, {
      workspace: principal.workspace,
      batchId: draft.id,
      feedAt: Math.max(now, draft.scheduled_at),
      answer: keep(resource),
      rejected: intake.rejected,
    });
    wakeDispatcher(draft.scheduled_at);
    return resource;
  }

  /** Writes the numbers, slice by slice. Returns the first recipients, and the rows that lack variables. */
  async #load(
    intake: Intake,
    shared: SharedLoad,
    now: number,
  ): Promise<{ firstRecipients: RecipientRow[]; missingVariables: MissingVariables }> {
    const { store, ids, clock, txContexts } = this.#parts;
    const missingVariables = new MissingVariables();
    const firstRecipients: RecipientRow[] = [];
    let position = 0;
    for (const slice of intake.slices) {
      const load: LoadSlice = {
        ...shared,
        text: slice.text,
        callIds: Array.from({ length: slice.count }, () => ids.next('call')),
        firstPosition: position,
        context: { ...txContexts.unannounced(), at: now },
        giveUpAt: clock.wallMs() + GIVEN_UP_AFTER_MS,
      };
      for (const { names, row } of await store.write(batchLoadTransactions.load, load))
        missingVariables.add(names, row);
      if (firstRecipients.length < NUMBERS_SHOWN)
        firstRecipients.push(...recipientsOf(load, NUMBERS_SHOWN - firstRecipients.length));
      position += slice.count;
    }
    return { firstRecipients, missingVariables };
  }

  /**
   * Checks the fields of a batch that need the clock or the database, without creating anything, for a preflight and a
   * dry run.
   * @throws Problem as {@link create} would: `invalid_time`, `agent_not_found`, or for a caller id that is not allowed
   */
  async check({ workspace }: Principal, { header }: Intake): Promise<void> {
    const { store, clock } = this.#parts;
    this.#scheduledAt(header, clock.wallMs());
    await this.#requireOwnCallerId({ workspace }, header);
    const { agent_id: agentId } = header;
    if (agentId !== undefined) await store.read(preflightTransactions.neededBy, { workspace, agentId });
  }

  /** One batch, with its first recipients. */
  async get(principal: Principal, id: string): Promise<BatchResource> {
    const { workspace } = principal;
    const view = await this.#parts.store.read(batchTransactions.view, { workspace, id });
    return toBatchResource(view);
  }

  /** A page of batches, newest first. */
  async list(filter: BatchFilter, cursor: Cursor | null, limit: number): Promise<Page<BatchResource>> {
    const page = await this.#parts.store.read(batchTransactions.list, { filter, cursor, limit });
    return { items: page.items.map(toBatchResource), next: page.next };
  }

  /** Pauses a batch; live calls continue. @throws Problem `invalid_state` for a finished batch */
  async pause(principal: Principal, id: string): Promise<BatchResource> {
    const args = { ...this.#key(principal, id), reason: 'paused by request' };
    const view = await this.#parts.store.write(batchTransactions.pause, args);
    this.#parts.wakeDispatcher(args.at);
    return toBatchResource(view);
  }

  /** Resumes a paused batch. @throws Problem `invalid_state` for a finished batch */
  async resume(principal: Principal, id: string): Promise<BatchResource> {
    const args = this.#key(principal, id);
    const view = await this.#parts.store.write(batchTransactions.resume, args);
    this.#parts.wakeDispatcher(args.at);
    return toBatchResource(view);
  }

  /** Cancels a batch; live calls continue. @throws Problem `invalid_state` for a batch that is completed or failed */
  async cancel(principal: Principal, id: string): Promise<BatchResource> {
    const args = this.#key(principal, id);
    await this.#parts.store.write(batchTransactions.cancel, args);
    await this.#parts.closeOff(id);
    this.#parts.wakeDispatcher(args.at);
    return this.get(principal, id);
  }

  /**
   * Requeues the unreached recipients, each phone number once, and returns how many. The ends of calls before this
   * request are settled first.
   */
  async retryFailed(principal: Principal, id: string, keep: KeepAnswer<number>): Promise<number> {
    const { store, wakeDispatcher } = this.#parts;
    await settleEndsOf({ workspace: principal.workspace, id }, this.#parts);
    const args = this.#key(principal, id);
    // Each slice passes on the answer with the count so far; only the last slice, which finds no recipient, stores it.
    let requeued = 0;
    const next = (after: number) =>
      store.write(batchTransactions.retryFailed, { after, answer: keep(requeued), ...args });
    // -1: positions begin at 0.
    for (let slice = await next(-1); slice; slice = await next(slice.upTo)) requeued += slice.requeued;
    if (requeued > 0) wakeDispatcher(args.at);
    return requeued;
  }

  /** The arguments of a transaction on one batch: its key, and the current time. */
  #key(principal: Principal, id: string) {
    return { workspace: principal.workspace, id, at: this.#parts.clock.wallMs() };
  }

  /** The zone in which a time without an offset is read. */
  #zoneOf({ timezone }: BatchHeader): string {
    return timezone ?? this.#parts.settings.defaultTimezone;
  }

  #requireOwnCallerId(
    { workspace }: Pick<Principal, 'workspace'>,
    { from_number: phoneNumber }: BatchHeader,
  ): Promise<void> {
    return requireOwnCallerId(this.#parts, { workspace, phoneNumber, field: 'from_number' });
  }

  /** When the batch runs (epoch milliseconds). @throws Problem `invalid_time` */
  #scheduledAt(header: BatchHeader, now: number): number {
    const { scheduled_time: written } = header;
    const { planningHorizonDays: horizonDays } = this.#parts.settings;
    return written === undefined
      ? now
      : readScheduledTime(written, this.#zoneOf(header), { now, horizonDays });
  }

  /** The row of a new batch, before its agent is known. */
  #draft(principal: Principal, { header, total, duplicates }: Intake, now: number): BatchDraft {
    const { ids, defaults } = this.#parts;
    const { scheduled_time: written } = header;
    const scheduledAt = this.#scheduledAt(header, now);
    return {
      id: ids.next('batch'),
      workspace: principal.workspace,
      name: header.name ?? `Batch ${toInstant(scheduledAt).slice(0, 16).replace('T', ' ')} UTC`,
      status: 'loading',
      shown_status: null,
      pause_reason: null,
      error: null,
      from_phone: header.from_number ?? defaults.fromNumber,
      scheduled_time: written ?? null,
      scheduled_at: scheduledAt,
      timezone: header.timezone ?? null,
      local_timezone: written === undefined ? null : zoneToStore(written, this.#zoneOf(header)),
      max_concurrency: header.max_concurrency,
      call_window: header.call_window ?? null,
      retry_policy: header.retry_policy,
      metadata: header.metadata,
      total_numbers: total,
      waiting: total - duplicates,
      in_flight: 0,
      succeeded: 0,
      failed: 0,
      skipped: duplicates,
      cancelled: 0,
      talk_seconds: 0,
      cost_usd: 0,
      unknown_costs: 0,
      budget_usd: header.budget_usd ?? null,
      ...INITIAL_STATE,
      // The dispatcher deletes the batch then, unless another slice or the end of the load has moved this instant.
      feed_at: now + GIVEN_UP_AFTER_MS,
      initiated_at: null,
      started_at: null,
      ended_at: null,
      created_at: now,
      updated_at: now,
      deleted_at: null,
    };
  }
}

/** The part of the calls' plan that all recipients share. */
function sharedPlan(draft: BatchDraft, header: BatchHeader): LoadSlice['plan'] {
  return {
    workspace: draft.workspace,
    from: draft.from_phone,
    dueAt: draft.scheduled_at,
    scheduledAt: draft.scheduled_at,
    batchId: draft.id,
    options: {
      customer_data: {},
      customer_context: {},
      metadata: {},
      record_call: header.record_call,
      record_storage: header.record_storage,
      enable_transcription: header.enable_transcription,
      transcription_provider: header.transcription_provider,
      timeout_seconds: header.timeout_seconds,
      silence_timeout_seconds: header.silence_timeout_seconds,
      scheduled_time: header.scheduled_time,
      call_window: header.call_window,
    },
  };
}

/** The first rows of a slice as written, which need not be read back for the response. */
function recipientsOf(load: LoadSlice, limit: number): RecipientRow[] {
  const recipients = (JSON.parse(load.text) as IntakeRecipient[]).slice(0, limit);
  return recipients.map((recipient, index) => newRecipient(recipient, index, load));
}
