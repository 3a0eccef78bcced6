import { BUILT_IN_ONLY } from './known-providers.js';
import { createIds } from '#kernel/ids/ids.js';
import { Batches } from '#batches/changes/batches.js';
import type { BatchResource } from '#batches/changes/batch-resource.js';
import { batchLoadTransactions } from '#batches/intake/batch-load-store.js';
import { DowntimeGap } from '#batches/dispatch/downtime-gap.js';
import { BatchDispatcher } from '#batches/dispatch/batch-dispatcher.js';
import { forecast } from '#batches/preflight/preflight.js';
import { Preflights } from '#batches/preflight/preflights.js';
import { readIntake, type Intake } from '#batches/intake/intake.js';
import { batchTxContext } from '#batches/record/batch-progress.js';
import type { CallToHangUp, HandleChange } from '#batches/scheduled-calls/handle-change.js';
import { recipientChangeTransactions } from '#batches/scheduled-calls/recipient-changes.js';
import { batchEndOwner } from '#batches/settling/batch-ends.js';
import { CallEndWork } from '#calls/end-delivery/call-end-work.js';
import { callEndTransactions } from '#calls/end-delivery/call-end-store.js';
import { endingTransactions } from '#calls/endings/ending-store.js';
import type { EndedReason } from '#calls/record/ended-reason.js';
import { createTxContexts } from '#calls/endings/tx-contexts.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import { suppressionTransactions } from '#policy/suppressions/suppression-store.js';
import type { Counters } from '#metrics/counters.js';
import type { Store } from '#store/store.js';
import { StoreMeter } from '#store/store-meter.js';
import { batchLookTransactions, type LookedAtCall } from './batch-look-transactions.js';
import { FakeClock } from './fake-clock.js';
import { LENIENT_RULES } from './lenient-rules.js';
import { createMemoryLog } from './memory-log.js';
import { PRINCIPAL } from './principal.js';
import { openTestStore } from './store.js';

const NO_LINKS = { recordingUrl: '', transcriptUrl: '' };

/** Batches on a real database and a fake clock; the test takes the dialler's part. */
export class BatchRig {
  readonly clock = new FakeClock();
  readonly ids = createIds(this.clock);
  readonly txContexts = createTxContexts({ clock: this.clock, links: () => NO_LINKS });
  readonly logLines: Record<string, unknown>[];
  readonly store: Store;
  readonly batches: Batches;
  readonly #preflights: Preflights;
  readonly #downtime: DowntimeGap;
  /** True if downtimes of the service are tracked. */
  #isWatched = false;
  readonly #dispatcher: BatchDispatcher;
  readonly #ends: CallEndWork;

  /** The counters of the store. */
  readonly counters: Counters;
  readonly rules: PolicyRules;

  private constructor(store: Store, counters: Counters, rules: PolicyRules) {
    this.counters = counters;
    this.rules = rules;
    const { log, lines } = createMemoryLog();
    this.logLines = lines;
    this.store = store;
    const { clock, ids, txContexts } = this;
    this.batches = this.#batchesOn(store);
    this.#preflights = new Preflights({
      store,
      clock,
      reader: { forecast: async (task) => forecast(task) },
      settings: {
        defaultTimezone: 'UTC',
        planningHorizonDays: 3_653,
        rules,
        callsPerSecond: Number.POSITIVE_INFINITY,
        maxConcurrentCalls: 50,
      },
    });
    this.#downtime = new DowntimeGap({ store, clock, log, rules });
    const beforeDispatch = async () => {
      if (this.#isWatched) await this.#downtime.checkIfStale();
    };
    this.#dispatcher = new BatchDispatcher({
      store,
      clock,
      ids,
      log,
      txContexts,
      rules,
      wakeDialler: () => {},
      beforeDispatch,
    });
    this.#ends = new CallEndWork(batchEndOwner({ store, clock, ids, wakeDispatcher: () => {} }), {
      store,
      log,
    });
  }

  static async open(rules: Partial<PolicyRules> = {}, at: { databaseUrl?: string } = {}): Promise<BatchRig> {
    const meter = new StoreMeter();
    const store = await openTestStore({ meter, ...at });
    return new BatchRig(store, meter.counters, { ...LENIENT_RULES, ...rules });
  }

  /** Adds a number to the suppression list. */
  async suppress(phoneNumber: string): Promise<void> {
    const at = this.clock.wallMs();
    await this.store.write(suppressionTransactions.addSlice, {
      entries: [
        {
          id: this.ids.next('sup'),
          workspace: PRINCIPAL.workspace,
          phoneNumber,
          reason: 'opt_out',
          source: 'api',
          note: null,
          callId: null,
          expiresAt: null,
          at,
        },
      ],
    });
  }

  /** Starts creating a batch like a process that dies before it is complete. */
  async dieWhileMaking(numbers: number): Promise<void> {
    const batches = this.#maker(async (unit) => {
      if (unit === batchLoadTransactions.finish) throw new Error('killed');
    });
    const made = batches.create(PRINCIPAL, intakeOf({ to_number: numbersOf(numbers) }), () => null);
    await made.catch(() => {});
  }

  /** Creates a batch like a process that stalls before one of its writes, counted from 0. */
  async standStillWhileMaking(
    numbers: number,
    at: number,
    meanwhile: () => Promise<unknown>,
  ): Promise<unknown> {
    let writes = 0;
    const batches = this.#maker(async () => {
      if (writes === at) await meanwhile();
      writes += 1;
    });
    return batches.create(PRINCIPAL, intakeOf({ to_number: numbersOf(numbers) }), () => null);
  }

  /** Batches of another process. @param before called before each write */
  #maker(before: (transaction: unknown) => Promise<void>): Batches {
    const store: Store = {
      read: this.store.read.bind(this.store),
      listen: this.store.listen.bind(this.store),
      backup: this.store.backup,
      close: this.store.close,
      write: async (unit, args) => {
        await before(unit);
        return this.store.write(unit, args);
      },
    };
    return this.#batchesOn(store);
  }

  #batchesOn(store: Store): Batches {
    const { clock, ids, txContexts, rules } = this;
    return new Batches({
      store,
      clock,
      ids,
      txContexts,
      defaults: {
        fromNumber: '+15550000000',
        carrierName: 'test',
        recordStorage: 'local',
        providers: BUILT_IN_ONLY,
      },
      wakeDispatcher: () => {},
      closeOff: async () => {},
      settings: { defaultTimezone: 'UTC', planningHorizonDays: 3_653, rules },
    });
  }

  /** Creates a batch of this many numbers, or of these numbers. */
  make(numbers: number | readonly string[], fields: object = {}): Promise<BatchResource> {
    const list = typeof numbers === 'number' ? numbersOf(numbers) : numbers;
    return this.batches.create(PRINCIPAL, intakeOf({ to_number: list, ...fields }), () => null);
  }

  /** Changes one number of a batch. */
  changeNumber(batchId: string, callId: string, change: HandleChange): Promise<CallToHangUp> {
    const args = { batchId, callId, change, rules: this.rules, ...this.momentsOf(callId) };
    return this.store.write(recipientChangeTransactions.change, args);
  }

  /** Transaction contexts of the present time, for a batch and for one of its calls. */
  momentsOf(callId: string) {
    const now = () => batchTxContext(this.ids, this.clock.wallMs());
    return { context: now(), endContext: now(), callContext: this.txContexts.now(callId) };
  }

  /** The preflight of a batch. */
  forecast(body: object): ReturnType<Preflights['forecast']> {
    return this.#preflights.forecast(PRINCIPAL, intakeOf(body));
  }

  read(id: string): Promise<BatchResource> {
    return this.batches.get(PRINCIPAL, id);
  }

  /** Marks the service as running: at its start, or for another minute. */
  isThere(): Promise<void> {
    this.#isWatched = true;
    return this.#downtime.check();
  }

  /** Performs all due dispatches once; returns their number. */
  async feedOnce(): Promise<number> {
    const batchIds = await this.#dispatcher.claim(100);
    for (const batchId of batchIds) await this.#dispatcher.perform(batchId).catch(() => {});
    return batchIds.length;
  }

  /** Dispatches until no batch is due. */
  async feed(): Promise<void> {
    for (let turns = 0; (await this.feedOnce()) > 0; turns += 1)
      if (turns > 500) throw new Error('the dispatcher never rests');
  }

  nextDispatchAt(): Promise<number | null> {
    return this.#dispatcher.nextDueAt();
  }

  /** Applies the ends of all ended calls to their batches. */
  async settle(): Promise<void> {
    for (let ended = await this.#ends.claim(50); ended.length > 0; ended = await this.#ends.claim(50))
      for (const callId of ended) await this.#ends.perform(callId);
  }

  /** Retries ends that could not be applied, as a start does. */
  async takeUpEnds(): Promise<void> {
    await this.store.write(callEndTransactions.retryDeferred, { owner: 'batch' });
  }

  /** Calls in the dialler's queue, in order. */
  queued(): Promise<LookedAtCall[]> {
    return this.store.read(batchLookTransactions.queued, {});
  }

  /** Calls in progress that have left the queue. */
  live(): Promise<LookedAtCall[]> {
    return this.store.read(batchLookTransactions.live, {});
  }

  /** Queued calls that will have expired after this time. */
  expiring(inMs: number): Promise<string[]> {
    return this.store.read(batchLookTransactions.expiring, { at: this.clock.wallMs() + inMs });
  }

  /** Ends a call, whatever its progress. */
  async end(callId: string, reason: EndedReason): Promise<void> {
    await this.store.write(endingTransactions.finish, {
      callId,
      details: this.txContexts.finish(callId, reason),
    });
  }

  /** Ends all queued calls with this reason; then applies the ends and dispatches. */
  async callAll(reason: EndedReason | ((call: LookedAtCall) => EndedReason)): Promise<LookedAtCall[]> {
    const calls = await this.queued();
    for (const call of calls) await this.end(call.id, typeof reason === 'string' ? reason : reason(call));
    await this.settle();
    await this.feed();
    return calls;
  }

  sql(text: string): Promise<void> {
    return this.store.write(batchLookTransactions.run, { text });
  }

  /** Event types of a batch, in order. */
  events(batchId: string): Promise<string[]> {
    return this.store.read(batchLookTransactions.events, { subjectId: batchId });
  }

  /** The number of rows of every kind that a batch creates. */
  counts() {
    return this.store.read(batchLookTransactions.counts, {});
  }
}

/** `+14151000000` and the following numbers. */
export function numbersOf(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `+1415${1_000_000 + i}`);
}

/** A body as the intake thread reads it. */
function intakeOf(body: unknown): Intake {
  const answer = readIntake({
    mode: 'strict',
    format: 'json',
    body: new TextEncoder().encode(JSON.stringify(body)),
    fields: {},
  });
  if (answer.kind !== 'read') throw new Error(JSON.stringify(answer));
  return answer.intake;
}
