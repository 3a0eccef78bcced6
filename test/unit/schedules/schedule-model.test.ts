import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EndedReason } from '#calls/record/ended-reason.js';
import { toInstant } from '#kernel/time/clock.js';
import { Problem } from '#kernel/errors/errors.js';
import { PRINCIPAL } from '#test/support/principal.js';
import {
  CLOCK_STEPS_MS,
  ScheduleModel,
  type ModelEnd,
  type ModelPlan,
} from '#test/support/schedule-model.js';
import { ScheduleRig } from '#test/support/schedule-rig.js';
import { cases } from '#test/support/tier.js';

const RUNS = cases(50, 120, 1_000);
const STEPS = 30;
const START_MS = Date.UTC(2026, 10, 21, 12, 0, 1);

type Step =
  | { step: 'pass'; byMs: number }
  | { step: 'dial' }
  | { step: 'pause' | 'resume' | 'cancel' | 'trigger' }
  | { step: 'put_time'; inMs: number }
  | { step: 'put_maximum'; max: number | null }
  | { step: 'end'; how: ModelEnd };

/** Requests, which may be refused. */
type Wish = Exclude<Step, { step: 'pass' | 'end' | 'dial' }>;

/** Weights of the steps: cancelling ends most of what could happen. */
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.constantFrom(...CLOCK_STEPS_MS).map((byMs) => ({ step: 'pass' as const, byMs })),
  },
  { weight: 6, arbitrary: fc.constant({ step: 'dial' as const }) },
  { weight: 3, arbitrary: fc.constant({ step: 'pause' as const }) },
  { weight: 4, arbitrary: fc.constant({ step: 'resume' as const }) },
  { weight: 1, arbitrary: fc.constant({ step: 'cancel' as const }) },
  { weight: 4, arbitrary: fc.constant({ step: 'trigger' as const }) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(-200_000, 1_000, 7_000_000)
      .map((inMs) => ({ step: 'put_time' as const, inMs })),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(1, 3, null).map((max) => ({ step: 'put_maximum' as const, max })),
  },
  {
    weight: 10,
    arbitrary: fc
      .constantFrom<ModelEnd>('well', 'busy', 'busy', 'no_answer', 'cancelled', 'never_dialled')
      .map((how) => ({ step: 'end' as const, how })),
  },
);

const anyPlan = fc.record({
  isRecurring: fc.boolean(),
  inMs: fc.constantFrom(500_000, 12_000_000),
  maxOccurrences: fc.constantFrom(null, 1, 2),
  maxRetries: fc.constantFrom(0, 1, 2),
  retrySeconds: fc.constantFrom(61, 12_001),
});

const REASONS: Record<ModelEnd, EndedReason> = {
  well: 'customer_hangup',
  busy: 'busy',
  no_answer: 'no_answer',
  cancelled: 'cancelled',
  never_dialled: 'suppressed',
};

/** The real module and the model, side by side. */
class Pair {
  readonly #rig: ScheduleRig;
  readonly #model: ScheduleModel;
  readonly #id: string;

  private constructor(rig: ScheduleRig, model: ScheduleModel, id: string) {
    this.#rig = rig;
    this.#model = model;
    this.#id = id;
  }

  static async make(rig: ScheduleRig, wish: typeof anyPlan extends fc.Arbitrary<infer Wish> ? Wish : never) {
    rig.clock.setWall(START_MS);
    const more = {
      webhook_url: 'https://example.com/hook',
      retry_policy: { max_retries: wish.maxRetries, retry_delay: wish.retrySeconds, retry_on: ['busy'] },
    };
    const maxOccurrences = wish.isRecurring ? wish.maxOccurrences : null;
    const { id } = wish.isRecurring
      ? await rig.recurring('0 */3 * * *', { ...more, max_occurrences: maxOccurrences })
      : await rig.once(toInstant(START_MS + wish.inMs), more);
    const firstAt = wish.isRecurring ? Date.UTC(2026, 10, 21, 15) : START_MS + wish.inMs;
    const plan: ModelPlan = {
      ...wish,
      kind: wish.isRecurring ? 'recurring' : 'one_time',
      firstAt,
      maxOccurrences,
    };
    return new Pair(rig, new ScheduleModel(plan, START_MS), id);
  }

  async take(step: Step): Promise<void> {
    const { clock } = this.#rig;
    if (step.step === 'pass') {
      clock.setWall(clock.wallMs() + step.byMs);
    } else if (step.step === 'dial') {
      this.#model.dial();
      await this.#rig.dialAll();
    } else if (step.step === 'end') {
      const live = await this.#rig.live(this.#id);
      if (!live) return;
      this.#model.end(step.how, clock.wallMs());
      const how = { answered: step.how === 'well', dialled: step.how !== 'never_dialled' };
      await this.#rig.end(live.call_id!, REASONS[step.how], how);
    } else {
      const expected = this.#expect(step, clock.wallMs());
      expect(await this.#ask(step), step.step).toBe(expected);
    }
    this.#model.due(clock.wallMs());
    await this.#rig.runDue();
  }

  #expect(step: Wish, now: number): boolean {
    const model = this.#model;
    if (step.step === 'put_time') return model.putTime(now + step.inMs, now);
    if (step.step === 'put_maximum')
      return step.max === null && !model.isRecurring ? false : model.putMaximum(step.max, now);
    return step.step === 'trigger' ? model.trigger() : model[step.step](now);
  }

  /** Whether the request was accepted. */
  async #ask(step: Wish): Promise<boolean> {
    const { schedules, clock } = this.#rig;
    const id = this.#id;
    try {
      if (step.step === 'put_time')
        await this.#rig.update(id, { scheduled_time: toInstant(clock.wallMs() + step.inMs) });
      else if (step.step === 'put_maximum') {
        // For a one-time schedule null means nothing: there it is asked with a number.
        const max = step.max ?? (this.#model.isRecurring ? null : 1);
        await this.#rig.update(id, { max_occurrences: max });
      } else if (step.step === 'cancel')
        await schedules.cancel(PRINCIPAL, id, { hangUp: false, purge: false });
      else if (step.step === 'trigger') await schedules.trigger(PRINCIPAL, id, null);
      else await schedules[step.step](PRINCIPAL, id);
      return true;
    } catch (error) {
      if (error instanceof Problem) return false;
      throw error;
    }
  }

  async compare(): Promise<void> {
    const schedule = await this.#rig.schedule(this.#id);
    const executions = await this.#rig.executions(this.#id);
    const model = this.#model;
    const planned = executions.filter(
      ({ attempt, origin, status }) =>
        attempt === 1 && origin === 'schedule' && (status === 'pending' || status === 'held'),
    );
    const waiting = executions.filter(({ attempt, status }) => attempt > 1 && status === 'pending');
    const live = executions.filter(({ status }) => status === 'in_progress');
    const dialled = executions.filter(
      ({ attempt, origin, call_id }) => attempt === 1 && origin === 'schedule' && call_id !== null,
    );
    expect({
      status: schedule.status,
      occurrences: schedule.occurrences,
      planned: planned.map(({ planned_at }) => planned_at),
      held: planned.map(({ status }) => status),
      waiting: waiting.map(({ planned_at, attempt, origin }) => ({ at: planned_at, attempt, origin })),
      live: live.map(({ attempt, origin }) => ({ attempt, origin })),
      dialled: dialled.map(({ planned_at }) => planned_at).sort((a, b) => a - b),
    }).toEqual({
      status: model.status,
      occurrences: schedule.kind === 'recurring' ? model.occurrences : schedule.occurrences,
      planned: model.planned === null ? [] : [model.planned],
      held: model.planned === null ? [] : [model.status === 'paused' ? 'held' : 'pending'],
      waiting: model.retry
        ? [{ at: model.retry.at, attempt: model.retry.attempt, origin: model.retry.origin }]
        : [],
      live: model.live ? [{ attempt: model.live.attempt, origin: model.live.origin }] : [],
      dialled: [...model.dialled].sort((a, b) => a - b),
    });
    expect(schedule.next_run_at).toBe(model.planned);
    if (schedule.kind === 'recurring') expect(new Set(model.dialled).size).toBe(model.dialled.length);
  }

  /** Each run was announced at most once as started, and exactly once as over. */
  async compareTold(): Promise<void> {
    const events = (await this.#rig.told(this.#id)).map(({ event }) => event);
    const started = events.filter((event) => event === 'started').length;
    expect({ started, ended: events.length - started }).toEqual({
      started: this.#model.started,
      ended: this.#model.ended,
    });
  }
}

describe('a schedule, whatever is done to it and whenever', () => {
  it('does what its table says', async () => {
    const rig = await ScheduleRig.open(START_MS);
    await fc.assert(
      fc.asyncProperty(
        anyPlan,
        fc.array(anyStep, { minLength: STEPS, maxLength: STEPS, size: 'max' }),
        async (plan, steps) => {
          // Every run looks at its own schedule alone.
          await rig.forget();
          const pair = await Pair.make(rig, plan);
          for (const step of steps) {
            await pair.take(step);
            await pair.compare();
          }
          await pair.compareTold();
        },
      ),
      { numRuns: RUNS },
    );
  });
});
