import Database from 'better-sqlite3';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { z } from 'zod';
import { callList } from '#http/routes/call-list.js';
import { sleep, systemClock, toInstant } from '#kernel/time/clock.js';
import type { EndedReason } from '#calls/record/ended-reason.js';
import type { CallResource } from '#calls/resources/call-resource.js';
import type { SandboxKind } from '#telephony/sandbox/sandbox-kinds.js';
import type { Pickup } from '#telephony/sandbox/personas/persona.js';
import type { JournalLine } from '#telephony/sandbox/call-journal.js';
import { once, told } from './call-story.js';
import { DYING_SERVICE, dyingAt } from './dying-service.js';
import { spawnService, startService, type Service } from './service.js';
import { temporaryFolder } from './temporary-folder.js';

/** The persona at every number. */
const EVERYBODY = { number: '+15550100001', name: 'Everybody', description: 'Lives at every number.' };
const PAGE = 200;
/** Concurrent requests while calls are placed. */
const CALLERS = 16;

/**
 * Many calls, the processes that place them, and the check of the result: the telephone network's own journal, which
 * no process of the service can change.
 */
export class CallLoad {
  readonly folder = temporaryFolder();
  readonly #environment: Readonly<Record<string, string>>;
  readonly #services = new Map<number, Service>();
  #asked = 0;

  /**
   * @param pickup the reaction to every call. By default the phone rings briefly and the call is declined: short,
   *   without audio, and long enough to be hit by a crash
   */
  constructor(
    kind: SandboxKind,
    environment: Readonly<Record<string, string>> = {},
    pickup: Pickup['kind'] = 'rejects',
  ) {
    const personas = join(this.folder, 'personas');
    mkdirSync(personas);
    writeFileSync(
      join(personas, 'everybody.json'),
      JSON.stringify({ ...EVERYBODY, pickup: { kind: pickup } }),
    );
    this.#environment = {
      SANDBOX_KIND: kind,
      SANDBOX_PERSONAS_DIR: personas,
      SANDBOX_LEDGER: join(this.folder, 'ledger.jsonl'),
      COMPLIANCE_MODE: 'off',
      DIAL_DEADLINE_SECONDS: '3',
      CALLS_PER_SECOND: '1000',
      ...environment,
    };
  }

  /** A process of the service by number; default the first. */
  service(index = 0): Service {
    const service = this.#services.get(index);
    if (!service) throw new Error(`process ${index} does not run`);
    return service;
  }

  /** Starts the whole service. */
  start(index = 0): Promise<void> {
    return this.#start(index, {});
  }

  /**
   * Starts the service without voices: these calls are not spoken.
   * @param how the rate limit of its carrier; default none
   */
  startSilent(index = 0, how: { CARRIER_CALLS_PER_SECOND?: string } = {}): Promise<void> {
    return this.#start(index, { FAILPOINT: '', ...how }, DYING_SERVICE);
  }

  /** Starts the first process as one that dies at a step (see {@link dyingAt}), or at none. */
  async startDying(step = ''): Promise<void> {
    await this.#start(0, await dyingAt(step), DYING_SERVICE);
  }

  async #start(index: number, more: Readonly<Record<string, string>>, program?: string): Promise<void> {
    const folder = join(this.folder, `process-${index}`);
    mkdirSync(folder, { recursive: true });
    this.#services.set(index, await startService(folder, { ...this.#environment, ...more }, program));
  }

  /** Runs a process that dies at a step, perhaps before it listens; resolves with its exit code or signal. */
  async startAndDie(step: string): Promise<number | string | null> {
    const folder = join(this.folder, 'process-0');
    const environment = { ...this.#environment, ...(await dyingAt(step)) };
    return (await spawnService(folder, environment, DYING_SERVICE).ended).code;
  }

  async kill(index = 0): Promise<void> {
    await this.#services.get(index)?.kill();
    this.#services.delete(index);
  }

  async killAll(): Promise<void> {
    await Promise.all([...this.#services.keys()].map((index) => this.kill(index)));
  }

  /** Stops the process for a while (SIGSTOP), then continues it. */
  async freeze(index: number, durationMs: number): Promise<void> {
    const { process } = this.service(index).child;
    process.kill('SIGSTOP');
    await sleep(systemClock, durationMs);
    process.kill('SIGCONT');
  }

  /** Places calls to this many different numbers, scheduled soon. */
  async ask(count: number, inMs: number): Promise<void> {
    const scheduled_time = toInstant(systemClock.wallMs() + inMs);
    const { request } = this.service();
    const caller = async () => {
      while (this.#asked < count) {
        const to_number = `+1415556${String(this.#asked++).padStart(4, '0')}`;
        const ask = () => request('POST', '/outbound-call', { to_number, scheduled_time });
        let answer = await ask();
        // Not accepted: a busy machine times out slow clients, and requests that wait for a lock.
        while (answer.status === 408 || answer.status === 503) answer = await ask();
        expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
  }

  /** The dialled calls, from the network's journal. */
  #dialled(): JournalLine[] {
    const path = join(this.folder, 'ledger.jsonl');
    const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
    return lines.map((line) => JSON.parse(line) as JournalLine).filter(({ what }) => what === 'dialled');
  }

  /** How often each number was dialled. */
  timesDialled(): Map<string, number> {
    const times = new Map<string, number>();
    for (const { to } of this.#dialled()) times.set(to, (times.get(to) ?? 0) + 1);
    return times;
  }

  /** From the first to the last dialled call, in milliseconds. */
  dialledForMs(): number {
    const instants = this.#dialled().map(({ at }) => Date.parse(at));
    return Math.max(...instants) - Math.min(...instants);
  }

  /** All calls, once none is open. */
  async calls(): Promise<CallResource[]> {
    const { request } = this.service();
    await once(async () => {
      const open = await told(request, '/api/calls?live=true&limit=1', callList);
      if (open.data.length > 0) throw new Error(`calls are open, one is ${open.data[0]!.status}`);
    });
    const calls: CallResource[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const path = `/api/calls?limit=${PAGE}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
      const page: z.infer<typeof callList> = await told(request, path, callList);
      calls.push(...page.data);
      cursor = page.next_cursor;
    }
    return calls;
  }

  /**
   * Asserts that no phone rang twice, that every call has ended with a reason, and that calls which never rang have
   * one of `unrung`.
   * @param unrung the reasons allowed for calls that never rang
   */
  async expectEachOnce(unrung: readonly EndedReason[]): Promise<void> {
    const calls = await this.calls();
    expect(calls).toHaveLength(this.#asked);
    const times = this.timesDialled();
    const twice = [...times].filter(([, count]) => count > 1);
    expect(twice, 'dialled twice').toEqual([]);
    const silent = calls.filter((call) => !times.has(call.to_phone));
    const lost = silent.filter(({ ended_reason: reason }) => !reason || !unrung.includes(reason));
    expect(
      lost.map((call) => [call.to_phone, call.ended_reason]),
      'never dialled',
    ).toEqual([]);
  }

  /** Asserts that the database is intact and has one end event per ended call. For SQLite, when no process runs. */
  expectSoundDatabase(index = 0): void {
    const path = join(this.folder, `process-${index}`, 'data', 'callwright.db');
    const database = new Database(path, { fileMustExist: true });
    try {
      expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
      expect(database.pragma('foreign_key_check')).toEqual([]);
      const ends = database
        .prepare(
          `select count(events.id) as ends from calls
           left join events on subject_id = calls.id and type in ('call.failed', 'call.completed')
           where status <> 'cancelled' and ended_at is not null group by calls.id`,
        )
        .pluck()
        .all();
      expect(ends).toEqual(ends.map(() => 1));
    } finally {
      database.close();
    }
  }
}
