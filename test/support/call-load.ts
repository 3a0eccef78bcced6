import Database from 'better-sqlite3';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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
import { spawnService, startService, type Service } from './service.js';
import { temporaryFolder } from './temporary-folder.js';

/** Who answers at every number. */
const EVERYBODY = { number: '+15550100001', name: 'Everybody', description: 'Lives at every number.' };
const DYING_SERVICE = fileURLToPath(new URL('./dying-service.mjs', import.meta.url));
const PAGE = 200;
/** How many requests are on their way at once while calls are being asked for. */
const CALLERS = 16;

/** Numbers from 0 to 1 that are the same for the same seed, so that a bad run can be run again. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Many calls, the processes that make them, and the judge: the telephone network's own book, which no process of the
 * service can take back.
 */
export class CallLoad {
  readonly folder = temporaryFolder();
  readonly #environment: Readonly<Record<string, string>>;
  readonly #services = new Map<number, Service>();
  #asked = 0;

  /**
   * @param pickup what becomes of every call. Unless said, the phone rings for a moment and the call is declined:
   * short, without sound, and long enough to be hit
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

  /** A process of the service, by its number: the first one unless said. */
  service(index = 0): Service {
    const service = this.#services.get(index);
    if (!service) throw new Error(`process ${index} does not run`);
    return service;
  }

  /**
   * @param dying the service without its voices, where it shall die (nowhere: ''), and how fast its carrier takes calls
   */
  async start(index = 0, dying?: { FAILPOINT: string; CARRIER_CALLS_PER_SECOND?: string }): Promise<void> {
    const folder = join(this.folder, `process-${index}`);
    mkdirSync(folder, { recursive: true });
    const environment = { ...this.#environment, ...dying };
    this.#services.set(index, await startService(folder, environment, dying && DYING_SERVICE));
  }

  /** A process that dies at a place of its own accord, perhaps before it listens; resolves with how it ended. */
  async startAndDie(FAILPOINT: string): Promise<number | string | null> {
    const folder = join(this.folder, 'process-0');
    return (await spawnService(folder, { ...this.#environment, FAILPOINT }, DYING_SERVICE).ended).code;
  }

  async kill(index = 0): Promise<void> {
    await this.#services.get(index)?.kill();
    this.#services.delete(index);
  }

  async killAll(): Promise<void> {
    await Promise.all([...this.#services.keys()].map((index) => this.kill(index)));
  }

  /** The process stands still for so long, with all that it was doing, and goes on as if nothing had been. */
  async freeze(index: number, durationMs: number): Promise<void> {
    const { process } = this.service(index).child;
    process.kill('SIGSTOP');
    await sleep(systemClock, durationMs);
    process.kill('SIGCONT');
  }

  /** Asks for calls to so many numbers, each of them its own, at a time that is soon. */
  async ask(count: number, inMs: number): Promise<void> {
    const scheduled_time = toInstant(systemClock.wallMs() + inMs);
    const { request } = this.service();
    const caller = async () => {
      while (this.#asked < count) {
        const to_number = `+1415556${String(this.#asked++).padStart(4, '0')}`;
        const ask = () => request('POST', '/outbound-call', { to_number, scheduled_time });
        let answer = await ask();
        // Not taken in: a machine that is busy with much else cuts off slow clients, and whoever waits for a lock.
        while (answer.status === 408 || answer.status === 503) answer = await ask();
        expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
  }

  /** The phones that were made to ring, by the network's own book. */
  #dialled(): JournalLine[] {
    const path = join(this.folder, 'ledger.jsonl');
    const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
    return lines.map((line) => JSON.parse(line) as JournalLine).filter(({ what }) => what === 'dialled');
  }

  /** How often each number was made to ring. */
  timesDialled(): Map<string, number> {
    const times = new Map<string, number>();
    for (const { to } of this.#dialled()) times.set(to, (times.get(to) ?? 0) + 1);
    return times;
  }

  /** From the first phone that was made to ring to the last one, in milliseconds. */
  dialledForMs(): number {
    const instants = this.#dialled().map(({ at }) => Date.parse(at));
    return Math.max(...instants) - Math.min(...instants);
  }

  /** All calls, as soon as none is open any more. */
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
   * No phone rang twice, every call is over with a reason, and one whose phone did not ring has one that says so.
   * @param unrung the reasons that may
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

  /** The database is whole, and announced one end for each call that is over. For SQLite, when no process runs. */
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
