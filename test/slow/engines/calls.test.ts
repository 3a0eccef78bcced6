import { describe, expect, it } from 'vitest';
import { callTransactions } from '#calls/call-store.js';
import { nodeTransactions } from '#calls/watch/node-store.js';
import { toInstant } from '#kernel/time/clock.js';
import { CallRig } from '#test/support/call-rig.js';
import { PRINCIPAL } from '#test/support/principal.js';
import { openPostgres } from '#test/support/postgres.js';

const postgres = await openPostgres();

describe.each(['sqlite', 'postgres'])('calls on %s', (engine) => {
  const isMissing = engine === 'postgres' && postgres.isMissing;

  const openRig = async () => CallRig.started(await postgres.databaseOn(engine));

  it.skipIf(isMissing)('live a whole life', async () => {
    const rig = await openRig();
    const call = await rig.talking({ customer_data: { name: 'Zoë 🙂' }, metadata: { a: [1, null] } });
    rig.conversations[0]!.end({ by: 'agent' });
    await rig.reaches(call.id, 'completed');
    await rig.until(async () => (await rig.allEventTypes(call.id)).length === 8);
    expect((await rig.allEventTypes(call.id)).sort()).toEqual([
      'call.analysis_complete',
      'call.completed',
      'call.connected',
      'call.in_progress',
      'call.initiated',
      'call.recording_ready',
      'call.summary_ready',
      'call.transcript_ready',
    ]);
    expect(await rig.call(call.id)).toMatchObject({
      customer_data: { name: 'Zoë 🙂' },
      metadata: { a: [1, null] },
      metrics: { audio_quality: 0.9 },
      analysis: { resolution_achieved: true },
    });
  });

  it.skipIf(isMissing)('are nobody’s when their process falls silent, and the log says so once', async () => {
    const rig = await openRig();
    const at = rig.clock.wallMs();
    await rig.store.write(nodeTransactions.heartbeat, {
      id: 'node_silent',
      address: '10.0.0.7:8010',
      folderId: 'folder_2',
      at,
    });
    await rig.pass(40_000);
    const told = rig.log.lines.filter(({ msg }) => msg === 'another process is silent: it is dead');
    expect(told).toMatchObject([{ level: 'warn', node: 'node_silent', address: '10.0.0.7:8010' }]);
    expect(await rig.store.read(nodeTransactions.others, { id: 'nobody' })).toHaveLength(1);
  });

  it.skipIf(isMissing)('are each dialled by one process, however many want to', async () => {
    const rig = await openRig();
    const others = [rig.build(), rig.build()];
    await Promise.all(others.map((callService) => callService.start()));
    const calls = await Promise.all(
      Array.from({ length: 40 }, (_, at) => rig.create({ to_phone: `+1415555${1000 + at}` })),
    );
    await rig.until(() => rig.carrier.placed.length >= calls.length);
    await rig.pass(5_000);
    const numbers = rig.carrier.placed.map((request) => request.to);
    expect(new Set(numbers).size).toBe(calls.length);
    expect(numbers).toHaveLength(calls.length);
  });

  it.skipIf(isMissing)(
    'that come in are one call each, whichever processes hear of them at once',
    async () => {
      const rig = await openRig();
      const callServices = [rig.callService, rig.build(), rig.build()];
      const arrive = (line: string) =>
        callServices.map(({ carrierHost }) =>
          carrierHost.receive({
            carrier: 'scripted',
            providerCallId: line,
            from: '+14155550188',
            to: '+14155550177',
          }),
        );
      const lines = Array.from({ length: 8 }, (_, at) => `CA${at}`);
      const receptions = await Promise.all(lines.map((line) => Promise.all(arrive(line))));
      for (const heard of receptions) {
        const ids = heard.map(
          (reception) => reception.kind === 'talk' && reception.stream.parameters['call_id'],
        );
        expect(new Set(ids).size).toBe(1);
        expect(ids[0]).toMatch(/^call_/);
      }
    },
  );

  it.skipIf(isMissing)('are found by every filter, page by page', async () => {
    const rig = await openRig();
    for (let at = 0; at < 5; at++) {
      await rig.create({ to_phone: `+1415555000${at}`, metadata: { order: `A-${at}` } });
      await rig.clock.advance(1_000);
    }
    await rig.until(() => rig.carrier.placed.length === 5);
    const all = { workspace: PRINCIPAL.workspace };
    const list = (filter: object, limit = 50) =>
      rig.store.read(callTransactions.list, {
        filter: { ...all, ...filter },
        cursor: null,
        limit,
        now: rig.clock.wallMs(),
      });
    const numbersOf = async (filter: object) =>
      (await list(filter)).items.map((call) => call.to_phone.slice(-1));

    expect(await numbersOf({})).toEqual(['4', '3', '2', '1', '0']);
    expect(await numbersOf({ toPhone: ['+14155550001', '+14155550003'] })).toEqual(['3', '1']);
    expect(await numbersOf({ phone: ['+14155550002'] })).toEqual(['2']);
    expect(await numbersOf({ search: 'a-4' })).toEqual(['4']);
    expect(await numbersOf({ search: '%' })).toEqual([]);
    expect(await numbersOf({ live: false })).toEqual([]);
    expect(await numbersOf({ direction: ['inbound'] })).toEqual([]);
    expect(await numbersOf({ workspace: 'other' })).toEqual([]);

    const first = await list({}, 2);
    expect(first.items).toHaveLength(2);
    const second = await rig.store.read(callTransactions.list, {
      filter: all,
      cursor: first.next,
      limit: 3,
      now: rig.clock.wallMs(),
    });
    expect(second.items.map((call) => call.to_phone.slice(-1))).toEqual(['2', '1', '0']);
    expect(second.next).toBeNull();
  });

  it.skipIf(isMissing)('are found by the status and the duration that they show', async () => {
    const rig = await openRig();
    const numbersOf = async (filter: object) => {
      const page = { cursor: null, limit: 50, now: rig.clock.wallMs() };
      const named = { filter: { workspace: PRINCIPAL.workspace, ...filter }, ...page };
      return (await rig.store.read(callTransactions.list, named)).items.map((call) =>
        call.to_phone.slice(-1),
      );
    };
    await rig.create({ to_phone: '+14155550007' });
    await rig.until(() => rig.carrier.placed.length === 1);
    const soon = toInstant(rig.clock.wallMs() + 3_600_000);
    await rig.create({ to_phone: '+14155550009', scheduled_time: soon });
    expect(await numbersOf({ status: ['scheduled'] })).toEqual(['9']);
    expect(await numbersOf({ status: ['queued'] })).toEqual([]);
    expect(await numbersOf({ status: ['connecting', 'scheduled'], phone: ['+14155550009'] })).toEqual(['9']);
    expect(await numbersOf({ status: ['connecting'] })).toEqual(['7']);
    expect(await numbersOf({ minDurationSeconds: 0 })).toEqual(['9', '7']);
    const talking = await rig.talking({ to_phone: '+14155550008' });
    expect(await numbersOf({ minDurationSeconds: 2 })).toEqual([]);
    await rig.pass(2_000);
    expect(await numbersOf({ minDurationSeconds: 2 })).toEqual(['8']);
    rig.conversations.at(-1)!.end({ by: 'agent' });
    await rig.reaches(talking.id, 'completed');
    await rig.pass(10_000);
    expect(await numbersOf({ minDurationSeconds: 2 })).toEqual(['8']);
    expect(await numbersOf({ minDurationSeconds: 8 })).toEqual([]);
  });
});

describe.skipIf(postgres.isMissing)('a process that starts beside another one', () => {
  it('leaves it what it is asking its carrier for', async () => {
    const rig = await CallRig.started(await postgres.databaseOn('postgres'));
    // Nothing can be looked up: who takes over what is being dialled can only give it up.
    rig.carrier.traits = { ...rig.carrier.traits, lookUp: 'none' };
    const answer = rig.carrier.delayAnswer('late');
    const call = await rig.create();
    await rig.until(() => rig.carrier.placed.length === 1);
    await rig.build().start();
    await rig.pass(3_000);
    answer();
    await rig.pass(1_000);
    expect(await rig.call(call.id)).toMatchObject({ status: 'connecting', provider_call_id: 'late' });
    expect(rig.carrier.hungUp).toEqual([]);
  });
});
