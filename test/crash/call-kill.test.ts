import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/kernel/time/clock.js';
import { once } from '../support/call-story.js';
import { inAll, Town, type Voices } from '../support/town.js';

/** A slice of a second that is not full yet, and 400 ms in which late sound might still be put in its place. */
const UNWRITTEN_AT_MOST_MS = 1_000 + 400;
/** For what is on its way to the disk. */
const MOMENT_MS = 250;
const LOAD_PERSONA = '+15550100009';

let town: Town;
afterEach(() => town.kill());

/** Kills the service, starts it again, and looks at calls that were being talked on: ended, and kept up to the kill. */
async function killInTalk(talking: readonly string[]): Promise<Voices> {
  const beganAt = new Map(talking.map((id) => [id, town.beganAt(id)]));
  // A machine that stands still writes nothing: then it is waited until the service has caught up.
  let lookedAt = 0;
  await once(() => {
    lookedAt = systemClock.wallMs();
    for (const [id, at] of beganAt)
      expect(lookedAt - at - town.writtenMs(id), id).toBeLessThanOrEqual(UNWRITTEN_AT_MOST_MS);
  });
  await town.kill();
  const goneAt = systemClock.wallMs();
  await town.start();
  const recordings: Voices[] = [];
  for (const id of talking) {
    const call = await town.call(id, ({ ended_at }) => ended_at !== null);
    expect(call).toMatchObject({ status: 'failed', ended_reason: 'server_crash', fault: 'platform' });
    const recording = await town.recording(id);
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
    town = new Town();
    await town.start();

    // Accepted, and some of them perhaps on their way to the network.
    const accepted = await town.placeMany(6);
    await town.kill();
    await town.start();
    for (const id of accepted) await town.call(id, ({ status }) => status !== 'initiated');

    // Ringing.
    const ringing = await town.placeMany(4);
    await town.dialled(ringing);
    await town.kill();
    await town.start();
    for (const id of ringing) {
      const call = await town.call(id, ({ ended_at }) => ended_at !== null);
      expect(call).toMatchObject({ status: 'failed', ended_reason: 'server_crash' });
    }

    // In the agent's first words.
    const greeted = await town.placeMany(3);
    await town.voicesRecorded(greeted, { agent: 1 });
    expect((await killInTalk(greeted)).agent).toBeGreaterThan(0);

    // In the customer's answer.
    const answering = await town.placeMany(2);
    await town.voicesRecorded(answering, { customer: 1 });
    expect((await killInTalk(answering)).customer).toBeGreaterThan(0);

    // While calls are being ended.
    const leaving = await town.placeMany(3);
    for (const id of leaving) await town.call(id, ({ status }) => status === 'active');
    const ends = leaving.map((id) => town.service.request('POST', `/api/calls/${id}/disconnect`));
    await Promise.race(ends);
    await Promise.all([town.kill(), ...ends.map((end) => end.catch(() => {}))]);

    // In the work that follows calls, and at once again: while all this is being taken up.
    await town.start();
    const short = await town.placeMany(12, LOAD_PERSONA);
    await town.call(short[0]!, ({ ended_at }) => ended_at !== null);
    await town.kill();
    await town.start();
    await town.kill();
    await town.start();

    // In talks that are at different points.
    const talking: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      const id = await town.place();
      talking.push(id);
      await town.call(id, ({ status }) => status === 'active');
    }
    const voices = { agent: 5, customer: 2 };
    await town.voicesRecorded(talking, voices);
    const heard = await killInTalk(talking);
    expect(heard.agent).toBeGreaterThanOrEqual(voices.agent);
    expect(heard.customer).toBeGreaterThanOrEqual(voices.customer);

    await town.expectAllSettled();
  });
});

describe('a service that is asked to stop', () => {
  it('lets a talk come to its end', async () => {
    town = new Town();
    await town.start({ DRAIN_TIMEOUT_SECONDS: '90' });
    const id = await town.place();
    await town.call(id, ({ status }) => status === 'active');
    expect(await town.service.stop()).toBe(0);
    await town.start();
    const call = await town.call(id, ({ ended_at }) => ended_at !== null);
    expect(call).toMatchObject({ status: 'completed', ended_reason: 'agent_hangup' });
    await town.expectAllSettled();
  });

  it('ends a talk that goes on for too long, tells the network, and keeps the sound', async () => {
    town = new Town();
    await town.start({ DRAIN_TIMEOUT_SECONDS: '1' });
    const id = await town.place();
    await town.recorded(id, 1_900);
    await town.voicesRecorded([id], { agent: 1 });
    expect(await town.service.stop()).toBe(0);
    expect(town.ledger().map(({ what }) => what)).toEqual(['dialled', 'completed']);
    await town.start();
    const call = await town.call(id, ({ ended_at }) => ended_at !== null);
    expect(call).toMatchObject({ status: 'failed', ended_reason: 'server_shutdown', fault: 'platform' });
    const { durationMs, agent } = await town.recording(id);
    expect(durationMs).toBeGreaterThan(2_500);
    expect(agent).toBeGreaterThan(0);
    await town.expectAllSettled();
  });
});
