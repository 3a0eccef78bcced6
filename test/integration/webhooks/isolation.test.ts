import { expect, it, onTestFinished } from 'vitest';
import { systemClock as clock } from '#kernel/time/clock.js';
import { createIds } from '#kernel/ids/ids.js';
import { WebhookService } from '#webhooks/webhook-service.js';
import { webhookCreate } from '#webhooks/registrations/webhook-input.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { Receiver, trustedCertificate } from '#test/support/receiver.js';
import { openTestStore } from '#test/support/store.js';
import { WORKSPACE } from './sender-rig.js';
import { webhookTestTransactions } from './webhook-transactions.js';

const EVENTS = 1_000;
/** So many happen at once; the next ones when the healthy receiver has these, so that a slow machine is no failure. */
const AT_ONCE = 20;
const LONGEST_DELAY_MS = 1_000;
const SLOTS = 10;
/** For longer than all of this lasts. */
const HANGING_MS = 300_000;

it('a receiver that hangs delays nothing for the healthy one beside it', async () => {
  const { certificate } = await trustedCertificate();
  const healthy = await Receiver.open(certificate);
  const hanging = await Receiver.open(certificate, () => {});
  const ids = createIds(clock);
  const store = await openTestStore({ clock });
  const callService = new WebhookService({
    store,
    clock,
    ids,
    log: createMemoryLog().log,
    settings: {
      timeoutMs: HANGING_MS,
      allowedNetworks: ['127.0.0.0/8'],
      trustedCertificates: [certificate.certificate],
    },
  });
  onTestFinished(async () => {
    await Promise.all([healthy.close(), hanging.close()]);
    await callService.stop();
  });
  for (const { url } of [hanging, healthy])
    await callService.webhooks.create(WORKSPACE, webhookCreate.parse({ url }), () => null);
  const watched = callService.wakeOnWrites(store);
  await callService.start();

  const happenedAt = new Map<string, number>();
  for (let count = 0; count < EVENTS; count += AT_ONCE) {
    const at = clock.wallMs();
    const events = Array.from({ length: AT_ONCE }, () => {
      const id = ids.next('evt');
      happenedAt.set(id, at);
      const type = 'call.completed' as const;
      return { id, workspace: WORKSPACE, type, subjectId: `call_${id}`, at, data: { id } };
    });
    await watched.write(webhookTestTransactions.record, { events });
    await healthy.until(count + AT_ONCE);
  }

  const delays = healthy.received.map(
    ({ headers, at }) => at - happenedAt.get(String(headers['webhook-id']))!,
  );
  delays.sort((a, b) => a - b);
  expect(delays).toHaveLength(EVENTS);
  expect(delays[Math.floor(EVENTS * 0.95)]).toBeLessThan(LONGEST_DELAY_MS);
  expect(hanging.received).toHaveLength(SLOTS);
});
