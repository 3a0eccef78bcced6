import { describe, expect, it } from 'vitest';
import { CallStats } from '#calls/statistics/call-stats.js';
import { talkTransactions } from '#calls/talk/talk-store.js';
import { toInstant } from '#kernel/time/clock.js';
import { CallRig } from '#test/support/call-rig.js';
import { buildTestService } from '#test/support/test-service.js';
import { databaseOn, engines } from '#test/support/engines.js';
import { triesAll } from '#test/support/tier.js';
import { PRINCIPAL } from '#test/support/principal.js';

const HOUR_MS = 3_600_000;
/** A call that somebody answers, whose agent responds after so long, and that is over after so many seconds. */
async function talk(
  rig: CallRig,
  to: string,
  { seconds, responsesMs }: { seconds: number; responsesMs: number[] },
) {
  const call = await rig.talking({ to_phone: to });
  for (const [index, totalMs] of responsesMs.entries()) {
    const parts = {
      endOfTurnMs: 1,
      sttMs: 1,
      thinkMs: 1,
      speakMs: 1,
      totalMs,
      soundedAtMs: 2_000,
      interrupted: false,
    };
    await rig.store.write(talkTransactions.addTurn, {
      callId: call.id,
      timing: { turn: index + 1, ...parts },
    });
  }
  await rig.pass(seconds * 1_000);
  rig.conversations.at(-1)!.end({ by: 'agent' });
  return rig.reaches(call.id, 'completed');
}

describe.each(engines)('the numbers of recent calls on %s', (engine) => {
  it('tell what became of them, hour by hour', async () => {
    const rig = await CallRig.started(await databaseOn(engine));
    const stats = new CallStats(rig);
    const talks = [
      await talk(rig, '+14155550101', { seconds: 10, responsesMs: [500, 700] }),
      await talk(rig, '+14155550102', { seconds: 20, responsesMs: [900] }),
    ];
    const missed = await rig.create({ to_phone: '+14155550103' });
    await rig.until(() => rig.carrier.placed.length === 3);
    await rig.carrier.report('busy');
    await rig.reaches(missed.id, 'failed');
    rig.clock.setWall(rig.clock.wallMs() + 2 * HOUR_MS);
    const now = rig.clock.wallMs();
    await rig.create({ to_phone: '+14155550104', scheduled_time: toInstant(now + HOUR_MS) });
    await rig.talking({ to_phone: '+14155550105' });

    const priced = talks.map(({ provider_call_id }, at) => [provider_call_id!, 0.01 + at] as const);
    const tellPrice = ([providerCallId, usd]: (typeof priced)[number]) =>
      rig.callService.carrierHost.acceptPrice({
        carrier: rig.carrier.name,
        dialRef: null,
        providerCallId,
        usd,
      });
    await tellPrice(priced[0]!);
    const known = { cost_usd: 0.01, cost_is_complete: false };
    expect(await stats.read(PRINCIPAL, '24h')).toMatchObject(known);
    await tellPrice(priced[1]!);

    const read = await stats.read(PRINCIPAL, '24h');
    const lastedMs = talks.map(({ answered_at, ended_at }) => ended_at! - answered_at!);
    expect(read).toMatchObject({
      window: '24h',
      calls_total: 5,
      calls_live: 1,
      avg_duration: Number(((lastedMs[0]! + lastedMs[1]!) / 2_000).toFixed(1)),
      p50_response_ms: 700,
      p95_response_ms: 900,
      answer_rate: 0.6667,
      cost_usd: 1.02,
      cost_is_complete: true,
    });
    const none = { queued: 0, initiated: 0, connecting: 0, connected: 0, ending: 0, missed: 0, cancelled: 0 };
    expect(read.by_status).toEqual({ ...none, scheduled: 1, active: 1, completed: 2, failed: 1 });
    expect(read.series).toHaveLength(24);
    const thisHour = Math.floor(now / HOUR_MS) * HOUR_MS;
    expect(read.series.slice(-3)).toEqual([
      { t: toInstant(thisHour - 2 * HOUR_MS), calls: 3, failed: 1 },
      { t: toInstant(thisHour - HOUR_MS), calls: 0, failed: 0 },
      { t: toInstant(thisHour), calls: 2, failed: 0 },
    ]);
    expect(read.since).toBe(read.series[0]!.t);

    expect(await stats.read(PRINCIPAL, '1h')).toMatchObject({
      calls_total: 2,
      calls_live: 1,
      avg_duration: null,
      p50_response_ms: null,
      answer_rate: null,
    });
    expect(await stats.read({ ...PRINCIPAL, workspace: 'other' }, '30d')).toMatchObject({
      calls_total: 0,
      calls_live: 0,
    });
  });
});

// No engine makes a difference here: the fast tier is enough.
describe.skipIf(triesAll)('GET /api/stats', () => {
  it('has numbers for every part of every window of a service without calls', async () => {
    const service = await buildTestService();
    const answers = { '?window=1h': 12, '': 24, '?window=24h': 24, '?window=7d': 28, '?window=30d': 30 };
    for (const [query, parts] of Object.entries(answers)) {
      const { status, body } = await service.request('GET', `/api/stats${query}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ object: 'call_stats', calls_total: 0, calls_live: 0, avg_duration: null });
      expect((body as { series: unknown[] }).series).toHaveLength(parts);
    }
    await service.close();
  });

  it.each(['2h', 'week', '', '24H'])('refuses the window "%s" by its name', async (window) => {
    const service = await buildTestService();
    const { status, body } = await service.request('GET', `/api/stats?window=${window}`);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('"field":"query.window"');
    await service.close();
  });
});
