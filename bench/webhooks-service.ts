import { setTimeout as sleep } from 'node:timers/promises';
import { exampleData } from '#events/event-catalogue.js';
import type { NewEvent } from '#events/outbox.js';
import { systemClock as clock } from '#kernel/time/clock.js';
import { createIds } from '#kernel/ids/ids.js';
import { migrationsFolder } from '#kernel/system/installation.js';
import { createLog } from '#kernel/log/log.js';
import { openStore, startStoreThreads } from '#store/open-store.js';
import { transactionModules } from '#store/transaction-modules.js';
import { WebhookService } from '#webhooks/webhook-service.js';
import { webhookCreate } from '#webhooks/registrations/webhook-input.js';
import { measured, type Sent, type Sizes } from './webhooks-measure.js';
import type { Endpoint } from './webhooks-receiver.js';
import { rowTransactions } from './webhooks-row-store.js';

const WORKSPACE = 'default';
const TYPE = 'call.completed';
const LOOK_MS = 10;
const SLICE = 100;

/** Everything about webhooks, over a durable store of its own (SQLite, synchronous=FULL); the receiver is outside. */
export async function openService(folder: string, endpoint: Endpoint, webhooks: number) {
  const ids = createIds(clock);
  const log = createLog('ERROR');
  const store = await openStore(
    {
      databaseUrl: `sqlite:${folder}/webhooks.db`,
      threads: startStoreThreads([
        ...transactionModules,
        new URL('./webhooks-row-store.mjs', import.meta.url),
      ]),
      migrationsDir: migrationsFolder,
      queueLimit: 5_000,
    },
    { log, clock },
  );
  const openWebhookService = () =>
    new WebhookService({
      store,
      clock,
      ids,
      log,
      settings: {
        timeoutMs: 10_000,
        allowedNetworks: ['127.0.0.0/8'],
        trustedCertificates: [endpoint.certificate],
      },
    });
  const registrar = openWebhookService();
  for (let i = 0; i < webhooks; i++)
    await registrar.webhooks.create(
      WORKSPACE,
      webhookCreate.parse({ url: `${endpoint.url}/${i}` }),
      () => null,
    );

  const eventOf = (): NewEvent => {
    const id = ids.next('evt');
    const at = clock.wallMs();
    const data = { ...exampleData(TYPE), happened_at: at };
    return { id, workspace: WORKSPACE, type: TYPE, subjectId: `call_${id}`, at, data };
  };

  return {
    /** From durable outbox rows to durable log rows. */
    async deliver({ events }: Sizes): Promise<Sent> {
      for (let left = events / webhooks; left > 0; left -= SLICE)
        await store.write(rowTransactions.record, {
          events: Array.from({ length: Math.min(left, SLICE) }, eventOf),
        });
      const callService = openWebhookService();
      const sent = await measured(async () => {
        await callService.start();
        while (await store.read(rowTransactions.isWaiting, {})) await sleep(LOOK_MS);
      });
      await callService.stop();
      return sent;
    },

    /** Events at a steady pace, as the service records them. */
    async happen({ count, everyMs }: { count: number; everyMs: number }): Promise<void> {
      const callService = openWebhookService();
      const watched = callService.wakeOnWrites(store);
      await callService.start();
      const startedMs = performance.now();
      const writing: Promise<void>[] = [];
      for (let i = 0; i < count; i++) {
        await sleep(Math.max(0, startedMs + i * everyMs - performance.now()));
        writing.push(watched.write(rowTransactions.record, { events: [eventOf()] }));
      }
      await Promise.all(writing);
      while (await store.read(rowTransactions.isWaiting, {})) await sleep(LOOK_MS);
      await callService.stop();
    },

    /** Ends with the truth: that every delivery was made, and once. */
    async close(): Promise<void> {
      const { all, delivered } = await store.read(rowTransactions.counts, {});
      await store.close();
      if (all !== delivered)
        throw new Error(`of ${all} deliveries ${delivered} were made at the first attempt`);
    },
  };
}
