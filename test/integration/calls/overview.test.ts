import { beforeEach, describe, expect, it } from 'vitest';
import { callTransactions } from '#calls/call-store.js';
import { readOverview } from '#calls/statistics/overview.js';
import { talkTransactions } from '#calls/talk/talk-store.js';
import { CallRig } from '#test/support/call-rig.js';
import { databaseOn, engines } from '#test/support/engines.js';
import { PRINCIPAL } from '#test/support/principal.js';

const DAY_MS = 86_400_000;

let rig: CallRig;

/** A call that ends so; whose agent replied after so long. */
async function talk(end: Parameters<CallRig['conversations'][number]['end']>, replyMs: number) {
  const call = await rig.talking();
  const timing = {
    turn: 1,
    endOfTurnMs: 1,
    sttMs: 1,
    thinkMs: 1,
    speakMs: 1,
    totalMs: replyMs,
    soundedAtMs: 2_000,
    interrupted: false,
  };
  await rig.store.write(talkTransactions.addTurn, { callId: call.id, timing });
  rig.conversations.at(-1)!.end(...end);
  await rig.until(async () => (await rig.call(call.id)).ended_at !== null);
  return call.id;
}

const attention = async (isWanted: boolean) => {
  const { items } = await rig.store.read(callTransactions.list, {
    filter: { workspace: 'default', attention: isWanted },
    cursor: null,
    limit: 10,
    now: rig.clock.wallMs(),
  });
  return items.map(({ id }) => id).sort();
};

describe.each(engines)('what somebody should look at, on %s', (engine) => {
  beforeEach(async () => {
    rig = await CallRig.started(await databaseOn(engine));
  });

  it('are calls that failed, were silent, missed their purpose, or had a slow reply', async () => {
    const good = await talk([{ by: 'agent' }], 600);
    const bad = [
      await talk([{ by: 'silence' }], 600),
      await talk([{ by: 'error', error: new Error('gone') }], 600),
      await talk([{ by: 'agent' }, null, {}, { resolutionAchieved: false }], 600),
      await talk([{ by: 'agent' }], 3_500),
      // The last one: the number is not called again.
      await talk([{ by: 'agent' }, { kind: 'suppress' }], 600),
    ].sort();
    expect(await attention(true)).toEqual(bad);
    expect(await attention(false)).toEqual([good]);
  });

  it('is counted by the days of a zone', async () => {
    await talk([{ by: 'agent' }], 600);
    await talk([{ by: 'machine' }], 900);
    rig.clock.setWall(rig.clock.wallMs() + DAY_MS);
    await talk([{ by: 'error', error: new Error('gone') }], 700);
    const overview = await readOverview(PRINCIPAL, { days: 3, timezone: 'America/New_York' }, rig);
    // The clock of the rig begins at midnight of the 21st in UTC, which is the evening before in New York.
    expect(overview.by_day.map(({ date }) => date)).toEqual(['2026-11-19', '2026-11-20', '2026-11-21']);
    expect(overview.by_day.slice(1)).toMatchObject([
      { dialled: 2, answered: 2, human: 1, alarms: 0, reply_p95_ms: 900 },
      { dialled: 1, answered: 1, human: 1, alarms: 1, reply_p95_ms: 700 },
    ]);
    expect(overview.totals).toMatchObject({
      dialled: 3,
      answered: 3,
      human: 2,
      alarms: 1,
      reply_p95_ms: 900,
    });
    const stranger = { ...PRINCIPAL, workspace: 'another' };
    const theirs = await readOverview(stranger, { days: 1, timezone: 'UTC' }, rig);
    expect(theirs.totals).toMatchObject({ dialled: 0, answered: 0, reply_p95_ms: null });
  });
});
