import { describe, expect, it } from 'vitest';
import type { EventType } from '#events/event-types.js';
import { databaseOn, engines } from '#test/support/engines.js';
import { openTestStore } from '#test/support/store.js';
import { eventTransactions } from './event-transactions.js';

const AT = Date.UTC(2027, 2, 14, 7, 30);
function event(id: string, type: EventType, data: Record<string, unknown> = {}, subjectId = 'call_1') {
  return { id, workspace: 'default', type, subjectId, at: AT, data };
}

describe('an event', () => {
  it('is stored as the envelope, to the byte', async () => {
    const store = await openTestStore();
    await store.write(
      eventTransactions.record,
      event('evt_1', 'call.completed', { id: 'call_1', status: 'completed' }),
    );

    expect(await store.read(eventTransactions.bodies, {})).toEqual([
      '{"event_type":"call.completed","timestamp":"2027-03-14T07:30:00.000Z","webhook_id":"evt_1","data":{"id":"call_1","status":"completed"}}',
    ]);
    expect(await store.read(eventTransactions.deliveries, {})).toEqual([]);
  });

  it('is enqueued for every subscribed webhook of its workspace', async () => {
    const store = await openTestStore();
    const wishes = [
      { webhookId: 'wh_a', workspace: 'default', events: ['call.completed', 'call.failed'] as const },
      { webhookId: 'wh_b', workspace: 'default', events: ['call.completed'] as const },
      { webhookId: 'wh_c', workspace: 'default', events: ['batch.completed'] as const },
      { webhookId: 'wh_d', workspace: 'another', events: ['call.completed'] as const },
    ];
    for (const wish of wishes) await store.write(eventTransactions.register, wish);
    await store.write(eventTransactions.record, event('evt_1', 'call.completed'));
    await store.write(eventTransactions.record, event('evt_2', 'call.missed'));

    const pending = { event: 'evt_1', type: 'call.completed', status: 'pending' };
    expect(await store.read(eventTransactions.deliveries, {})).toEqual([
      { webhook: 'wh_a', ...pending },
      { webhook: 'wh_b', ...pending },
    ]);
  });

  it('that the filters of one webhook exclude goes to the others', async () => {
    const store = await openTestStore();
    const wish = { workspace: 'default', events: ['call.completed'] as const };
    const inbound = { direction: 'inbound' } as const;
    await store.write(eventTransactions.register, { ...wish, webhookId: 'wh_a', filters: inbound });
    await store.write(eventTransactions.register, { ...wish, webhookId: 'wh_b' });
    await store.write(eventTransactions.register, { ...wish, webhookId: 'wh_c', filters: inbound });
    await store.write(eventTransactions.record, event('evt_1', 'call.completed', { direction: 'outbound' }));

    expect(await store.read(eventTransactions.deliveries, {})).toMatchObject([{ webhook: 'wh_b' }]);
  });

  it('is not written when the change fails', async () => {
    const store = await openTestStore();
    await store.write(eventTransactions.register, {
      webhookId: 'wh_a',
      workspace: 'default',
      events: ['call.completed'],
    });
    await expect(
      store.write(eventTransactions.recordAndFail, event('evt_1', 'call.completed')),
    ).rejects.toThrow('after the event');

    expect(await store.read(eventTransactions.bodies, {})).toEqual([]);
    expect(await store.read(eventTransactions.deliveries, {})).toEqual([]);
  });

  it('about a conversation is filtered by direction and end of its call', async () => {
    const store = await openTestStore();
    const filters = { direction: 'outbound', status: 'completed', min_duration: 30 } as const;
    const wish = {
      webhookId: 'wh_a',
      workspace: 'default',
      events: ['call.transcript_ready'],
      filters,
    } as const;
    await store.write(eventTransactions.register, { ...wish, events: ['call.transcript_ready'] });
    const end = { direction: 'outbound', status: 'completed', end_time: '2027-03-14T07:30:00.000Z' };
    await store.write(
      eventTransactions.record,
      event('evt_1', 'call.completed', { ...end, duration_seconds: 30 }),
    );
    await store.write(
      eventTransactions.record,
      event('evt_2', 'call.completed', { ...end, duration_seconds: 29 }, 'call_2'),
    );
    for (const [id, callId] of [
      ['evt_3', 'call_1'],
      ['evt_4', 'call_2'],
      ['evt_5', 'call_unknown'],
    ] as const) {
      await store.write(
        eventTransactions.record,
        event(id, 'call.transcript_ready', { call_id: callId }, callId),
      );
    }

    const deliveries = await store.read(eventTransactions.deliveries, {});
    expect(deliveries.map((delivery) => delivery.event)).toEqual(['evt_3']);
  });

  it.each(['failed', 'missed'] as const)(
    'about a conversation is filtered for a call that %s, too',
    async (status) => {
      const store = await openTestStore();
      const wish = { webhookId: 'wh_a', workspace: 'default', events: ['call.recording_ready'] as const };
      await store.write(eventTransactions.register, { ...wish, filters: { status } });
      await store.write(eventTransactions.record, event('evt_1', `call.${status}`, { status }));
      await store.write(
        eventTransactions.record,
        event('evt_2', 'call.recording_ready', { call_id: 'call_1' }),
      );

      expect(await store.read(eventTransactions.deliveries, {})).toMatchObject([{ event: 'evt_2' }]);
    },
  );
});

describe.each(engines)('events of one change on %s', (engine) => {
  it('are each enqueued for their subscribers', async () => {
    const store = await openTestStore(await databaseOn(engine));
    const wishes = [
      { webhookId: 'wh_a', workspace: 'default', events: ['call.completed'] as const },
      { webhookId: 'wh_b', workspace: 'default', events: ['call.connected', 'call.completed'] as const },
    ];
    for (const wish of wishes) await store.write(eventTransactions.register, wish);
    const types = ['call.initiated', 'call.connected', 'call.in_progress', 'call.completed'] as const;
    await store.write(eventTransactions.recordAll, {
      events: types.map((type, i) => event(`evt_${i}`, type)),
    });
    await store.write(eventTransactions.recordAll, { events: [] });

    expect(await store.read(eventTransactions.bodies, {})).toHaveLength(types.length);
    expect(await store.read(eventTransactions.deliveries, {})).toMatchObject([
      { event: 'evt_1', type: 'call.connected', webhook: 'wh_b' },
      { event: 'evt_3', type: 'call.completed', webhook: 'wh_a' },
      { event: 'evt_3', type: 'call.completed', webhook: 'wh_b' },
    ]);
  });
});

describe('a notification of a schedule', () => {
  const target = {
    webhookId: 'wh_s',
    workspace: 'default',
    ownerId: 'sched_1',
    url: 'https://example.com/hook',
    secret: 'whsec_AAAA',
    at: AT,
  };

  it('goes to a changed URL with the same secret, though the target was disabled', async () => {
    const store = await openTestStore();
    await store.write(eventTransactions.addTarget, target);
    await store.write(eventTransactions.switchOff, 'wh_s');
    const url = 'https://example.org/hook';
    await store.write(eventTransactions.moveTarget, { webhookId: 'wh_s', url, at: AT });

    expect(await store.read(eventTransactions.target, 'wh_s')).toEqual({
      url,
      secret: 'whsec_AAAA',
      active: 1,
      disabled_reason: null,
      failures_in_row: 0,
      probe_at: null,
    });
  });

  it('goes to its own target and to no subscriber, with its short type', async () => {
    const store = await openTestStore();
    await store.write(eventTransactions.addTarget, target);
    await store.write(eventTransactions.notify, {
      id: 'evt_1',
      workspace: 'default',
      type: 'scheduled_call.started',
      subjectId: 'sched_1',
      webhookId: 'wh_s',
      at: AT,
      data: { schedule_id: 'sched_1' },
    });

    expect(await store.read(eventTransactions.bodies, {})).toEqual([
      '{"event_type":"scheduled_call.started","event":"started","timestamp":"2027-03-14T07:30:00.000Z","webhook_id":"evt_1","data":{"schedule_id":"sched_1"}}',
    ]);
    expect(await store.read(eventTransactions.deliveries, {})).toEqual([
      { webhook: 'wh_s', event: 'evt_1', type: 'scheduled_call.started', status: 'pending' },
    ]);
  });
});
