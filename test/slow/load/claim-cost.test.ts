import { beforeAll, describe, expect, it } from 'vitest';
import { backlogTransactions } from '#calls/backlog-store.js';
import { dialTransactions } from '#calls/dialling/dial-store.js';
import { schedulerTransactions } from '#schedules/runs/scheduling/scheduler-store.js';
import { nameOfTransaction, type Transaction } from '#store/transaction.js';
import type { Store } from '#store/store.js';
import { deliveryTransactions } from '#webhooks/deliveries/delivery-store.js';
import { planTransactions } from '#test/support/plan-transactions.js';
import { openPostgres } from '#test/support/postgres.js';
import { startTestStore } from '#test/support/store.js';

const UNITS = [new URL('../../support/plan-transactions.ts', import.meta.url)];

const NOW = 1_795_000_000_000;
const LEASE = { nodeId: 'node_1', leaseUntil: NOW + 45_000, now: NOW, limit: 100, forBatches: 20 };

/** What is asked again and again while calls wait, and the index that must answer it. */
const QUESTIONS: readonly [name: string, unit: Transaction<never, unknown>, args: object, index: string][] = [
  ['attempts that are due', dialTransactions.claim, LEASE, 'dial_attempts_due'],
  ['attempts that waited too long', dialTransactions.claimExpired, LEASE, 'dial_attempts_due'],
  ['when the next attempt is due', dialTransactions.nextDueAt, LEASE, 'dial_attempts_due'],
  ['attempts whose holder fell silent', dialTransactions.claimUnsettled, LEASE, 'dial_attempts_leased'],
  ['executions that are due', schedulerTransactions.claim, LEASE, 'executions_due'],
  ['when the next execution is due', schedulerTransactions.nextDueAt, {}, 'executions_due'],
  [
    'numbers of calls',
    backlogTransactions.read,
    LEASE,
    '(dial_attempts_due|jobs_due|jobs_uploads|calls_live)',
  ],
  ['numbers of deliveries', deliveryTransactions.backlog, {}, 'deliveries_due'],
];

const postgres = await openPostgres();

describe.each(postgres.engines)('among very many that wait, on %s', (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await startTestStore({ threadTransactions: UNITS, ...(await postgres.databaseOn(engine)) });
    await store.write(planTransactions.fill, { due: 100, far: 10_000, now: NOW });
    return () => store.close();
  });

  it.each(QUESTIONS)('%s are found without a look at the others', async (_, unit, args, index) => {
    const plans = await store.read(planTransactions.of, { unit: nameOfTransaction(unit), args });
    expect(plans).not.toEqual([]);
    for (const plan of plans) expect(plan).toMatch(new RegExp(index));
    // SQLite says `SCAN table` where it reads all of it, PostgreSQL `Seq Scan on table`.
    expect(plans.join('\n')).not.toMatch(
      /(SCAN|Seq Scan on) (dial_attempts|executions|jobs|deliveries|calls)\b(?! USING)/m,
    );
  });
});
