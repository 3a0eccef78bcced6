import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { batchPurges } from '#batches/erasure.js';
import { resultTransactions } from '#batches/results/results-store.js';
import { handleTransactions } from '#batches/scheduled-calls/handle-store.js';
import { dialTransactions } from '#calls/dialling/dial-store.js';
import { AFTER_CALL_KINDS } from '#calls/jobs/job.js';
import { jobTransactions } from '#calls/after-call/job-store.js';
import type { Store } from '#store/store.js';
import { emptyDatabaseOn, engines } from '#test/support/engines.js';
import { insertCall, insertRow as insert, type Row } from '#test/support/rows.js';
import { sqlTransactions } from '#test/support/sql-transactions.js';
import { MIGRATIONS } from '#test/support/fresh-database.js';
import { openTestStore } from '#test/support/store.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const NOW = 1_795_000_000_000;
const LEASE = { now: NOW, leaseUntil: NOW + 60_000 };

describe.each(engines)('an older database on %s', (engine) => {
  /** A database filled by a release with this many migrations, and then opened by this release. */
  async function upgraded(last: number, fill: (store: Store) => Promise<void>): Promise<Store> {
    const migrationsDir = temporaryFolder();
    for (const file of readdirSync(MIGRATIONS).sort().slice(0, last))
      copyFileSync(fileURLToPath(new URL(file, MIGRATIONS)), join(migrationsDir, file));
    const { databaseUrl = `sqlite:${join(temporaryFolder(), 'callwright.db')}` } =
      await emptyDatabaseOn(engine);
    const old = await openTestStore({ migrationsDir, databaseUrl });
    await fill(old);
    await old.close();
    return openTestStore({ databaseUrl });
  }

  it('runs unannounced analyses again, and deletes jobs that are done', async () => {
    const job = (store: Store, callId: string, kind: string, status: string) =>
      insert(store, 'jobs', {
        id: `job_${kind}_${callId}`,
        kind,
        call_id: callId,
        status,
        due_at: NOW - 5_000,
        attempts: 3,
        lease_until: status === 'running' ? NOW + 30_000 : null,
        created_at: 0,
        updated_at: 0,
      });
    /** The states of a call's analysis, summary, transcript and recording before. */
    const before: Record<string, readonly (string | null)[]> = {
      summary_waits: ['done', 'pending', 'done', 'done'],
      transcript_in_hand: ['done', 'done', 'running', 'done'],
      both_wait: ['done', 'pending', 'pending', 'done'],
      analysis_in_hand: ['running', null, null, 'pending'],
      analysis_waits: ['pending', null, null, 'running'],
      all_announced: ['done', 'done', 'done', 'done'],
      given_up: ['failed', null, null, 'failed'],
      summary_given_up: ['done', 'failed', 'done', 'done'],
    };
    const store = await upgraded(4, async (old) => {
      for (const [callId, statuses] of Object.entries(before)) {
        await insertCall(old, callId);
        for (const [at, kind] of ['analysis', 'summary', 'transcript', 'recording'].entries())
          if (statuses[at]) await job(old, callId, kind, statuses[at]);
      }
    });
    const rows = await store.read(sqlTransactions.all, { sql: 'select * from jobs order by id' });
    const after = Object.fromEntries(
      Object.keys(before).map((callId) => [
        callId,
        rows
          .filter((row) => row['call_id'] === callId)
          .map(({ kind, status, attempts, lease_until: lease }) =>
            [kind, status, attempts, lease === null ? null : 'leased'].filter(Boolean).join(' '),
          ),
      ]),
    );
    expect(after).toEqual({
      summary_waits: ['analysis pending'],
      transcript_in_hand: ['analysis pending'],
      both_wait: ['analysis pending'],
      analysis_in_hand: ['analysis running 3 leased', 'recording pending 3'],
      analysis_waits: ['analysis pending 3', 'recording running 3 leased'],
      all_announced: [],
      given_up: ['analysis failed 3', 'recording failed 3'],
      summary_given_up: [],
    });
    const claimed = await store.write(jobTransactions.claim, {
      kinds: AFTER_CALL_KINDS,
      folderId: 'folder_1',
      ...LEASE,
      limit: 100,
    });
    expect(claimed.map(({ id }) => id).sort()).toEqual([
      'job_analysis_analysis_waits',
      'job_analysis_both_wait',
      'job_analysis_summary_waits',
      'job_analysis_transcript_in_hand',
      'job_recording_analysis_in_hand',
    ]);
  });

  it('puts waiting dial attempts into their lane', async () => {
    const attempt = (store: Store, callId: string, more: Row) =>
      insert(store, 'dial_attempts', {
        id: `dial_${callId}`,
        call_id: callId,
        attempt: 1,
        status: 'pending',
        due_at: NOW - 1_000,
        expires_at: NOW + 300_000,
        look_ups: 0,
        updated_at: 0,
        ...more,
      });
    const store = await upgraded(6, async (old) => {
      const batch = { batch_id: 'batch_1' };
      for (const id of ['b_waits', 'b_later', 'b_in_hand', 'b_over']) await insertCall(old, id, batch);
      for (const id of ['s_waits', 's_later']) await insertCall(old, id);
      await insertCall(old, 's_planned', { schedule_id: 'sched_1', execution_id: 'exec_1' });
      await attempt(old, 'b_waits', { due_at: NOW - 9_000 });
      await attempt(old, 'b_later', { due_at: NOW + 9_000 });
      await attempt(old, 'b_in_hand', { status: 'claimed', node_id: 'node_1', lease_until: NOW + 1 });
      await attempt(old, 'b_over', { status: 'ended' });
      await attempt(old, 's_waits', {});
      await attempt(old, 's_later', { due_at: NOW + 8_000 });
      await attempt(old, 's_planned', { due_at: NOW });
    });
    const rows = await store.read(sqlTransactions.all, { sql: 'select * from dial_attempts' });
    const laneOf = ({ call_id: callId }: Row) => (String(callId).startsWith('b') ? 'batch' : 'single');
    expect(rows.map(({ lane }) => lane)).toEqual(rows.map((row) => laneOf(row as Row)));
    expect(rows).toHaveLength(7);
    const isOpen = ({ status }: Row) => status !== 'ended';
    expect(rows.map(({ wanted_at: at }) => at)).toEqual(
      rows.map((row) => (isOpen(row as Row) ? row['due_at'] : 0)),
    );
    const claim = { ...LEASE, nodeId: 'node_2', limit: 10, forBatches: 0 };
    const claimed = await store.write(dialTransactions.claim, claim);
    expect(claimed.map(({ call_id }) => call_id)).toEqual(['s_waits', 's_planned', 'b_waits']);
    expect(await store.read(dialTransactions.nextDueAt, { now: NOW })).toBe(NOW + 8_000);
    const sql = `update dial_attempts set lane = 'other'`;
    await expect(store.write(sqlTransactions.run, { sql })).rejects.toThrow(/check/i);
  });

  it('continues retention from the last activity of the old release', async () => {
    const reached = 'select reached_at from housekeeping';
    const used = await upgraded(8, async (old) => {
      await insertCall(old, 'call_1', { updated_at: NOW - 1 });
      await insertCall(old, 'call_2', { updated_at: NOW });
    });
    expect(await used.read(sqlTransactions.all, { sql: reached })).toEqual([{ reached_at: NOW }]);
    const unused = await upgraded(8, async () => {});
    expect(await unused.read(sqlTransactions.all, { sql: reached })).toEqual([]);
  });

  it('erases from batches the numbers whose calls were erased, and no others', async () => {
    const people = {
      erased: ['', 'failed'],
      reached: ['+14155550101', 'succeeded'],
      again: ['', 'retry_wait'],
    };
    const store = await upgraded(7, async (old) => {
      await insertBatch(old, 'batch_1');
      for (const [position, [id, [phone, status]]] of Object.entries(people).entries()) {
        await insertCall(old, id, { batch_id: 'batch_1', to_phone: phone! });
        await insert(old, 'batch_recipients', {
          batch_id: 'batch_1',
          position,
          call_id: id,
          last_call_id: id,
          status: status!,
          phone_number: '+14155550101',
          name: 'Ada',
          attempts: 1,
          due_at: 0,
          duration_seconds: 0,
          updated_at: 0,
        });
      }
    });
    const sql = 'select phone_number, name from batch_recipients order by position';
    const kept = { phone_number: '+14155550101', name: 'Ada' };
    expect(await store.read(sqlTransactions.all, { sql })).toEqual([
      { phone_number: '', name: null },
      kept,
      kept,
    ]);
  });

  it('keeps the rejected rows of batches, which go with the calls when a retention period is over', async () => {
    const store = await upgraded(26, async (old) => {
      await insertBatch(old, 'batch_1');
      const rejected = JSON.stringify([{ row: 3, field: 'phone_number', message: 'is no number' }]);
      await insert(old, 'batch_rejections', { batch_id: 'batch_1', rejected });
    });
    const rejected = () => store.read(resultTransactions.rejected, { batchId: 'batch_1', after: -1 });
    const row = { row: 3, field: 'phone_number', message: 'is no number' };
    const input = { phone_number: '', name: null, customer_data: {}, metadata: {} };
    expect(await rejected()).toEqual({ slice: 0, rows: [{ ...row, input }] });
    const purge = async (callDays: number | null, now: number) => {
      for (const one of batchPurges(store, { callDays })) await one(now);
    };
    const days = 86_400_000;
    await purge(null, 400 * days);
    await purge(30, 30 * days);
    expect(await rejected()).not.toBeNull();
    await purge(30, 30 * days + 1);
    expect(await rejected()).toBeNull();
  });

  it('makes the calls that were to follow one before, and keeps the ids under which they were asked for', async () => {
    const HOUR = 3_600_000;
    const call = {
      workspace: 'default',
      agent_id: 'agent_1',
      to_phone: '+14155550101',
      from_phone: '+14155550100',
    };
    const live: Row = {
      ...call,
      status: 'active',
      started_at: NOW,
      timeout_seconds: 600,
      created_at: NOW,
      updated_at: NOW,
    };
    const over: Row = { ...call, status: 'failed', ended_reason: 'busy', ended_at: NOW, updated_at: NOW };
    const BERLIN = { next_time: '2026-12-01 09:00:00', next_timezone: 'Europe/Berlin' };
    const store = await upgraded(28, async (old) => {
      const promise = (callId: string, at: number, more: Row = {}) =>
        insert(old, 'queued_call_handles', { call_id: callId, next_time: 'then', next_due_at: at, ...more });
      await insertCall(old, 'call_0live', { ...live, name: 'Ada', metadata: '{"crm":"42"}' });
      await promise('call_0live', NOW + 2 * HOUR, { next_from_phone: '+14155550199', ...BERLIN });
      await insertCall(old, 'call_0soon', live);
      await promise('call_0soon', NOW + 1_000);
      await insertCall(old, 'call_0ended', over);
      await promise('call_0ended', NOW - 2 * HOUR);
      await insertCall(old, 'call_0erased', { ...live, to_phone: '' });
      await promise('call_0erased', NOW + HOUR);
      // Called again by the earlier release: one waits with a chosen word, the other is deleted.
      for (const [id, handle] of [
        ['call_0waits', { shown_status: 'pending' }],
        ['call_0gone', { deleted_at: NOW }],
      ] as const) {
        await insertCall(old, id, over);
        await insertCall(old, `${id}_2`, { ...call, scheduled_time: 'then', scheduled_at: NOW + HOUR });
        await insert(old, 'further_calls', { call_id: `${id}_2`, handle_id: id, attempt: 1 });
        await insert(old, 'queued_call_handles', { call_id: id, ...handle });
      }
    });
    const attempts = await store.read(sqlTransactions.all, {
      sql: 'select id, call_id, due_at, expires_at from dial_attempts order by due_at',
    });
    const queued = (name: string, dueAt: number) => ({
      id: `dial_7${name}`,
      call_id: `call_7${name}`,
      due_at: dueAt,
      expires_at: dueAt + 300_000,
    });
    expect(attempts).toEqual([
      queued('ended', NOW - HOUR),
      // When the call before must be over at the latest.
      queued('soon', NOW + 720_000),
      queued('live', NOW + 2 * HOUR),
    ]);
    const promised = 'select call_id from queued_call_handles where next_due_at is not null';
    expect(await store.read(sqlTransactions.all, { sql: promised })).toEqual([]);
    const shown = async (id: string) => {
      const handle = await store.read(handleTransactions.find, { workspace: 'default', id });
      return handle.kind === 'call' ? handle.scheduled : null;
    };
    expect(await shown('call_0live')).toMatchObject({
      call: {
        id: 'call_7live',
        status: 'queued',
        name: 'Ada',
        metadata: { crm: '42' },
        from_phone: '+14155550199',
        scheduled_time: BERLIN.next_time,
        scheduled_at: NOW + 2 * HOUR,
        timezone: BERLIN.next_timezone,
      },
      single: { hasAttempt: true, shownStatus: null },
    });
    expect(await shown('call_0waits')).toMatchObject({
      call: { id: 'call_0waits_2' },
      single: { shownStatus: 'pending' },
    });
    for (const id of ['call_0gone', 'call_0gone_2'])
      await expect(shown(id)).rejects.toMatchObject({ code: 'scheduled_call_not_found' });
    expect(await shown('call_0erased')).toMatchObject({ call: { id: 'call_0erased' } });
    const claim = {
      now: NOW + 2 * HOUR,
      leaseUntil: NOW + 3 * HOUR,
      nodeId: 'node_2',
      limit: 9,
      forBatches: 0,
    };
    const claimed = await store.write(dialTransactions.claim, claim);
    expect(claimed.map(({ call_id: id }) => id)).toContain('call_7live');
  });
});

/** A batch that was made at instant 0, with empty fields. */
function insertBatch(store: Store, id: string): Promise<number> {
  const numbers =
    'scheduled_at max_concurrency total_numbers waiting in_flight succeeded failed skipped cancelled talk_seconds ' +
    'cost_usd refusals_in_row created_at updated_at';
  const texts = 'workspace name status agent_id agent_name language from_phone';
  const batch: Row = { id, retry_policy: '{}', metadata: '{}', recent_ends: '[]' };
  for (const name of numbers.split(' ')) batch[name] = 0;
  for (const name of texts.split(' ')) batch[name] = 'some';
  return insert(store, 'batches', batch);
}
