import type { Store } from '#store/store.js';
import type { SqlValue } from '#store/transaction.js';
import { sqlTransactions } from './sql-transactions.js';

export type Row = Record<string, SqlValue>;

/** Inserts a row directly. Needs the transactions of `sql-transactions.ts`. */
export const insertRow = (store: Store, table: string, row: Row) =>
  store.write(sqlTransactions.run, {
    sql: `insert into ${table} (${Object.keys(row).join(', ')}) values (${Object.keys(row)
      .map(() => '?')
      .join(', ')})`,
    values: Object.values(row),
  });

/** Inserts a call with empty fields. */
export function insertCall(store: Store, id: string, more: Row = {}): Promise<number> {
  const texts = 'call_type agent_id agent_name language to_phone from_phone provider record_storage';
  const objects = 'customer_data customer_context metadata';
  const numbers =
    'record_call enable_transcription timeout_seconds silence_timeout_seconds estimated_start_at cost_usd event_sequence ' +
    'created_at updated_at';
  const all = (names: string, value: SqlValue): Row =>
    Object.fromEntries(names.split(' ').map((name) => [name, value]));
  return insertRow(store, 'calls', {
    id,
    workspace: 'default',
    direction: 'outbound',
    status: 'queued',
    transcription_provider: '',
    ...all(texts, ''),
    ...all(objects, '{}'),
    ...all(numbers, 0),
    ...more,
  });
}

/** An agent with nothing in it. */
export function insertAgent(store: Store, id: string): Promise<number> {
  const texts = 'name initial_message ai_provider voice_provider language';
  return insertRow(store, 'agents', {
    id,
    workspace: 'default',
    status: 'active',
    tools: '[]',
    metadata: '{}',
    ...Object.fromEntries(texts.split(' ').map((name) => [name, ''])),
    is_default: 0,
    created_at: 0,
    updated_at: 0,
  });
}
