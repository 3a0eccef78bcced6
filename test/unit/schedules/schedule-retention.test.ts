import { beforeEach, describe, expect, it } from 'vitest';
import { PRINCIPAL } from '../../support/principal.js';
import { schedulePurges } from '../../../src/schedules/schedule-retention.js';
import { ScheduleRig } from '../../support/schedule-rig.js';

const DAY_MS = 86_400_000;
const WATCHED = { webhook_url: 'https://example.com/hook' };

/** Begins at 2026-11-21T00:00:00Z. */
let rig: ScheduleRig;
/** A round of an operator who keeps calls for thirty days. */
let purge: () => Promise<void>;

beforeEach(async () => {
  rig = await ScheduleRig.open();
  const { store, clock, log } = rig;
  purge = async () => {
    for (const once of schedulePurges({ store, clock, log: log.log }, { callDays: 30 }))
      while (await once(clock.wallMs()));
  };
});

async function isThere(id: string): Promise<boolean> {
  const [row] = await rig.run((tx) => tx.all('select id from schedules where id = ?', id));
  return row !== undefined;
}

function pass(days: number): void {
  rig.clock.setWall(rig.clock.wallMs() + days * DAY_MS);
}

describe('schedules that are over', () => {
  it('stay as they are unless somebody wants them to go', () => {
    expect(schedulePurges({ ...rig, log: rig.log.log, store: rig.store }, { callDays: null })).toEqual([]);
  });

  it('go after so many days with all that was told of them; their calls stay', async () => {
    const { id } = await rig.once('2026-11-21 10:00:00', WATCHED);
    rig.at('10:00:00');
    await rig.runDue();
    const callId = (await rig.live(id))!.call_id!;
    await rig.end(callId, 'customer_hangup', { answered: true });
    pass(30);
    await purge();
    expect(await rig.schedule(id)).toMatchObject({ phone_number: '+14155550123' });
    rig.clock.setWall(rig.clock.wallMs() + 1);
    await purge();
    expect(await isThere(id)).toBe(false);
    expect(await rig.executions(id)).toEqual([]);
    expect(await rig.told(id)).toEqual([]);
    expect(await rig.call(callId)).not.toBeNull();
    const [target] = await rig.run((tx) => tx.all('select active from webhooks where owner_id = ?', id));
    expect(target).toMatchObject({ active: 0 });
  });

  it('go also when their history is long, or cannot be read', async () => {
    const { id } = await rig.recurring('*/10 * * * *', { ...WATCHED, max_occurrences: 600 });
    for (let run = 0; run < 30; run += 1) {
      rig.clock.setWall(rig.clock.wallMs() + 600_000);
      await rig.runDue();
      await rig.end((await rig.live(id))!.call_id!, 'busy');
    }
    await rig.schedules.cancel(PRINCIPAL, id, { hangUp: false, purge: false });
    await rig.sabotage(`update schedules set metadata = '{bad' where id = ?`, id);
    pass(31);
    await purge();
    expect(await isThere(id)).toBe(false);
    expect(await rig.told(id)).toEqual([]);
  });

  it('stay for as long as anything of them is to come, however old they are', async () => {
    const recurring = await rig.recurring('0 9 1 1 *');
    const paused = await rig.once('2026-11-22 10:00:00');
    await rig.schedules.pause(PRINCIPAL, paused.id);
    const live = await rig.once('2026-11-21 10:00:00');
    rig.at('10:00:00');
    await rig.runDue();
    await rig.dialAll();
    await rig.schedules.cancel(PRINCIPAL, live.id, { hangUp: false, purge: false });
    pass(31);
    await purge();
    for (const { id } of [recurring, paused, live]) expect(await isThere(id)).toBe(true);
    await rig.end((await rig.live(live.id))!.call_id!, 'customer_hangup', { answered: true });
    pass(31);
    await purge();
    expect(await isThere(live.id)).toBe(false);
  });

  it('stay when somebody begins them again while they are being removed', async () => {
    const { id } = await rig.once('2026-11-21 10:00:00');
    rig.at('10:00:00');
    await rig.runDue();
    await rig.end((await rig.live(id))!.call_id!, 'busy');
    pass(31);
    rig.beforeNextWrite(() => rig.update(id, { scheduled_time: '2026-12-24 10:00:00' }));
    await purge();
    expect(await rig.statuses(id)).toEqual(['failed', 'pending']);
  });
});
