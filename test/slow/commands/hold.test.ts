import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock, toInstant } from '#kernel/time/clock.js';
import { once } from '#test/support/call-story.js';
import { runCommand } from '#test/support/run-command.js';
import { openPostgres } from '#test/support/postgres.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { unansweredStreet } from '#test/support/unanswered-street.js';

const postgres = await openPostgres();

describe.each(postgres.engines)('a database put back to an earlier state, on %s', (engine) => {
  /** With one line. */
  function street(databaseUrl?: string) {
    return unansweredStreet({
      MAX_CONCURRENT_CALLS: '1',
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    });
  }

  /** Puts the database back to what it is now; PostgreSQL has tools of its own for that. */
  async function putBack(environment: Record<string, string>): Promise<string[]> {
    if (engine === 'postgres') return runCommand(environment, 'hold');
    const backup = join(temporaryFolder(), 'backup.db');
    await runCommand(environment, 'backup', backup);
    return runCommand(environment, 'restore', backup);
  }

  it('phones nobody again whose call waited, and says so', async () => {
    const { environment, open, dialled } = street((await postgres.databaseOn(engine)).databaseUrl);
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
    await before.close();
    const rang = dialled();

    const told = (await putBack(environment)).join('\n');
    expect(told).toMatch(/callwright\.db|PostgreSQL at /);
    expect(told).toContain('1 call was due, and will end as expired.');
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
    const { environment, open } = street((await postgres.databaseOn(engine)).databaseUrl);
    await (await open()).close();

    expect((await runCommand(environment, 'hold')).join('\n')).toMatch(
      /^Nothing was due in .*(callwright\.db|PostgreSQL at .+)\.$/,
    );
  });

  it('holds nothing, makes nothing and says so where there is no database', async () => {
    const empty = engine === 'postgres' ? await postgres.server.createDatabase() : undefined;
    const { environment } = street(empty);

    for (const _again of [1, 2])
      await expect(runCommand(environment, 'hold')).rejects.toThrow(/^there is no database yet at /);
  });
});
