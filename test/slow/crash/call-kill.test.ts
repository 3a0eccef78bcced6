import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/time/clock.js';
import { once } from '#test/support/call-story.js';
import { inAll, CrashRig, type Voices } from '#test/support/crash-rig.js';
import { SHORT_AGENT } from '#test/support/short-talk.js';
import { drawn, rounds } from '#test/support/tier.js';

/** A slice of a second that is not full yet, and 400 ms in which late sound might still be put in its place. */
const UNWRITTEN_AT_MOST_MS = 1_000 + 400;
/** For what is on its way to the disk. */
const MOMENT_MS = 250;
const LOAD_PERSONA = '+15550100009';

/** Long enough for a talk to come to its end. */
const PATIENT = { DRAIN_TIMEOUT_SECONDS: '90' };
const IMPATIENT = { DRAIN_TIMEOUT_SECONDS: '1' };

const rig = new CrashRig();
beforeAll(() => rig.start(PATIENT));
afterAll(() => rig.kill());

async function killAndStart(): Promise<void> {
  await rig.kill();
  await rig.start(PATIENT);
}

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
  await rig.start(PATIENT);
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

/** Kills in a state in which no phone may ring a second time. */
const BEFORE_TALKS: [string, () => Promise<void>][] = [
  [
    'with accepted calls, some perhaps on their way to the network',
    async () => {
      const accepted = await rig.placeMany(rounds(3, 6));
      await killAndStart();
      for (const id of accepted) await rig.call(id, ({ status }) => status !== 'initiated');
    },
  ],
  [
    'with calls that ring',
    async () => {
      const ringing = await rig.placeMany(rounds(3, 4));
      await rig.dialled(ringing);
      await killAndStart();
      for (const id of ringing) {
        const call = await rig.call(id, ({ ended_at }) => ended_at !== null);
        expect(call).toMatchObject({ status: 'failed', ended_reason: 'server_crash' });
      }
    },
  ],
];

/** Kills in talks, whose sound is kept. */
const IN_TALKS: [string, () => Promise<void>][] = [
  [
    "in the agent's first words",
    async () => {
      const greeted = await rig.placeMany(rounds(2, 3));
      await rig.voicesRecorded(greeted, { agent: 1 });
      expect((await killInTalk(greeted)).agent).toBeGreaterThan(0);
    },
  ],
  [
    "in the customer's answer",
    async () => {
      const answering = await rig.placeMany(2);
      await rig.voicesRecorded(answering, { customer: 1 });
      expect((await killInTalk(answering)).customer).toBeGreaterThan(0);
    },
  ],
  [
    'in talks that are at different points',
    async () => {
      const talking: string[] = [];
      for (let count = 0; count < rounds(3, 5); count += 1) {
        const id = await rig.place();
        talking.push(id);
        await rig.call(id, ({ status }) => status === 'active');
      }
      const voices = { agent: rounds(3, 5), customer: 2 };
      await rig.voicesRecorded(talking, voices);
      const heard = await killInTalk(talking);
      expect(heard.agent).toBeGreaterThanOrEqual(voices.agent);
      expect(heard.customer).toBeGreaterThanOrEqual(voices.customer);
    },
  ],
];

/** Kills when calls end, each of which ends once, with all of the work that follows. */
const AFTER_TALKS: [string, () => Promise<void>][] = [
  [
    'while calls are being ended',
    async () => {
      const leaving = await rig.placeMany(rounds(2, 3));
      for (const id of leaving) await rig.call(id, ({ status }) => status === 'active');
      const ends = leaving.map((id) => rig.service.request('POST', `/api/calls/${id}/disconnect`));
      await Promise.race(ends);
      await Promise.all([rig.kill(), ...ends.map((end) => end.catch(() => {}))]);
      await rig.start(PATIENT);
    },
  ],
  [
    'in the work that follows calls, and at once again: while all this is being taken up',
    async () => {
      const short = await rig.placeMany(12, LOAD_PERSONA);
      await rig.call(short[0]!, ({ ended_at }) => ended_at !== null);
      await killAndStart();
      await killAndStart();
    },
  ],
];

describe('a service that is killed', () => {
  it.each([...drawn(1, BEFORE_TALKS), ...drawn(1, IN_TALKS), ...drawn(1, AFTER_TALKS)])(
    '%s',
    async (_, killInState) => {
      await killInState();
    },
  );

  it('has ended once what was under way, and let no phone ring twice', () => rig.expectAllSettled());
});

it('a service that is asked to stop lets a talk come to its end, and ends one that goes on for too long', async () => {
  const { body } = await rig.service.request('POST', '/api/agents', SHORT_AGENT);
  const short = await rig.place(undefined, (body as { id: string }).id);
  await rig.call(short, ({ status }) => status === 'active');
  expect(await rig.service.stop()).toBe(0);
  await rig.start(IMPATIENT);
  const completed = await rig.call(short, ({ ended_at }) => ended_at !== null);
  expect(completed).toMatchObject({ status: 'completed', ended_reason: 'agent_hangup' });

  const id = await rig.place();
  await rig.recorded(id, 1_900);
  await rig.voicesRecorded([id], { agent: 1 });
  const { to_phone: number } = await rig.call(id, () => true);
  expect(await rig.service.stop()).toBe(0);
  // The network was told.
  const lines = rig.ledger().filter(({ to }) => to === number);
  expect(lines.map(({ what }) => what)).toEqual(['dialled', 'completed']);
  await rig.start();
  const call = await rig.call(id, ({ ended_at }) => ended_at !== null);
  expect(call).toMatchObject({ status: 'failed', ended_reason: 'server_shutdown', fault: 'platform' });
  const { durationMs, agent } = await rig.recording(id);
  expect(durationMs).toBeGreaterThan(2_500);
  expect(agent).toBeGreaterThan(0);
  await rig.expectAllSettled();
});
