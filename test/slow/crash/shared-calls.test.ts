import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { sleep, systemClock } from '#kernel/time/clock.js';
import { once } from '#test/support/call-story.js';
import { TwilioEmulator } from '#test/support/emulators/twilio-emulator.js';
import type { PhoneBehaviour } from '#test/support/emulators/phone-network.js';
import { Fleet, FLEET_DOMAIN } from '#test/support/fleet.js';
import { startPostgres } from '#test/support/postgres.js';
import { Receiver, trustedCertificate } from '#test/support/receiver.js';
import { randomOf, SEED, tellSeed } from '#test/support/seed.js';
import { drawn, rounds } from '#test/support/tier.js';

/** How often each fault happens in a soak run; otherwise once. */
const FAULTS = { kill: 15, freeze: 3, roll: 2, stop_database: 2, kill_database: 2 };
const KINDS_OF_FAULTS: readonly Fault[] = [
  ...drawn(2, ['kill', 'freeze', 'roll'] as const),
  ...drawn(1, ['stop_database', 'kill_database'] as const),
];
const PROCESSES = 3;
/**
 * A carrier has a third of it for its answer: on a machine that starts processes all the time, with less than some
 * seconds most calls would end as uncertain, because the fake carrier is slow.
 */
const DIAL_DEADLINE_SECONDS = 10;
const LONGER_THAN_A_LEASE_MS = DIAL_DEADLINE_SECONDS * 1_500 + 1_000;
/** A call is asked for, and one comes in, every so often. */
const [ASK_EVERY_MS, COME_IN_EVERY_MS] = [rounds(500, 250), rounds(2_000, 1_000)];
const FAILING_POSTS = 0.1;
const OURS = '+14155550177';
/**
 * The process died, or the database was away, between the word to the carrier and its answer: whether the phone rang is
 * not known, the call says so, and its number is not called twice.
 */
const NOT_KNOWN_TO_HAVE_RUNG = ['uncertain', 'provider_unreachable', 'provider_error', 'expired'];

let close: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const part of close.reverse()) await part();
  close = [];
});

const postgres = await startPostgres();

describe.skipIf(postgres.isMissing)('three processes that share calls, behind a balancer', () => {
  it('dial each call once, lose none, end all and tell of all, whatever happens to them', async () => {
    tellSeed('three processes that share calls');
    const run = await Run.open(randomOf(SEED));
    await run.whileCalling(() => run.disturb());
    const found = await run.judge();
    process.stdout.write(`${JSON.stringify(found.counts)}\n`);
    expect(found.wrong).toEqual({
      refused: [],
      twice: [],
      lost: [],
      withoutEnd: [],
      eventsMissing: [],
      endsTwice: [],
    });
    expect(found.counts.placed).toBeGreaterThan(20);
    expect(found.counts.cameIn).toBeGreaterThan(0);
  });
});

type Fault = keyof typeof FAULTS;

interface RunParts {
  fleet: Fleet;
  carrier: TwilioEmulator;
  receiver: Receiver;
  databaseUrl: string;
  /** The events that the receiver has taken, by their ids. */
  taken: Set<string>;
  random: () => number;
}

interface Rows {
  /** With how many ends of each were announced. */
  calls: { id: string; ended_at: string | null; ended_reason: string | null; ends: number }[];
  events: { id: string; type: string; subject_id: string }[];
  /** Pieces of after-call work that are not done, and not given up. */
  jobs: number;
}

/** One run: the processes, their carrier, their receiver, and what each of those has seen. */
class Run {
  /** The numbers that were asked to be called, and the ids of their calls. */
  readonly #asked = new Map<string, string>();
  readonly #refused: string[] = [];
  readonly #parts: RunParts;
  /** Processes on their way up again, while the next faults happen to others. */
  readonly #restarts = new Set<Promise<void>>();
  readonly #done = { kill: 0, freeze: 0, stop_database: 0, kill_database: 0, roll: 0 };
  #cameIn = 0;

  private constructor(parts: RunParts) {
    this.#parts = parts;
  }

  static async open(random: () => number): Promise<Run> {
    const { certificate, caFile } = await trustedCertificate();
    const taken = new Set<string>();
    const receiver = await Receiver.open(certificate, ({ headers }, response) => {
      const fails = random() < FAILING_POSTS;
      if (!fails) taken.add(String(headers['webhook-id']));
      response.writeHead(fails ? 500 : 200).end();
    });
    close.push(() => receiver.close());
    const carrier = await TwilioEmulator.open({ reach: (url) => fleet.reach(url) });
    close.push(() => carrier.close());
    const databaseUrl = await postgres.server.createDatabase();
    const fleet = new Fleet(
      PROCESSES,
      {
        DATABASE_URL: databaseUrl,
        WEBHOOK_CA_FILE: caFile,
        CARRIER: 'twilio',
        TWILIO_ACCOUNT_SID: carrier.accountSid,
        TWILIO_AUTH_TOKEN: carrier.authToken,
        TWILIO_API_URL: carrier.url,
        COMPLIANCE_MODE: 'off',
        DIAL_DEADLINE_SECONDS: String(DIAL_DEADLINE_SECONDS),
        CALLS_PER_SECOND: '50',
        DICTATION_THREADS: '0',
      },
      random,
    );
    close.push(() => fleet.killAll());
    await fleet.startAll();
    const run = new Run({ fleet, carrier, receiver, databaseUrl, taken, random });
    await run.#setUp();
    return run;
  }

  async #setUp(): Promise<void> {
    const { fleet, receiver } = this.#parts;
    const ask = async (path: string, body: unknown) => {
      const answer = await fleet.ask('POST', path, { body });
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
      return answer.body as { id: string };
    };
    const agent = await ask('/api/agents', { name: 'Short', initial_message: 'Hello.' });
    await ask('/api/phone-numbers', { phone_number: OURS, agent_id: agent.id });
    const retry_policy = { max_attempts: 20, backoff_multiplier: 1, initial_delay_seconds: 1 };
    await ask('/v1/webhooks', { url: `${receiver.url}/events`, retry_policy });
  }

  /** Asks for calls, and has calls come in, until what is done meanwhile is over. */
  async whileCalling(task: () => Promise<void>): Promise<void> {
    let isOver = false;
    const repeat = async (everyMs: number, act: () => Promise<void>) => {
      const underWay: Promise<void>[] = [];
      while (!isOver) {
        underWay.push(act());
        await sleep(systemClock, everyMs);
      }
      await Promise.all(underWay);
    };
    const callers = [repeat(ASK_EVERY_MS, () => this.#ask()), repeat(COME_IN_EVERY_MS, () => this.#comeIn())];
    await task().finally(() => (isOver = true));
    await Promise.all(callers);
  }

  async #ask(): Promise<void> {
    const { fleet, carrier } = this.#parts;
    const number = `+1415556${String(this.#asked.size).padStart(4, '0')}`;
    this.#asked.set(number, '');
    carrier.network.install(number, this.#phone());
    const body = { to_number: number, from_number: OURS };
    const answer = await fleet.ask('POST', '/outbound-call', { body, key: number });
    if (answer.status === 200) this.#asked.set(number, (answer.body as { call_id: string }).call_id);
    else this.#refused.push(`${number}: ${JSON.stringify(answer.body)}`);
  }

  #phone(): PhoneBehaviour {
    const chance = this.#parts.random();
    if (chance < 0.4) return { kind: 'rejects', ringMs: 400 };
    if (chance < 0.7) return { kind: 'busy' };
    return { kind: 'answers', ringMs: 300, staysMs: 3_000 + 3_000 * this.#parts.random() };
  }

  async #comeIn(): Promise<void> {
    this.#cameIn += 1;
    this.#parts.carrier.callIn({
      from: `+1415557${String(this.#cameIn).padStart(4, '0')}`,
      to: OURS,
      webhookUrl: `https://${FLEET_DOMAIN}/webhook/twilio/incoming`,
      statusUrl: `https://${FLEET_DOMAIN}/webhook/twilio/status`,
      staysMs: 4_000,
    });
  }

  /** The faults, in an order of their own. */
  async disturb(): Promise<void> {
    const sinceMs = systemClock.monotonicMs();
    const freezes: Promise<void>[] = [];
    for (const fault of this.#faults()) {
      await sleep(systemClock, 200 + this.#parts.random() * 600);
      const second = Math.round((systemClock.monotonicMs() - sinceMs) / 1_000);
      process.stdout.write(`${fault} after ${second} s, ${this.#asked.size} calls\n`);
      await this.#harm[fault](freezes);
      this.#done[fault] += 1;
    }
    await Promise.all([...freezes, ...this.#restarts]);
  }

  /** A process that something is done to; another one runs meanwhile. */
  async #victim(): Promise<number> {
    const { fleet, random } = this.#parts;
    while (fleet.running.length < 2) await Promise.race(this.#restarts);
    return fleet.running[Math.floor(random() * fleet.running.length)]!;
  }

  #restart(victim: number): void {
    const restart = this.#parts.fleet.start(victim).finally(() => this.#restarts.delete(restart));
    this.#restarts.add(restart);
  }

  #faults(): Fault[] {
    const { random } = this.#parts;
    const faults = KINDS_OF_FAULTS.flatMap((fault) =>
      Array.from({ length: rounds(1, FAULTS[fault]) }, () => ({ fault, place: random() })),
    );
    return faults.toSorted((a, b) => a.place - b.place).map(({ fault }) => fault);
  }

  readonly #harm: Record<Fault, (freezes: Promise<void>[]) => Promise<void>> = {
    kill: async () => {
      const victim = await this.#victim();
      await this.#parts.fleet.kill(victim);
      this.#restart(victim);
    },
    // The next faults happen meanwhile, but to others.
    freeze: async (freezes) => {
      await Promise.all(freezes.splice(0));
      freezes.push(this.#parts.fleet.freeze(await this.#victim(), LONGER_THAN_A_LEASE_MS));
    },
    // Not while a process starts: one that finds no database leaves again.
    stop_database: async () => {
      await Promise.all(this.#restarts);
      await postgres.server.stop();
      await sleep(systemClock, 1_500);
      await postgres.server.start();
    },
    kill_database: async () => {
      await Promise.all(this.#restarts);
      await postgres.server.crash();
      await sleep(systemClock, 1_000);
      await postgres.server.start();
    },
    roll: async () => {
      const victim = await this.#victim();
      await this.#parts.fleet.stop(victim);
      this.#restart(victim);
    },
  };

  /** What the carrier's network, the receiver and the database say of all calls, once they are over. */
  async judge() {
    const { carrier } = this.#parts;
    const rows = await this.#settled();
    const reached = new Map<string, number>();
    for (const { number } of carrier.network.reached) reached.set(number, (reached.get(number) ?? 0) + 1);
    const byId = new Map(rows.calls.map((call) => [call.id, call]));
    const lost = [...this.#asked].filter(([number, id]) => {
      const call = byId.get(id);
      if (!call) return true;
      return !reached.has(number) && !NOT_KNOWN_TO_HAVE_RUNG.includes(call.ended_reason ?? '');
    });
    const uncertain = [...this.#asked].filter(([, id]) => byId.get(id)?.ended_reason === 'uncertain');
    const reasons: Record<string, number> = {};
    for (const { ended_reason } of rows.calls)
      reasons[ended_reason ?? 'none'] = (reasons[ended_reason ?? 'none'] ?? 0) + 1;
    return {
      wrong: {
        refused: this.#refused,
        twice: [...reached].filter(([, times]) => times > 1),
        lost: lost.map(([number, id]) => [number, id, byId.get(id)?.ended_reason]),
        withoutEnd: rows.calls.filter(({ ended_at }) => ended_at === null).map(({ id }) => id),
        eventsMissing: rows.events
          .filter(({ id }) => !this.#parts.taken.has(id))
          .map(({ type, subject_id }) => [type, subject_id]),
        endsTwice: rows.calls
          .filter(({ ends }) => ends !== 1)
          .map(({ id, ends, ended_reason }) => [id, ends, ended_reason]),
      },
      counts: {
        placed: this.#asked.size,
        reached: reached.size,
        cameIn: this.#cameIn,
        calls: rows.calls.length,
        events: rows.events.length,
        faults: this.#done,
        reasons,
        uncertainThatRang: uncertain.filter(([number]) => reached.has(number)).length,
      },
    };
  }

  /** What the database holds when nothing is left to do; of a run that comes to no end, what it holds then. */
  async #settled(): Promise<Rows> {
    const look = async () => {
      const rows = await this.#rows();
      const missing = rows.events.filter(({ id }) => !this.#parts.taken.has(id));
      const open = rows.calls.filter(({ ended_at }) => ended_at === null);
      if (missing.length + open.length + rows.jobs > 0)
        throw new Error(`${open.length} calls, ${rows.jobs} jobs and ${missing.length} events are left`);
      return rows;
    };
    return once(look).catch(() => this.#rows());
  }

  async #rows(): Promise<Rows> {
    const client = new pg.Client(this.#parts.databaseUrl);
    await client.connect();
    const read = async <Row extends pg.QueryResultRow>(sql: string) => (await client.query<Row>(sql)).rows;
    try {
      const calls = await read<Rows['calls'][number]>(
        `select id, ended_at, ended_reason, (select count(*)::int from events where subject_id = calls.id
           and type in ('call.completed', 'call.failed', 'call.missed')) as ends from calls`,
      );
      const [left] = await read<{ jobs: number }>(
        `select count(*)::int as jobs from jobs where status <> 'failed'`,
      );
      const events = await read<Rows['events'][number]>('select id, type, subject_id from events');
      return { calls, events, jobs: left!.jobs };
    } finally {
      await client.end();
    }
  }
}
