import { defineTransactions, transactionNamed, type SqlValue, type Tx } from '#store/transaction.js';

/** Wraps a transaction so that statements are only explained, not executed. */
function explaining(tx: Tx, plans: Promise<string>[]): Tx {
  const planOf = async (sql: string, values: SqlValue[]) => {
    const how = tx.dialect.engine === 'sqlite' ? 'explain query plan' : 'explain';
    const rows = await tx.all(`${how} ${sql}`, ...values);
    return rows.map((row) => String(row['detail'] ?? row['QUERY PLAN'])).join('\n');
  };
  const explain = (sql: string, values: SqlValue[]) => {
    const plan = planOf(sql, values);
    plans.push(plan);
    return plan;
  };
  return {
    dialect: tx.dialect,
    all: async (sql, ...values) => (await explain(sql, values), []),
    async get(sql, ...values) {
      await explain(sql, values);
      return undefined;
    },
    run: async (sql, ...values) => (await explain(sql, values), 0),
    post: (sql, ...values) => void explain(sql, values),
    lock: (name) => tx.lock(name),
    count: () => {},
  };
}

export const planTransactions = defineTransactions('plans', {
  /** The query plans of a transaction's statements, one text each. */
  async of(tx, { unit, args }: { unit: string; args: unknown }): Promise<string[]> {
    const plans: Promise<string>[] = [];
    await transactionNamed(unit)(explaining(tx, plans), args as never);
    return Promise.all(plans);
  },

  /**
   * Fills the queues of the dialler, the scheduler, the after-call work and the webhooks with due rows and rows due
   * much later.
   */
  async fill(tx, { due, far, now }: { due: number; far: number; now: number }): Promise<void> {
    const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${due + far})`;
    const dueAt = `(case when i <= ${due} then ${now} - i else ${now} + 86400000 + i end)`;
    await tx.run(
      `${numbers} insert into calls (id, workspace, direction, call_type, status, agent_id, agent_name, language, to_phone,
         from_phone, provider, customer_data, customer_context, metadata, record_call, record_storage,
         enable_transcription, transcription_provider, timeout_seconds, silence_timeout_seconds, estimated_start_at,
         cost_usd, event_sequence, created_at, updated_at)
       select 'call_' || i, 'default', 'outbound', 'ai', 'queued', 'agent_1', '', 'en', '', '', '', '{}', '{}', '{}', 0,
         '', 0, '', 0, 0, 0, 0, 0, i, 0 from n`,
    );
    await tx.run(
      `${numbers} insert into dial_attempts
         (id, call_id, attempt, status, lane, due_at, expires_at, look_ups, updated_at)
       select 'dial_' || i, 'call_' || i, 1, 'pending', case i % 2 when 0 then 'single' else 'batch' end, ${dueAt},
         ${dueAt} + 300000, 0, 0 from n`,
    );
    await tx.run(
      `insert into schedules (id, workspace, kind, status, agent_id, phone_number, customer_context, metadata, timezone,
         time_zone_version, occurrences, grace_seconds, retry_policy, webhook_events, planned_after, runs, created_at,
         updated_at)
       values ('sched_1', 'default', 'recurring', 'scheduled', 'agent_1', '', '{}', '{}', 'UTC', '', 0, 0, '{}', '[]', 0,
         0, 0, 0)`,
    );
    await tx.run(
      `${numbers} insert into executions (id, workspace, schedule_id, run, attempt, origin, status, planned_at, due_at,
         created_at, updated_at)
       select 'exec_' || i, 'default', 'sched_1', i, 1, 'schedule', 'pending', ${dueAt}, ${dueAt}, 0, 0 from n`,
    );
    await tx.run(
      `${numbers} insert into jobs (id, kind, call_id, status, due_at, attempts, created_at, updated_at)
       select 'job_' || i, 'analysis', 'call_' || i, 'pending', ${dueAt}, 0, 0, 0 from n`,
    );
    await tx.run(
      `insert into webhooks (id, workspace, url, secret, events, filters, retry_policy, headers, active, created_at,
         updated_at)
       values ('wh_1', 'default', '', '', '', '', '', '', 1, 0, 0)`,
    );
    await tx.run(
      `insert into events (id, workspace, type, subject_id, body, created_at)
       values ('evt_1', 'default', '', '', '', 0)`,
    );
    await tx.run(
      `${numbers} insert into deliveries (id, workspace, webhook_id, event_id, event_type, subject_id, status, attempts,
         tries, next_at, created_at)
       select 'dlv_' || i, 'default', 'wh_1', 'evt_1', '', '', 'pending', 0, 0, ${dueAt}, 0 from n`,
    );
    await tx.run('analyze');
  },
});
