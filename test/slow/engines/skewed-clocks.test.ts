import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock, type Clock } from '#kernel/time/clock.js';
import { callOnce, placeCall } from '#test/support/call-story.js';
import { buildTestService } from '#test/support/test-service.js';
import { openPostgres } from '#test/support/postgres.js';

const HOUR_MS = 3_600_000;
/** A carrier that takes this long to answer leaves others time to meddle: they look at least once a second. */
const LATENCY_MS = 1_500;
const BUSY = '+15550100005';

const postgres = await openPostgres();

function clockAheadBy(skewMs: number): Clock {
  return { ...systemClock, wallMs: () => systemClock.wallMs() + skewMs };
}

/** One of several processes over a database, with a clock of its own. */
async function openService(databaseUrl: string, skewMs: number) {
  const service = await buildTestService({
    listen: true,
    environment: {
      DATABASE_URL: databaseUrl,
      // Nothing can be looked up: who takes over what is being dialled can only give it up.
      SANDBOX_KIND: 'neither',
      SANDBOX_FAULTS: `latency_ms=${LATENCY_MS}`,
    },
    replace: { clock: clockAheadBy(skewMs) },
  });
  onTestFinished(() => service.close());
  return service;
}

describe.skipIf(postgres.isMissing)('processes over one PostgreSQL whose clocks are an hour apart', () => {
  it('leave each other what is being dialled, and let no call expire before its time', async () => {
    const databaseUrl = await postgres.migratedDatabase();
    const service = await openService(databaseUrl, 0);
    const others = await Promise.all([HOUR_MS, -HOUR_MS].map((skewMs) => openService(databaseUrl, skewMs)));
    const services = [service, ...others];
    const placed = services.flatMap(({ request }) =>
      Array.from({ length: 2 }, () => placeCall(request, { to_number: BUSY })),
    );
    const calls = await Promise.all((await Promise.all(placed)).map((id) => callOnce(service.request, id)));
    expect(calls.map((call) => call.ended_reason)).toEqual(calls.map(() => 'busy'));
    const told = others.flatMap(({ logLines }) =>
      logLines.filter(({ database_ahead_seconds }) => database_ahead_seconds !== undefined),
    );
    expect(told).toMatchObject([
      { level: 'warn', database_ahead_seconds: expect.closeTo(-3_600, -1) as number },
      { level: 'warn', database_ahead_seconds: expect.closeTo(3_600, -1) as number },
    ]);
    expect(service.logLines.filter((line) => 'database_ahead_seconds' in line)).toEqual([]);
  });
});
