import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/time/clock.js';
import { once } from '#test/support/call-story.js';
import { inAll, CrashRig, type Voices } from '#test/support/crash-rig.js';

/** A slice of a second that is not full yet, and 400 ms in which late sound might still be put in its place. */
const UNWRITTEN_AT_MOST_MS = 1_000 + 400;
/** For what is on its way to the disk. */
const MOMENT_MS = 250;
const LOAD_PERSONA = '+15550100009';

let rig: CrashRig;
afterEach(() => rig.kill());

/** Kills the service, starts it again, and looks at calls that were being talked on: ended, and kept up to the kill. */
async function killInTalk(talking: readonly string[]): Promise<Voices> {
  const beganAt = new Map(talking.map((id) => [id, rig.beganAt(id)]));
  // A machine that stands still writes nothing: then it is waited until the service has caught up.
  let lookedAt = 0;
  await once(() => {
    lookedAt = systemClock.wallMs();
    for (const [id, at] of beganAt)
      expect(lookedAt - at - rig.writtenMs(id), id).toBeLessThanOrEqual(UNWRITTEN_AT_MOST_MS);
  });
  await rig.kill();
  const goneAt = systemClock.wallMs();
  await rig.start();
  const recordings: Voices[] = [];
  for (const id of talking) {
    const call = await rig.call(id, ({ ended_at }) => ended_at !== null);
    expect(call).toMatchObject({ status: 'failed', ended_reason: 'server_crash', fault: 'platform' });
    const recording = await rig.recording(id);
    const { durationMs } = recording;
    const at = beganAt.get(id)!;
    expect(durationMs).toBeGreaterThanOrEqual(lookedAt - at - UNWRITTEN_AT_MOST_MS - MOMENT_MS);
    expect(durationMs).toBeLessThanOrEqual(goneAt - at + MOMENT_MS);
    expect(Math.abs(call.duration * 1000 - durationMs)).toBeLessThanOrEqual(1_500);
    recordings.push(recording);
  }
  return inAll(recordings);
}

describe('a service that is killed, again and again', () => {
  it('ends what was under way once, keeps the sound, and lets no phone ring twice', async () => {
    rig = new CrashRig();
    await rig.start();

    // Accepted, and some of them perhaps on their way to the network.
    const accepted = await rig.placeMany(6);
    await rig.kill();
    await rig.start();
    for (const id of accepted) await rig.call(id, ({ status }) => status !== 'initiated');

    // Ringing.
    const ringing = await rig.placeMany(4);
    await rig.dialled(ringing);
    await rig.kill();
    await rig.start();
    for (const id of ringing) {
      const call = await rig.call(id, ({ ended_at }) => ended_at !== null);
      expect(call).toMatchObject({ status: 'failed', ended_reason: 'server_crash' });
    }

    // In the agent's first words.
    const greeted = await rig.placeMany(3);
    await rig.voicesRecorded(greeted, { agent: 1 });
    expect((await killInTalk(greeted)).agent).toBeGreaterThan(0);

    // In the customer's answer.
    const answering = await rig.placeMany(2);
    await rig.voicesRecorded(answering, { customer: 1 });
    expect((await killInTalk(answering)).customer).toBeGreaterThan(0);

    // While calls are being ended.
    const leaving = await rig.placeMany(3);
    for (const id of leaving) await rig.call(id, ({ status }) => status === 'active');
    const ends = leaving.map((id) => rig.service.request('POST', `/api/calls/${id}/disconnect`));
    await Promise.race(ends);
    await Promise.all([rig.kill(), ...ends.map((end) => end.catch(() => {}))]);

    // In the work that follows calls, and at once again: while all this is being taken up.
    await rig.start();
    const short = await rig.placeMany(12, LOAD_PERSONA);
    await rig.call(short[0]!, ({ ended_at }) => ended_at !== null);
    await rig.kill();
    await rig.start();
    await rig.kill();
    await rig.start();

    // In talks that are at different points.
    const talking: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      const id = await rig.place();
      talking.push(id);
      await rig.call(id, ({ status }) => status === 'active');
    }
    const voices = { agent: 5, customer: 2 };
    await rig.voicesRecorded(talking, voices);
    const heard = await killInTalk(talking);
    expect(heard.agent).toBeGreaterThanOrEqual(voices.agent);
    expect(heard.customer).toBeGreaterThanOrEqual(voices.customer);

    await rig.expectAllSettled();
  });
});

describe('a service that is asked to stop', () => {
  it('lets a talk come to its end', async () => {
    rig = new CrashRig();
    await rig.start({ DRAIN_TIMEOUT_SECONDS: '90' });
    const id = await rig.place();
    await rig.call(id, ({ status }) => status === 'active');
    expect(await rig.service.stop()).toBe(0);
    await rig.start();
    const call = await rig.call(id, ({ ended_at }) => ended_at !== null);
    expect(call).toMatchObject({ status: 'completed', ended_reason: 'agent_hangup' });
    await rig.expectAllSettled();
  });

  it('ends a talk that goes on for too long, tells the network, and keeps the sound', async () => {
    rig = new CrashRig();
    await rig.start({ DRAIN_TIMEOUT_SECONDS: '1' });
    const id = await rig.place();
    await rig.recorded(id, 1_900);
    await rig.voicesRecorded([id], { agent: 1 });
    expect(await rig.service.stop()).toBe(0);
    expect(rig.ledger().map(({ what }) => what)).toEqual(['dialled', 'completed']);
    await rig.start();
    const call = await rig.call(id, ({ ended_at }) => ended_at !== null);
    expect(call).toMatchObject({ status: 'failed', ended_reason: 'server_shutdown', fault: 'platform' });
    const { durationMs, agent } = await rig.recording(id);
    expect(durationMs).toBeGreaterThan(2_500);
    expect(agent).toBeGreaterThan(0);
    await rig.expectAllSettled();
  });
});
