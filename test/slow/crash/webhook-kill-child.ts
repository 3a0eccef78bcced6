import { appendFileSync, readFileSync } from 'node:fs';
import { sleep, systemClock } from '#kernel/time/clock.js';
import { createIds } from '#kernel/ids/ids.js';
import { createLog } from '#kernel/log/log.js';
import { openStore, startStoreThreads } from '#store/open-store.js';
import { WebhookService } from '#webhooks/webhook-service.js';
import { webhookCreate } from '#webhooks/registrations/webhook-input.js';
import { webhookKillTransactions } from './webhook-kill-transactions.js';

/*
 * A service in miniature that is killed while it tells a receiver what happens. Events that the database has
 * acknowledged are noted in a ledger outside of it.
 */

interface Orders {
  databaseUrl: string;
  migrationsDir: string;
  transactionModules: string[];
  journalPath: string;
  caFile: string;
  receiverUrl: string;
  secret: string;
  events: number;
}

/** Few enough that every kill finds events being written as well as delivered. */
const MOST_WAITING = 300;
const BATCH = 20;
const WORKSPACE = 'default';

const orders = JSON.parse(process.argv[2]!) as Orders;
const clock = systemClock;
const ids = createIds(clock);
const log = createLog('ERROR');
const rawStore = await openStore(
  {
    databaseUrl: orders.databaseUrl,
    threads: startStoreThreads(orders.transactionModules.map((module) => new URL(module))),
    migrationsDir: new URL(orders.migrationsDir),
    queueLimit: 5_000,
  },
  { log, clock },
);
const callService = new WebhookService({
  store: rawStore,
  clock,
  ids,
  log,
  settings: {
    timeoutMs: 30_000,
    allowedNetworks: ['127.0.0.0/8'],
    trustedCertificates: [readFileSync(orders.caFile, 'utf8')],
  },
});
const store = callService.wakeOnWrites(rawStore);
const known = await callService.webhooks.list({ workspace: WORKSPACE }, null, 1);
if (known.items.length === 0) {
  const retry_policy = { max_attempts: 20, initial_delay_seconds: 1, backoff_multiplier: 1 };
  const input = webhookCreate.parse({ url: orders.receiverUrl, secret: orders.secret, retry_policy });
  await callService.webhooks.create(WORKSPACE, input, () => null);
}
await callService.start();

for (;;) {
  const { recorded, delivered } = await store.read(webhookKillTransactions.progress, {});
  if (delivered === orders.events) break;
  const room = Math.min(orders.events - recorded, MOST_WAITING - (recorded - delivered));
  if (room <= 0) await sleep(clock, 10);
  else await record(Math.min(room, BATCH));
}
process.stdout.write('settled\n');
await sleep(clock, 60_000);

async function record(count: number): Promise<void> {
  const at = clock.wallMs();
  const events = Array.from({ length: count }, () => {
    const id = ids.next('evt');
    const data = { id, said: 'Zoë 🙂', count };
    return { id, workspace: WORKSPACE, type: 'call.completed' as const, subjectId: `call_${id}`, at, data };
  });
  await store.write(webhookKillTransactions.record, { events });
  appendFileSync(orders.journalPath, events.map(({ id }) => `${id}\n`).join(''));
}
