import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callList } from '#http/routes/call-list.js';
import type { CallResource } from '#calls/resources/call-resource.js';
import { CrashRig } from '#test/support/crash-rig.js';
import { once, told } from '#test/support/call-story.js';
import { drawn } from '#test/support/tier.js';

/** Waits in silence. */
const CALLER = '+15550100003';
/** Rings until nobody waits any more; answers and confirms everything. */
const PEOPLE = { ringing: '+15550100006', asked: '+15550109999' } as const;

const KILLS = [
  ['as it begins', PEOPLE.ringing, null],
  ['while the person is rung', PEOPLE.ringing, 'connecting'],
  ['while the person is asked, or has just been joined', PEOPLE.asked, 'active'],
] as const;

const rig = new CrashRig();
beforeAll(() => rig.start());
afterAll(() => rig.kill());

async function legsOf(parentId: string): Promise<CallResource[]> {
  return (await told(rig.service.request, `/api/calls?parent_call_id=${parentId}`, callList)).data;
}

describe('a service that is killed in a warm transfer', () => {
  it.each(drawn(1, KILLS))('%s: both calls end, and nobody is rung twice', async (_, to_number, status) => {
    const before = rig.timesDialled();
    const timesDialled = (number: string) =>
      (rig.timesDialled().get(number) ?? 0) - (before.get(number) ?? 0);
    const id = await rig.place(CALLER);
    await rig.call(id, (call) => call.status === 'active');
    const wish = { to_number, mode: 'warm', briefing: 'Ada is here.' };
    const answer = await rig.service.request('POST', `/api/calls/${id}/transfer`, wish);
    expect(answer.body).toMatchObject({ mode: 'held' });
    if (status !== null)
      await once(async () => {
        const [leg] = await legsOf(id);
        if (leg?.status !== status) throw new Error(`the leg is ${leg?.status}`);
      });
    await rig.kill();
    await rig.start();
    expect(await rig.call(id, ({ ended_at }) => ended_at !== null)).toMatchObject({
      ended_reason: 'server_crash',
    });
    const legs = await once(async () => {
      const all = await legsOf(id);
      if (all.some(({ ended_at }) => ended_at === null)) throw new Error('a leg goes on');
      return all;
    });
    expect(legs.length).toBeLessThanOrEqual(1);
    expect(timesDialled(to_number)).toBeLessThanOrEqual(1);
    expect(timesDialled(CALLER)).toBe(1);
  });
});
