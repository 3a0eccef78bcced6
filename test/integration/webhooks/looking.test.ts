import { expect, it, onTestFinished } from 'vitest';
import { createIds } from '#kernel/ids/ids.js';
import { WebhookService } from '#webhooks/webhook-service.js';
import { webhookCreate } from '#webhooks/registrations/webhook-input.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { Receiver, trustedCertificate } from '#test/support/receiver.js';
import { openTestStore } from '#test/support/store.js';
import { WORKSPACE } from './sender-rig.js';
import { webhookTestTransactions } from './webhook-transactions.js';

it('events for a webhook of another process are sent at once, from its second on', async () => {
  const clock = new FakeClock();
  const ids = createIds(clock);
  const { certificate } = await trustedCertificate();
  const receiver = await Receiver.open(certificate);
  const store = await openTestStore({ clock });
  const settings = {
    // Longer than the clock of this test goes while a slow machine connects.
    timeoutMs: 60_000,
    allowedNetworks: ['127.0.0.0/8'],
    trustedCertificates: [certificate.certificate],
  };
  const open = () => new WebhookService({ store, clock, ids, log: createMemoryLog().log, settings });
  const [other, callService] = [open(), open()];
  onTestFinished(async () => {
    await receiver.close();
    await Promise.all([other.stop(), callService.stop()]);
  });
  await callService.start();
  await other.webhooks.create(WORKSPACE, webhookCreate.parse({ url: receiver.url }), () => null);
  const happens = async () => {
    const [at, id] = [clock.wallMs(), ids.next('evt')];
    const event = { id, workspace: WORKSPACE, type: 'call.completed' as const, subjectId: 'call_1', at };
    await callService
      .wakeOnWrites(store)
      .write(webhookTestTransactions.record, { events: [{ ...event, data: {} }] });
  };
  /** What is awaited takes real time, in which the clock moves by `stepMs` every 5 ms, and by `mostMs` in all. */
  const told = (stepMs: number, mostMs: number) => {
    const untilMs = clock.monotonicMs() + mostMs;
    return async () => {
      if (clock.monotonicMs() < untilMs) await clock.advance(stepMs);
      return receiver.received.length;
    };
  };
  const often = { interval: 5 };

  await happens();
  await expect.poll(told(20, 50_000), often).toBe(1);
  await expect.poll(() => store.read(webhookTestTransactions.statuses, {})).toEqual({ delivered: 1 });
  await happens();
  // Without a wake nobody would look for it within these 800 ms.
  await expect.poll(told(1, 800), often).toBe(2);
});
