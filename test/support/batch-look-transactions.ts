import { defineTransactions, type Tx } from '#store/transaction.js';

/** A call in the dialler's queue. */
export interface LookedAtCall {
  id: string;
  to: string;
  from: string;
  batchId: string;
}

/** Queries of batch tests that the modules do not have. */
export const batchLookTransactions = defineTransactions('batch_looks', {
  queued(tx): Promise<LookedAtCall[]> {
    return callsOf(tx, `dial_attempts.status = 'pending'`);
  },

  live(tx): Promise<LookedAtCall[]> {
    return callsOf(tx, `dial_attempts.status <> 'pending' and calls.ended_at is null`);
  },

  async expiring(tx, args: { at: number }): Promise<string[]> {
    const rows = await tx.all('select call_id from dial_attempts where expires_at <= ?', args.at);
    return rows.map((row) => String(row['call_id']));
  },

  async events(tx, args: { subjectId: string }): Promise<string[]> {
    const rows = await tx.all(
      'select type from events where subject_id = ? order by created_at, id',
      args.subjectId,
    );
    return rows.map((row) => String(row['type']));
  },

  /** The stored row of a batch. */
  async batch(tx, args: { id: string }): Promise<Record<string, unknown>> {
    return (await tx.get('select * from batches where id = ?', args.id)) ?? {};
  },

  /** The times and numbers of a batch's calls, in the order of the request. */
  async tellings(tx, args: { batchId: string }): Promise<Record<string, unknown>[]> {
    return tx.all(
      `select calls.scheduled_time, calls.scheduled_at, calls.from_phone
       from batch_recipients join calls on calls.id = batch_recipients.call_id
       where batch_recipients.batch_id = ? order by position`,
      args.batchId,
    );
  },

  async counts(tx) {
    const count = async (table: string) =>
      Number((await tx.get(`select count(*) as rows_there from ${table}`))?.['rows_there']);
    return {
      batches: await count('batches'),
      batch_recipients: await count('batch_recipients'),
      calls: await count('calls'),
      call_events: await count('call_events'),
      number_decisions: await count('number_decisions'),
    };
  },

  /** The statuses of a batch's numbers. */
  async statuses(tx, args: { id: string }): Promise<string[]> {
    const rows = await tx.all('select status from batch_recipients where batch_id = ?', args.id);
    return rows.map((row) => String(row['status']));
  },

  /** True if a number is paused individually. */
  async isHeld(tx, args: { callId: string }): Promise<boolean> {
    const row = await tx.get(
      `select position from batch_recipients where call_id = ? and status = 'paused'`,
      args.callId,
    );
    return row !== undefined;
  },

  /**
   * Calls without an end or a reason, or without exactly one end event. The second call of a number that is twice in
   * its batch must be over without any end event.
   */
  async unended(tx): Promise<string[]> {
    const isSecond = `exists (select 1 from batch_recipients own join batch_recipients first
      on first.batch_id = own.batch_id and first.phone_number = own.phone_number and first.position < own.position
      where own.call_id = calls.id)`;
    const words = `select count(*) from events
      where subject_id = calls.id and type in ('call.completed', 'call.failed')`;
    const rows = await tx.all(
      `select id from calls where ended_at is null or ended_reason is null
         or (${words}) <> case when ${isSecond} then 0 else 1 end`,
    );
    return rows.map((row) => String(row['id']));
  },

  async run(tx, args: { text: string }): Promise<void> {
    await tx.run(args.text);
  },
});

/** Calls by their attempts, in the order of due times. */
async function callsOf(tx: Tx, which: string): Promise<LookedAtCall[]> {
  const rows = await tx.all(
    `select calls.id, to_phone, from_phone, batch_id from dial_attempts join calls on calls.id = dial_attempts.call_id
     where ${which} order by dial_attempts.due_at, dial_attempts.id`,
  );
  return rows.map((row) => ({
    id: String(row['id']),
    to: String(row['to_phone']),
    from: String(row['from_phone']),
    batchId: String(row['batch_id']),
  }));
}
