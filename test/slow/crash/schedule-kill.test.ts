import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { executionHistory, scheduleList } from '#http/routes/scheduled-call-shapes.js';
import { sleep, systemClock, toInstant } from '#kernel/time/clock.js';
import { once, told } from '#test/support/call-story.js';
import { openPostgres } from '#test/support/postgres.js';
import { CallLoad } from '#test/support/call-load.js';
import { randomOf, SEED, tellSeed } from '#test/support/seed.js';
import { rounds } from '#test/support/tier.js';

const SCHEDULES = rounds(40, 1_000);
const KILLS = rounds(1, 20);
/** Each of them takes longer than a lease. */
const KILLS_AND_FREEZES = rounds(1, 20);
const FAULTS = 'latency_ms=40,lost_answers=0.03,duplicated_reports=0.1';
/** How soon the schedules come due, spread so that every kill meets some of them. */
const SPREAD_MS = KILLS * 1_000;

let load: CallLoad;
afterEach(() => load.killAll());

const postgres = await openPostgres();
tellSeed('schedules that are due while processes are killed');

/** One-time schedules, each for a number of its own, due one after the other. */
async function plan(): Promise<void> {
  const { request } = load.service();
  const made = await request('POST', '/api/agents', { name: 'Caller' });
  const { id: agent_id } = z.object({ id: z.string() }).parse(made.body);
  const from = systemClock.wallMs() + 500;
  for (let i = 0; i < SCHEDULES; i++) {
    const { status } = await request('POST', '/api/scheduled-calls', {
      agent_id,
      phone_number: `+1415557${String(i).padStart(4, '0')}`,
      scheduled_time: toInstant(from + Math.floor((i / SCHEDULES) * SPREAD_MS)),
    });
    expect(status).toBe(201);
  }
}

/** Every schedule is over by one execution, and no phone rang twice. */
async function expectEachOnce(): Promise<void> {
  const { request } = load.service();
  await once(async () => {
    const open = await told(
      request,
      '/api/scheduled-calls?status=scheduled,in_progress&limit=1',
      scheduleList,
    );
    if (open.data.length > 0) throw new Error(`one is ${open.data[0]!.status}`);
  });
  const times = load.timesDialled();
  expect(
    [...times].filter(([, count]) => count > 1),
    'dialled twice',
  ).toEqual([]);
  let seen = 0;
  for (let cursor: string | null = ''; cursor !== null;) {
    const path = `/api/scheduled-calls?limit=200${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const page: z.infer<typeof scheduleList> = await told(request, path, scheduleList);
    for (const schedule of page.data) {
      const { executions } = await told(
        request,
        `/api/scheduled-calls/${schedule.id}/history`,
        executionHistory,
      );
      expect(executions).toHaveLength(1);
      expect(executions[0]).toMatchObject({ status: 'failed', attempt: 1, trigger: 'schedule' });
      expect(times.get(schedule.phone_number), schedule.phone_number).toBe(1);
      seen += 1;
    }
    cursor = page.next_cursor;
  }
  expect(seen).toBe(SCHEDULES);
}

describe('schedules that are due while the service is killed again and again', () => {
  it('are each dialled once, and hear what became of it', async () => {
    const random = randomOf(SEED);
    load = new CallLoad('look_up', { MAX_CONCURRENT_CALLS: '60', SANDBOX_FAULTS: FAULTS });
    await load.startSilent();
    await plan();
    for (let kill = 1; kill <= KILLS; kill++) {
      await sleep(systemClock, 100 + random() * 900);
      await load.kill();
      // The last one is the whole service, and is asked to end.
      await (kill < KILLS ? load.startSilent() : load.start());
    }
    await expectEachOnce();
    expect(await load.service().stop()).toBe(0);
    load.expectSoundDatabase();
  });
});

describe.skipIf(postgres.isMissing)('schedules that three processes share, killed and frozen in turn', () => {
  it('are each dialled once, and hear what became of it', async () => {
    const random = randomOf(SEED);
    load = new CallLoad('look_up', {
      DATABASE_URL: await postgres.server.createDatabase(),
      MAX_CONCURRENT_CALLS: '24',
      SANDBOX_FAULTS: FAULTS,
    });
    await Promise.all([0, 1, 2].map((index) => load.startSilent(index)));
    await plan();
    for (let kill = 0; kill < KILLS_AND_FREEZES; kill++) {
      await sleep(systemClock, 100 + random() * 900);
      const victim = Math.floor(random() * 3);
      const frozen = load.freeze((victim + 1) % 3, 6_000);
      await load.kill(victim);
      await load.startSilent(victim);
      await frozen;
    }
    await expectEachOnce();
  });
});
