import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { databaseCommands } from '../../../src/commands/database.js';
import { holdCommand } from '../../../src/commands/hold.js';
import { readConfig } from '../../../src/config/read-config.js';
import { systemClock, toInstant } from '../../../src/kernel/time/clock.js';
import { createIds } from '../../../src/kernel/ids/ids.js';
import type { LedgerLine } from '../../../src/telephony/sandbox/ledger.js';
import { PERSONAS } from '../../../src/telephony/sandbox/personas/personas.js';
import { once } from '../../support/call-story.js';
import { buildTestService, type TestService } from '../../support/test-service.js';
import { createMemoryLog } from '../../support/memory-log.js';
import { startPostgres } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/store.js';

const postgres = await startPostgres();

/** Everybody lets it ring. */
const NO_ANSWER = PERSONAS.filter(({ pickup }) => pickup.kind === 'no_answer');

describe.each(postgres.engines)('a database put back to an earlier state, on %s', (engine) => {
  /** Services one after the other over the same database and the same telephone network, with one line. */
  async function street() {
    const ledgerPath = join(temporaryFolder(), 'ledger.jsonl');
    const { databaseUrl } = await postgres.databaseOn(engine);
    const environment = {
      DATA_DIR: temporaryFolder(),
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      MAX_CONCURRENT_CALLS: '1',
      INBOUND_SHARE_PERCENT: '0',
    };
    return {
      environment,
      open(): Promise<TestService> {
        const sandbox = { callsPerSecond: 1_000, ledgerPath, personas: NO_ANSWER };
        return buildTestService({ listen: true, environment, replace: { sandbox } });
      },
      dialled: () =>
        (existsSync(ledgerPath) ? readFileSync(ledgerPath, 'utf8').split('\n').filter(Boolean) : [])
          .map((line) => JSON.parse(line) as LedgerLine)
          .filter(({ what }) => what === 'dialled')
          .map(({ to }) => to),
    };
  }

  /** Puts the database back to what it is now; PostgreSQL has tools of its own for that. */
  async function putBack(environment: Record<string, string>): Promise<string> {
    if (engine === 'postgres') return callwright(environment, 'hold');
    const backup = join(temporaryFolder(), 'backup.db');
    await callwright(environment, 'backup', backup);
    return callwright(environment, 'restore', backup);
  }

  it('phones nobody again whose call waited, and says so', async () => {
    const { environment, open, dialled } = await street();
    const before = await open();
    const agent = { name: 'Desk', initial_message: 'Hello.' };
    const { id: agent_id } = (await before.request('POST', '/api/agents', agent)).body as { id: string };
    const ids: string[] = [];
    for (const to_phone of ['+14155552101', '+14155552102']) {
      const made = await before.request('POST', '/api/calls', { agent_id, to_phone });
      ids.push((made.body as { id: string }).id);
    }
    const later = {
      agent_id,
      to_phone: '+14155552103',
      scheduled_time: toInstant(systemClock.wallMs() + 3_600_000),
    };
    const { id: laterId } = (await before.request('POST', '/api/calls', later)).body as { id: string };
    await once(() => expect(dialled()).toHaveLength(1));
    // Wanted once more, as soon as it has ended.
    const again = { scheduled_time: toInstant(systemClock.wallMs()) };
    const armed = await before.request('PUT', `/batch/scheduled-calls/${ids[0]!}`, again);
    expect(armed.status).toBe(200);
    await before.close();
    const rang = dialled();

    const told = await putBack(environment);
    expect(told).toMatch(/callwright\.db|PostgreSQL at /);
    expect(told).toContain('1 call was due, and will end as expired.');
    expect(told).toContain('1 further call was wanted after another one, and will not be made.');
    const after = await open();
    onTestFinished(() => after.close());
    const read = async (id: string) => (await after.request('GET', `/api/calls/${id}`)).body;
    await once(async () =>
      expect(await read(ids[1]!)).toMatchObject({ status: 'failed', ended_reason: 'expired' }),
    );
    expect(await read(laterId)).toMatchObject({ status: 'scheduled' });
    expect(dialled()).toEqual(rang);
  });

  it('says so where nothing was due', async () => {
    const { environment, open } = await street();
    await (await open()).close();

    expect(await callwright(environment, 'hold')).toMatch(
      /^Nothing was due in .*(callwright\.db|PostgreSQL at .+)\.$/,
    );
  });

  it('holds nothing, makes nothing and says so where there is no database', async () => {
    const { environment } = await street();

    for (const _again of [1, 2])
      await expect(callwright(environment, 'hold')).rejects.toThrow(/^there is no database yet at /);
  });
});

async function callwright(environment: Record<string, string>, name: string, file?: string): Promise<string> {
  const command = [...databaseCommands, holdCommand].find((one) => one.name === name)!;
  const printed: string[] = [];
  const shell = {
    config: readConfig(environment),
    log: createMemoryLog().log,
    clock: systemClock,
    ids: createIds(systemClock),
    print: (line: string) => void printed.push(line),
    remark: () => {},
  };
  const words = { operands: file === undefined ? [] : [file], options: { force: true } };
  expect(await command.run(shell, words)).toBe(0);
  return printed.join('\n');
}
