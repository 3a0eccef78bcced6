import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COUNTED_AS, type RecipientStatus } from '#batches/record/batch-machine.js';
import { restoredTransactions } from '#batches/dispatch/hold-batches.js';
import { batchChangeTransactions } from '#batches/scheduled-calls/batch-changes.js';
import type { EndedReason } from '#calls/record/ended-reason.js';
import { toInstant } from '#kernel/time/clock.js';
import { Problem } from '#kernel/errors/errors.js';
import { STATUS_WORDS, type StatusWord } from '#schedules/record/status-words.js';
import { batchLookTransactions } from '#test/support/batch-look-transactions.js';
import { BatchRig } from '#test/support/batch-rig.js';
import { PRINCIPAL } from '#test/support/principal.js';
import { cases } from '#test/support/tier.js';

const RUNS = cases(3, 8, 50);
const STEPS = 40;
const MINUTE_MS = 60_000;
/** The last number occurs twice. */
const NUMBERS = ['+14151000000', '+14151000001', '+14151000002', '+14151000003', '+14151000000'];
const RETRIES = { max_retries: 1, retry_delay: 60, retry_on: ['busy', 'no_answer', 'failed'] };
const REASONS: EndedReason[] = ['customer_hangup', 'busy', 'no_answer', 'voicemail', 'server_crash'];
const UNDIALLED: EndedReason[] = ['expired', 'no_capacity', 'cancelled', 'suppressed'];
const WORDS: StatusWord[] = ['scheduled', 'paused', 'cancelled', 'completed'];

/** Possible steps; numbers are indices into what exists. */
type Step =
  | { step: 'feed' | 'settle' | 'dial' | 'pause' | 'resume' | 'retryFailed' | 'cancel' }
  | { step: 'refuse' | 'putOff' | 'hold' }
  | { step: 'end'; reason: EndedReason; which: number }
  | { step: 'pass' | 'putBatch'; minutes: number }
  | { step: 'putTime'; minutes: number; which: number }
  | { step: 'putBoth'; minutes: number; word: StatusWord; which: number }
  | { step: 'putStatus'; word: StatusWord; which: number };

const which = fc.nat(4);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 9, arbitrary: fc.record({ step: fc.constantFrom('feed', 'dial', 'settle') }) },
  {
    weight: 5,
    arbitrary: fc.record({
      step: fc.constant('end'),
      reason: fc.constantFrom(...REASONS, ...UNDIALLED),
      which,
    }),
  },
  { weight: 5, arbitrary: fc.record({ step: fc.constantFrom('pause', 'resume', 'resume', 'retryFailed') }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constantFrom('cancel', 'hold') }) },
  { weight: 3, arbitrary: fc.record({ step: fc.constantFrom('refuse', 'putOff') }) },
  { weight: 3, arbitrary: fc.record({ step: fc.constant('pass'), minutes: fc.constantFrom(1, 10, 40) }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('putBatch'), minutes: fc.nat(30) }) },
  { weight: 3, arbitrary: fc.record({ step: fc.constant('putTime'), minutes: fc.nat(30), which }) },
  {
    weight: 2,
    arbitrary: fc.record({
      step: fc.constant('putBoth'),
      minutes: fc.nat(30),
      word: fc.constantFrom(...WORDS),
      which,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ step: fc.constant('putStatus'), word: fc.constantFrom(...WORDS), which }),
  },
);

/** A batch driven by the test. */
class Handled {
  readonly #rig: BatchRig;
  readonly #id: string;
  readonly #callIds: readonly string[];

  constructor(rig: BatchRig, batch: { id: string; call_ids: string[] }) {
    this.#rig = rig;
    this.#id = batch.id;
    this.#callIds = batch.call_ids;
  }

  static async make(isLater: boolean): Promise<Handled> {
    const rig = await BatchRig.open();
    const time = isLater ? { scheduled_time: toInstant(rig.clock.wallMs() + 60 * MINUTE_MS) } : {};
    return new Handled(rig, await rig.make(NUMBERS, { max_concurrency: 2, retry_policy: RETRIES, ...time }));
  }

  /** Takes a step; requests may be refused. */
  async take(step: Step): Promise<void> {
    await this.#do(step).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error;
    });
  }

  #do(step: Step): Promise<unknown> {
    const rig = this.#rig;
    const id = this.#id;
    switch (step.step) {
      case 'feed':
      case 'settle':
        return rig[step.step]();
      case 'dial':
        return this.#dial();
      case 'end':
        return this.#end(step.reason, step.which);
      case 'pass':
        return rig.clock.advance(step.minutes * MINUTE_MS);
      case 'retryFailed':
        return rig.batches.retryFailed(PRINCIPAL, id, () => null);
      case 'putBatch':
        return this.#putBatch(this.#inMinutes(step.minutes));
      case 'putTime':
        return rig.changeNumber(id, this.#callIds[step.which]!, { time: this.#inMinutes(step.minutes) });
      case 'refuse':
      case 'putOff':
        return this.#wait(step.step);
      case 'hold':
        return rig.store.write(restoredTransactions.hold, { at: rig.clock.wallMs() });
      case 'putBoth': {
        const status = { word: step.word, wanted: STATUS_WORDS[step.word] };
        const time = this.#inMinutes(step.minutes);
        return rig.changeNumber(id, this.#callIds[step.which]!, { time, status });
      }
      case 'putStatus': {
        const status = { word: step.word, wanted: STATUS_WORDS[step.word] };
        return rig.changeNumber(id, this.#callIds[step.which]!, { status });
      }
      default:
        return rig.batches[step.step](PRINCIPAL, id);
    }
  }

  #inMinutes(minutes: number) {
    const at = this.#rig.clock.wallMs() + minutes * MINUTE_MS;
    return { written: toInstant(at), at };
  }

  #putBatch(time: { written: string; at: number }): Promise<unknown> {
    const { store, clock } = this.#rig;
    const { workspace } = PRINCIPAL;
    return store.write(batchChangeTransactions.change, {
      workspace,
      id: this.#id,
      change: { time },
      at: clock.wallMs(),
    });
  }

  /** The first queued call is answered by its callee. */
  async #dial(): Promise<void> {
    const [call] = await this.#rig.queued();
    if (!call) return;
    const at = this.#rig.clock.wallMs();
    await this.#rig.sql(`update dial_attempts set status = 'placed' where call_id = '${call.id}'`);
    await this.#rig.sql(
      `update calls set status = 'active', started_at = ${at}, answered_at = ${at} where id = '${call.id}'`,
    );
  }

  /** The first queued call is delayed, by the carrier or by the policy. */
  async #wait(why: 'refuse' | 'putOff'): Promise<void> {
    const [call] = await this.#rig.queued();
    if (!call) return;
    const id = `'${call.id}'`;
    const ofCarrier = `status = 'connecting', node_id = 'node', started_at = ${this.#rig.clock.wallMs()}`;
    await this.#rig.sql(`update dial_attempts set due_at = due_at + ${5 * MINUTE_MS} where call_id = ${id}`);
    await this.#rig.sql(
      `update calls set ${why === 'refuse' ? ofCarrier : 'unsettled = 1'} where id = ${id}`,
    );
  }

  async #end(reason: EndedReason, place: number): Promise<void> {
    const calls = UNDIALLED.includes(reason) ? await this.#rig.queued() : await this.#rig.live();
    const call = calls[place % Math.max(1, calls.length)];
    if (call) await this.#rig.end(call.id, reason);
  }

  /** Every number is counted once, and has at most one open call, which is counted as in flight. */
  async check(): Promise<void> {
    const batch = await this.#rig.store.read(batchLookTransactions.batch, { id: this.#id });
    const statuses = await this.#rig.store.read(batchLookTransactions.statuses, { id: this.#id });
    const counts = { waiting: 0, in_flight: 0, succeeded: 0, failed: 0, skipped: 0, cancelled: 0 };
    for (const status of statuses) counts[COUNTED_AS[status as RecipientStatus]] += 1;
    expect(batch).toMatchObject(counts);
    expect(batch['ended_at'] === null).toBe(counts.waiting + counts.in_flight > 0);
    expect(batch['talk_seconds']).toBeGreaterThanOrEqual(0);
    const calls = [...(await this.#rig.queued()), ...(await this.#rig.live())].map(({ to }) => to);
    expect(new Set(calls).size).toBe(calls.length);
    expect(calls.length).toBeLessThanOrEqual(counts.in_flight);
    expect(this.#rig.logLines.filter(({ level }) => level === 'error')).toEqual([]);
  }

  /** Runs the batch to its end: every number is settled, and every call has ended. */
  async finish(): Promise<void> {
    for (const callId of this.#callIds) await this.#release(callId);
    for (let round = 0; round < 100; round += 1) {
      await this.take({ step: 'resume' });
      await this.#rig.feed();
      while ((await this.#rig.queued()).length > 0) await this.#dial();
      for (const { id } of await this.#rig.live()) await this.#rig.end(id, 'customer_hangup');
      await this.#rig.settle();
      await this.check();
      const { end_time: endTime } = await this.#rig.read(this.#id);
      if (endTime !== null) break;
      await this.#rig.clock.advance(10 * MINUTE_MS);
    }
    expect((await this.#rig.read(this.#id)).end_time).not.toBeNull();
    expect(await this.#rig.store.read(batchLookTransactions.unended, {})).toEqual([]);
  }

  /** Resumes a number paused on its own. */
  async #release(callId: string): Promise<void> {
    const isHeld = await this.#rig.store.read(batchLookTransactions.isHeld, { callId });
    if (isHeld)
      await this.take({ step: 'putStatus', word: 'scheduled', which: this.#callIds.indexOf(callId) });
  }
}

describe('a batch, whatever is done to it and in whatever order', () => {
  it('counts every number once, never calls one twice at a time, and ends', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(anyStep, { minLength: STEPS, maxLength: STEPS, size: 'max' }),
        async (isLater, steps) => {
          const batch = await Handled.make(isLater);
          for (const step of steps) {
            await batch.take(step);
            await batch.check();
          }
          await batch.finish();
        },
      ),
      { numRuns: RUNS },
    );
  });
});
