import { suppress } from '#policy/suppressions/suppression-store.js';
import { defineTransactions } from '#store/transaction.js';

/** Queries that the service itself does not need. */
export const lookTransactions = defineTransactions('call-rig', {
  async events(tx, args: { callId: string }): Promise<{ type: string; body: Record<string, unknown> }[]> {
    const rows = await tx.all(
      'select type, body from events where subject_id = ? order by created_at, id',
      args.callId,
    );
    return rows.map((row) => ({
      type: String(row['type']),
      body: JSON.parse(String(row['body'])) as Record<string, unknown>,
    }));
  },
  async attempts(tx, args: { callId: string }) {
    return tx.all('select * from dial_attempts where call_id = ? order by attempt', args.callId);
  },
  /** Every schedule with the due time of its first execution. */
  async schedules(tx) {
    return tx.all(
      'select schedules.*, executions.due_at from schedules join executions on schedule_id = schedules.id',
    );
  },
  async heartbeats(tx): Promise<number[]> {
    const rows = await tx.all('select heartbeat_at from nodes');
    return rows.map((row) => Number(row['heartbeat_at']));
  },
  /** Writes a row that the service would never write. */
  async poison(tx, args: { callId: string }): Promise<void> {
    await tx.run(`update calls set customer_data = 'no JSON' where id = ?`, args.callId);
  },
  async poisonLimits(tx, args: { callId: string }): Promise<void> {
    // PostgreSQL refuses this value.
    if (tx.dialect.engine === 'postgres') return;
    await tx.run(`update calls set silence_timeout_seconds = 'long' where id = ?`, args.callId);
  },
  async poisonAttempt(tx, args: { callId: string }): Promise<void> {
    // PostgreSQL refuses this value.
    if (tx.dialect.engine === 'postgres') return;
    await tx.run(
      `update dial_attempts set expires_at = 'soon', updated_at = 'now' where call_id = ?`,
      args.callId,
    );
  },
  async carriedBy(tx, args: { callId: string; nodeId: string }): Promise<void> {
    await tx.run('update calls set node_id = ? where id = ?', args.nodeId, args.callId);
  },
  /** As a process leaves a call that died while it ended it. */
  async crashed(tx, args: { callId: string }): Promise<void> {
    await tx.run(`update calls set ended_reason = 'server_crash' where id = ?`, args.callId);
  },
  /** Sets the expiry of a dial attempt. */
  async waitUntil(tx, args: { callId: string; at: number }): Promise<void> {
    await tx.run('update dial_attempts set expires_at = ? where call_id = ?', args.at, args.callId);
  },
  async putInLane(tx, args: { callId: string; lane: 'single' | 'batch' }): Promise<void> {
    await tx.run('update dial_attempts set lane = ? where call_id = ?', args.lane, args.callId);
  },
  async suppress(tx, args: { phoneNumber: string; at: number }): Promise<void> {
    const { phoneNumber, at } = args;
    const entry = { id: `sup_${phoneNumber}`, workspace: 'default', phoneNumber, note: null, callId: null };
    await suppress(tx, { ...entry, reason: 'opt_out', source: 'api', at, expiresAt: null });
  },
  /** Moves all plans to earlier times, as new time-zone data for a zone further east does. */
  async planEarlier(tx, { byMs }: { byMs: number }): Promise<void> {
    await tx.run('update calls set scheduled_at = scheduled_at - ?', byMs);
    await tx.run(
      'update dial_attempts set due_at = due_at - ?, wanted_at = wanted_at - ?, expires_at = expires_at - ?',
      byMs,
      byMs,
      byMs,
    );
  },
  /** An ended call whose end could not be applied yet. */
  async setAside(tx, args: { callId: string }): Promise<void> {
    await tx.run('update calls set unsettled = 2 where id = ?', args.callId);
  },
  async log(tx, args: { callId: string }) {
    const events = await tx.all('select type from call_events where call_id = ?', args.callId);
    return [...events, ...(await tx.all('select turn from call_turns where call_id = ?', args.callId))];
  },
  async jobs(tx, args: { callId: string }) {
    return tx.all('select * from jobs where call_id = ? order by kind', args.callId);
  },
});
