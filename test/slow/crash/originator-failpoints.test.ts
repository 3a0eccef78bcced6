import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { systemClock, toInstant } from '#kernel/time/clock.js';
import { once } from '#test/support/call-story.js';
import type { Service } from '#test/support/service.js';
import { CallLoad } from '#test/support/call-load.js';
import { drawn } from '#test/support/tier.js';

interface Death {
  /** The steps at which one process after the other dies (`dying-service.mjs`). */
  at: readonly [string, ...string[]];
  /** What is made, of how many numbers. */
  makes: 'batch' | 'schedules';
  numbers?: number;
  /** Everybody declines, unless said. */
  pickup?: 'busy' | 'no_answer';
  /** Asked for once the first phone rings: for everything, or for what no phone rings for. */
  cancels?: true | 'waiting';
  /** How often each phone rings in the end, at least and at most; once, unless said. */
  rings?: [number, number];
}

const DEATHS: readonly Death[] = [
  // Whoever asked was told nothing, and there is no batch.
  { at: ['after batch_loads.begin'], makes: 'batch', rings: [0, 0] },
  { at: ['before batch_loads.finish'], makes: 'batch', rings: [0, 0] },
  {
    at: [
      'after batch_loads.finish',
      'after feeds.claim',
      'after feeds.release',
      'after call_ends.undelivered',
      'after batch_ends.settle',
    ],
    makes: 'batch',
  },
  // One number: a call that is under way when its process dies may end without having been busy.
  { at: ['after feeds.release 2'], makes: 'batch', numbers: 1, pickup: 'busy', rings: [2, 2] },
  // More numbers than are closed in one go, and more in the dialler's queue than it has slots for.
  {
    at: ['after batches.cancel', 'after feeds.recall', 'after feeds.sweep'],
    makes: 'batch',
    numbers: 250,
    pickup: 'no_answer',
    cancels: true,
    rings: [0, 1],
  },
  {
    at: [
      'after scheduler.claim',
      'after scheduler.performDue',
      'after call_ends.undelivered',
      'after scheduler.settle',
    ],
    makes: 'schedules',
  },
  { at: ['after scheduler.settle'], makes: 'schedules', numbers: 1, pickup: 'busy', rings: [2, 2] },
  { at: ['after schedules.cancel'], makes: 'schedules', pickup: 'no_answer', cancels: true, rings: [0, 1] },
  // Nobody is hung up on: those are deleted whose calls wait for a slot.
  {
    at: ['after schedules.cancel'],
    makes: 'schedules',
    pickup: 'no_answer',
    cancels: 'waiting',
    rings: [0, 1],
  },
];

/** All schedules are made by then, also on a busy machine. */
const SOON_MS = 3_000;
const SLOTS = 2;
const FEW_SLOTS = { MAX_CONCURRENT_CALLS: String(SLOTS) };
const RETRIES = { retry_policy: { max_retries: 1, retry_delay: 1, retry_on: ['busy'] } };

const numberAt = (index: number) => `+1415558${String(index).padStart(4, '0')}`;
const numbersOf = (death: Death) => Array.from({ length: death.numbers ?? 3 }, (_, index) => numberAt(index));

/** What a list shows of batches and schedules alike. */
const madeThing = z.object({ id: z.string(), status: z.string(), phone_number: z.string().optional() });
type Made = z.infer<typeof madeThing>;
const madeList = z.object({ data: z.array(madeThing) });

async function made({ request }: Service, { makes }: Death): Promise<Made[]> {
  const { body } = await request('GET', makes === 'batch' ? '/api/batches' : '/api/scheduled-calls');
  return madeList.parse(body).data;
}

/** Asks for what is to be made. Whoever asks a process that dies gets no answer. */
async function make({ request }: Service, death: Death): Promise<void> {
  const retries = death.pickup === 'busy' ? RETRIES : {};
  if (death.makes === 'batch') {
    const wish = { to_number: numbersOf(death), max_concurrency: 10, ...retries };
    return void (await request('POST', '/batch/schedule-call', wish).catch(() => null));
  }
  const { body } = await request('POST', '/api/agents', { name: 'Caller' });
  const { id: agent_id } = z.object({ id: z.string() }).parse(body);
  const scheduled_time = toInstant(systemClock.wallMs() + SOON_MS);
  for (const phone_number of numbersOf(death)) {
    const wish = { agent_id, phone_number, scheduled_time, ...retries };
    expect((await request('POST', '/api/scheduled-calls', wish)).status).toBe(201);
  }
}

/** Cancels as soon as a phone rings, or as many as there are slots. */
async function cancel(load: CallLoad, death: Death): Promise<void> {
  const isOfWaiting = death.cancels === 'waiting';
  const least = isOfWaiting ? SLOTS : 1;
  await once(async () => expect(load.timesDialled().size).toBeGreaterThanOrEqual(least));
  const rung = load.timesDialled();
  await cancelAll(load.service(), death, ({ phone_number: number }) => !isOfWaiting || !rung.has(number!));
}

async function cancelAll(
  service: Service,
  death: Death,
  which: (thing: Made) => boolean = () => true,
): Promise<void> {
  const query = death.cancels === 'waiting' ? '' : '?hangup=true';
  const requests = (await made(service, death))
    .filter(which)
    .map(({ id }) =>
      death.makes === 'batch'
        ? service.request('POST', `/api/batches/${id}/cancel`)
        : service.request('DELETE', `/api/scheduled-calls/${id}${query}`),
    );
  await Promise.allSettled(requests);
}

/** What was made is over, or was never made. */
async function expectOver(load: CallLoad, death: Death): Promise<void> {
  const [least] = death.rings ?? [1, 1];
  const isNothing = least === 0 && !death.cancels;
  // A schedule whose process died of cancelling another one was not cancelled itself.
  const over = death.cancels ? /^(cancelled|failed)$/ : /^failed$/;
  await once(async () => {
    const things = await made(load.service(), death);
    if (isNothing) return expect(things).toEqual([]);
    expect(things.length).toBeGreaterThan(0);
    for (const { status } of things) expect(status).toMatch(over);
  });
  await load.calls();
}

/** Some of either kind. */
const DRAWN = [
  ...drawn(
    1,
    DEATHS.filter(({ makes }) => makes === 'batch'),
  ),
  ...drawn(
    1,
    DEATHS.filter(({ makes }) => makes === 'schedules'),
  ),
];

// Mostly they wait for leases to end, so several do at the same time.
describe.concurrent('a process that dies while it makes calls', () => {
  it.for(DRAWN)('at $at is followed by one that finishes its work', async (death, { onTestFinished }) => {
    const load = new CallLoad('look_up', death.cancels ? FEW_SLOTS : {}, death.pickup);
    onTestFinished(() => load.killAll());
    const [first, ...others] = death.at;
    await load.startDying(first);
    const { ended } = load.service().child;
    await make(load.service(), death);
    if (death.cancels) await cancel(load, death);
    expect((await ended).code).toBe('SIGKILL');
    for (const place of others) expect(await load.startAndDie(place)).toBe('SIGKILL');
    await load.startDying();
    const cancelled = (await made(load.service(), death)).filter(({ status }) => status === 'cancelled');
    // Then nobody has to wait for phones to stop ringing, and there is room to dial whoever should not be.
    if (death.makes === 'schedules' && death.cancels)
      await cancelAll(load.service(), { ...death, cancels: true });
    await expectOver(load, death);
    await load.killAll();
    const [least, most] = death.rings ?? [1, 1];
    const times = load.timesDialled();
    if (death.cancels === 'waiting')
      expect(cancelled.map(({ phone_number: number }) => times.get(number!))).toEqual([undefined]);
    for (const number of numbersOf(death)) {
      expect(times.get(number) ?? 0, number).toBeGreaterThanOrEqual(least);
      expect(times.get(number) ?? 0, number).toBeLessThanOrEqual(most);
    }
    load.expectSoundDatabase();
  });
});
