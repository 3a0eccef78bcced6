import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#kernel/time/clock.js';
import { buildTestService } from '#test/support/test-service.js';
import { insertCall, insertRow } from '#test/support/rows.js';
import { sqlTransactions } from '#test/support/sql-transactions.js';
import { startTestStore } from '#test/support/store.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const DAY_MS = 86_400_000;

it('a service with a retention of thirty days purges all modules at the start', async () => {
  const databaseUrl = `sqlite:${join(temporaryFolder(), 'callwright.db')}`;
  const open = () => startTestStore({ databaseUrl, clock: systemClock });
  const now = systemClock.wallMs();
  const store = await open();
  for (const [id, daysAgo] of [
    ['call_00000000000000000000000001', 40],
    ['call_00000000000000000000000002', 20],
  ] as const) {
    const at = now - daysAgo * DAY_MS;
    await insertCall(store, id, {
      status: 'completed',
      call_type: 'outbound',
      record_storage: 'local',
      transcription_provider: 'built-in',
      to_phone: '+14155550123',
      created_at: at,
      updated_at: at,
      ended_at: at,
      ended_reason: 'agent_hangup',
    });
    const due = { due_at: at, updated_at: at, look_ups: 0 };
    await insertRow(store, 'dial_attempts', {
      id: `dial_${id}`,
      call_id: id,
      attempt: 1,
      status: 'ended',
      ...due,
    });
    const entry = { sequence: 1, type: 'created', at, data: '{}' };
    await insertRow(store, 'call_events', { call_id: id, ...entry });
    await insertRow(store, 'events', {
      id: `evt_${id}`,
      workspace: 'default',
      type: 'call.ended',
      subject_id: 'nobody',
      body: '{}',
      created_at: at,
    });
    await insertRow(store, 'idempotency_keys', {
      scope: id,
      idempotency_key: 'key',
      request_hash: '',
      created_at: at,
      expires_at: at + 30 * DAY_MS,
    });
    await insertRow(store, 'number_decisions', {
      workspace: 'default',
      phone_number: '+14155550199',
      decided_at: at,
      subject_id: id,
      moment: 'dialling',
      mode: 'warn',
      verdict: 'dial',
    });
  }
  await store.close();

  const retention = { CALL_RETENTION_DAYS: '30', EVENT_RETENTION_DAYS: '30', DECISION_RETENTION_DAYS: '30' };
  const service = await buildTestService({
    environment: { DATABASE_URL: databaseUrl, ...retention },
    listen: true,
  });
  const numberOf = async (id: string) => {
    const { body } = await service.request('GET', `/api/calls/${id}`);
    return (body as { to_phone?: string }).to_phone;
  };
  const logOf = async (id: string) => {
    const { body } = await service.request('GET', `/api/calls/${id}/events`);
    return JSON.stringify(body).includes('created');
  };
  await expect.poll(() => numberOf('call_00000000000000000000000001')).toBe('');
  await expect.poll(() => logOf('call_00000000000000000000000001')).toBe(false);
  expect(await numberOf('call_00000000000000000000000002')).toBe('+14155550123');
  await service.close();

  const after = await open();
  onTestFinished(() => after.close());
  const count = async (table: string) =>
    (await after.read(sqlTransactions.all, { sql: `select * from ${table}` })).length;
  for (const table of 'dial_attempts call_events events idempotency_keys number_decisions'.split(' '))
    expect([table, await count(table)]).toEqual([table, 1]);
  expect(await count('calls')).toBe(2);
  const [reached] = await after.read(sqlTransactions.all, { sql: 'select reached_at from housekeeping' });
  expect(Number(reached!['reached_at'])).toBeGreaterThanOrEqual(now);
});
