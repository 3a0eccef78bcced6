import { describe, expect, it } from 'vitest';
import { toCallResource } from '#calls/resources/call-resource.js';
import { hangUp } from '#calls/lines/hang-up.js';
import { createTxContexts } from '#calls/endings/tx-contexts.js';
import { talkTransactions } from '#calls/talk/talk-store.js';
import type { CallBack } from '#dialogue/outcome.js';
import { callBackTransactions } from '#schedules/call-backs/call-back-store.js';
import { CarrierError } from '#telephony/port/carrier.js';
import { ENDED_REASONS, type EndedReason } from '#calls/record/ended-reason.js';
import { lookTransactions } from '#test/support/call-look-transactions.js';
import { CallRig } from '#test/support/call-rig.js';
import { sqlTransactions } from '#test/support/sql-transactions.js';
import { PRINCIPAL } from '#test/support/principal.js';

const NEW_YORKER = '+12125550123';
const DESK = '+14155550100';
/** Three in the afternoon of the day after the fake clock's, in New York. */
const AT = Date.UTC(2026, 10, 22, 20, 0);
const CALL_BACK: CallBack = {
  kind: 'call_back',
  at: AT,
  timeZone: 'America/New_York',
  said: 'tomorrow at 3 PM',
};
const links = { recordingUrl: 'r', transcriptUrl: 't' };

async function talkingRig(options: Record<string, unknown> = {}) {
  const rig = await CallRig.open();
  await rig.callService.start();
  const call = await rig.talking({ to_phone: NEW_YORKER, ...options });
  return { rig, call, conversation: rig.conversations.at(-1)! };
}

async function shown(rig: CallRig, callId: string) {
  const call = await rig.call(callId);
  const resource = toCallResource({
    call,
    entries: [],
    turns: [],
    links,
    now: rig.clock.wallMs(),
  });
  const events = await rig.store.read(talkTransactions.events, { workspace: 'default', id: callId });
  return { ...resource, events: events.map(({ type, data }) => ({ type, data })) };
}

const schedulesOf = (rig: CallRig) => rig.store.read(lookTransactions.schedules, {});

describe('a call that was agreed on in a talk', () => {
  it('is planned for its time, where the callee lives, with all that was known', async () => {
    const { rig, call, conversation } = await talkingRig({
      customer_data: { name: 'Ada' },
      customer_context: { order: 'tea' },
      metadata: { crm_id: '42' },
      record_call: false,
      timeout_seconds: 600,
      call_window: { start: '18:00', end: '20:00' },
    });
    expect(rig.briefs[0]!.timeZone).toBe('America/New_York');
    conversation.end({ by: 'agent' }, CALL_BACK);
    await rig.reaches(call.id, 'completed');
    const [schedule, ...others] = await schedulesOf(rig);
    expect(others).toEqual([]);
    expect(schedule).toMatchObject({
      kind: 'one_time',
      status: 'scheduled',
      agent_id: call.agent_id,
      phone_number: NEW_YORKER,
      from_phone: '+15550000000',
      scheduled_time: '2026-11-22 15:00:00',
      timezone: 'America/New_York',
      scheduled_at: AT,
      next_run_at: AT,
      due_at: AT,
      description: `Agreed on in ${call.id}.`,
      customer_context: '{"name":"Ada","order":"tea"}',
      metadata: '{"crm_id":"42"}',
      // The callee has named an hour outside of it.
      call_window: null,
    });
    // Who was not recorded is not recorded the second time either.
    expect(JSON.parse(schedule!['call_options'] as string)).toEqual({
      record_call: false,
      record_storage: 'local',
      enable_transcription: true,
      transcription_provider: 'builtin',
      timeout_seconds: 600,
      silence_timeout_seconds: 30,
    });
    const { follow_up: followUp, events } = await shown(rig, call.id);
    expect(followUp).toEqual({
      kind: 'call_back',
      scheduled_at: '2026-11-22T20:00:00.000Z',
      timezone: 'America/New_York',
      said: 'tomorrow at 3 PM',
      schedule_id: schedule!['id'],
    });
    expect(events).toContainEqual({
      type: 'call_back_planned',
      data: { schedule_id: schedule!['id'], scheduled_at: '2026-11-22T20:00:00.000Z' },
    });
  });

  it('is planned with the end of the call or not at all, and never twice', async () => {
    const { rig, call } = await talkingRig();
    const txContexts = createTxContexts({ clock: rig.clock, links: () => links });
    const outcome = { intent: null, resolutionAchieved: null, answers: {}, followUp: CALL_BACK };
    const finish = (timeZone: string) =>
      rig.store.write(callBackTransactions.finish, {
        callId: call.id,
        scheduleId: rig.ids.next('sched'),
        timeZoneVersion: 'test',
        agreed: { at: AT, timeZone },
        details: txContexts.finish(call.id, 'agent_hangup', { talk: { outcome, audioQuality: 1 } }),
      });
    await expect(finish('Nowhere/Land')).rejects.toThrow('a time zone is not known');
    expect((await rig.call(call.id)).status).toBe('active');
    await finish('America/New_York');
    expect((await rig.call(call.id)).status).toBe('completed');
    await finish('America/New_York');
    expect(await schedulesOf(rig)).toHaveLength(1);
  });

  it('is not planned when no time was agreed on or it has passed, and the call says so', async () => {
    const { rig, call, conversation } = await talkingRig();
    conversation.end({ by: 'agent' }, { ...CALL_BACK, at: null });
    await rig.reaches(call.id, 'completed');
    const past = await rig.talking({ to_phone: NEW_YORKER });
    rig.conversations.at(-1)!.end({ by: 'agent' }, { ...CALL_BACK, at: 1 });
    await rig.reaches(past.id, 'completed');
    expect(await schedulesOf(rig)).toEqual([]);
    for (const { id } of [call, past])
      expect((await shown(rig, id)).follow_up).toMatchObject({
        kind: 'call_back',
        schedule_id: null,
        scheduled_at: null,
      });
  });

  it('is told as agreed to nobody whose number is hidden', async () => {
    const { rig, call, conversation } = await talkingRig();
    await rig.store.write(sqlTransactions.run, {
      sql: `update calls set to_phone = '' where id = '${call.id}'`,
    });
    conversation.end({ by: 'agent' }, CALL_BACK);
    await rig.reaches(call.id, 'completed');
    expect(await schedulesOf(rig)).toEqual([]);
    expect((await shown(rig, call.id)).follow_up).toMatchObject({
      scheduled_at: null,
      schedule_id: null,
      said: 'tomorrow at 3 PM',
    });
  });
});

describe('a call that is handed over', () => {
  it('ends as transferred; its line is not hung up', async () => {
    const { rig, call, conversation } = await talkingRig();
    expect(await conversation.transfer(DESK)).toBe(true);
    conversation.end({ by: 'transfer', to: DESK });
    const ended = await rig.reaches(call.id, 'completed');
    expect(ended).toMatchObject({ ended_reason: 'transferred', fault: null, error: null });
    expect(rig.carrier.transfers).toEqual([
      { providerCallId: call.provider_call_id, to: DESK, from: '+15550000000' },
    ]);
    expect(rig.carrier.hungUp).toEqual([]);
    const { follow_up: followUp, events } = await shown(rig, call.id);
    expect(followUp).toEqual({ kind: 'transfer', to: DESK });
    expect(events).toContainEqual({ type: 'transferred', data: { to: DESK } });
    // The carrier's report on the line comes when the two of them have hung up.
    await rig.carrier.report('completed', { hungUpBy: 'customer' });
    expect((await rig.call(call.id)).ended_reason).toBe('transferred');
  });

  it('is left alone by whoever comes too late to end it', async () => {
    const { rig, call, conversation } = await talkingRig();
    await conversation.transfer(DESK);
    conversation.end({ by: 'transfer', to: DESK });
    const ended = await rig.reaches(call.id, 'completed');
    // The carrier has listened on and takes whoever was called for a machine.
    await rig.callService.carrierHost.acceptDetection({
      carrier: rig.carrier.name,
      dialRef: null,
      providerCallId: call.provider_call_id!,
      answeredBy: 'machine',
      greetingEnded: false,
    });
    await hangUp(ended, {
      carriers: rig.callService.carriers,
      clock: rig.clock,
      log: rig.log.log,
    });
    expect(rig.carrier.hungUp).toEqual([]);
  });

  it.each<[string, (rig: CallRig, callId: string) => unknown]>([
    ['request', (rig, id) => rig.callService.calls.disconnect(PRINCIPAL, id)],
    ['a socket that breaks', (rig) => rig.streams.at(-1)!.disconnected('failure')],
    ['the end of the service', (rig) => rig.stop()],
    ['an agent that fails', (rig) => rig.conversations.at(-1)!.end({ by: 'error', error: new Error('bug') })],
  ])('was transferred, also when its talk is then ended by %s', async (_, end) => {
    const { rig, call, conversation } = await talkingRig();
    await conversation.transfer(DESK);
    void end(rig, call.id);
    const ended = await rig.reaches(call.id, 'completed');
    expect(ended).toMatchObject({ ended_reason: 'transferred' });
    expect(rig.closed).toEqual([{ code: 1000, reason: 'transferred' }]);
    expect(rig.carrier.hungUp).toEqual([]);
    expect((await shown(rig, call.id)).follow_up).toEqual({ kind: 'transfer', to: DESK });
  });

  it('is hung up all the same when it was to end before the carrier said so', async () => {
    const { rig, call, conversation } = await talkingRig();
    let connected = () => {};
    rig.carrier.transferAnswers.push(() => new Promise((resolve) => (connected = resolve)));
    // The last words are waited for meanwhile.
    conversation.stop = () => {};
    const asked = conversation.transfer(DESK);
    await rig.until(() => rig.carrier.transfers.length === 1);
    void rig.callService.calls.disconnect(PRINCIPAL, call.id);
    await rig.reaches(call.id, 'ending');
    connected();
    await rig.pass(100, 20);
    await asked;
    conversation.end({ by: 'stop' });
    expect(await rig.reaches(call.id, 'completed')).toMatchObject({ ended_reason: 'api_disconnect' });
    expect(rig.carrier.hungUp).toEqual([call.provider_call_id]);
    expect((await shown(rig, call.id)).follow_up).toBeNull();
  });

  it('needs a number to be called from: without one the talk goes on', async () => {
    const rig = await CallRig.open();
    await rig.callService.start();
    const reception = await rig.callService.carrierHost.receive({
      carrier: rig.carrier.name,
      providerCallId: 'CA1',
      from: NEW_YORKER,
      to: null,
    });
    if (reception.kind !== 'talk') throw new Error('nobody answers');
    await rig.openStream({ kind: 'token', token: reception.stream.parameters['token']! });
    expect(await rig.conversations[0]!.transfer(DESK)).toBe(false);
    expect(rig.carrier.transfers).toEqual([]);
  });

  it.each<[EndedReason, string | null, 'closed' | 'failure']>([
    ['transferred', null, 'closed'],
    ['customer_hangup', 'refused', 'closed'],
    ['transferred', null, 'failure'],
    ['stream_error', 'refused', 'failure'],
  ])(
    'whose sound the carrier takes away before it answers is %s (%s, %s)',
    async (reason, refusal, cause) => {
      const { rig, call, conversation } = await talkingRig();
      let settle = () => {};
      rig.carrier.transferAnswers.push(
        () =>
          new Promise((resolve, reject) => {
            settle = () => (refusal ? reject(new CarrierError('not_dialled', 'refused', 'no')) : resolve());
          }),
      );
      const asked = conversation.transfer(DESK);
      await rig.until(() => rig.carrier.transfers.length === 1);
      rig.streams.at(-1)!.disconnected(cause);
      settle();
      await rig.until(() => rig.conversations.at(-1) === conversation);
      await asked;
      const { status } = ENDED_REASONS[reason];
      expect(await rig.reaches(call.id, status)).toMatchObject({ ended_reason: reason });
    },
  );

  it('was transferred where the carrier takes its sound away and its answer was lost; its log tells both', async () => {
    const { rig, call, conversation } = await talkingRig();
    const lost = new CarrierError('unknown', 'server_error', 'the connection to the carrier broke');
    rig.carrier.transferAnswers.push(() => Promise.reject(lost));
    expect(await conversation.transfer(DESK)).toBe(false);
    rig.streams.at(-1)!.disconnected('closed');
    expect(await rig.reaches(call.id, 'completed')).toMatchObject({ ended_reason: 'transferred' });
    const { events, follow_up: followUp } = await shown(rig, call.id);
    expect(events.filter(({ type }) => type.startsWith('transfer'))).toEqual([
      { type: 'transfer_failed', data: { to: DESK, error: 'server_error' } },
      { type: 'transferred', data: { to: DESK } },
    ]);
    expect(followUp).toEqual({ kind: 'transfer', to: DESK });
    expect(rig.carrier.hungUp).toEqual([]);
  });

  it('was not transferred where its sound goes away after a transfer that the carrier was never asked for', async () => {
    const { rig, call, conversation } = await talkingRig();
    rig.store.isAway = true;
    expect(await conversation.transfer(DESK)).toBe(false);
    rig.store.isAway = false;
    expect(rig.carrier.transfers).toEqual([]);
    rig.streams.at(-1)!.disconnected('closed');
    await rig.pass(60_000);
    expect((await rig.call(call.id)).ended_reason).toBe('customer_hangup');
  });

  it('goes on when the carrier does not do it, and its log tells why', async () => {
    const { rig, call, conversation } = await talkingRig();
    rig.carrier.transferAnswers.push(
      () => Promise.reject(new CarrierError('not_dialled', 'refused', 'busy', '486')),
      () => Promise.reject(new Error('bug')),
      () => new Promise(() => {}),
    );
    for (const error of ['refused', 'server_error', 'timeout']) {
      const asked = conversation.transfer(DESK);
      await rig.pass(error === 'timeout' ? 10_500 : 0);
      expect(await asked).toBe(false);
      const { status, events } = await shown(rig, call.id);
      expect(status).toBe('active');
      expect(events.at(-1)).toEqual({ type: 'transfer_failed', data: { to: DESK, error } });
    }
    // A premium number, and then a suppressed one: the carrier is not even asked.
    expect(await conversation.transfer('+19005550123')).toBe(false);
    await rig.store.write(lookTransactions.suppress, { phoneNumber: DESK, at: rig.clock.wallMs() });
    expect(await conversation.transfer(DESK)).toBe(false);
    expect(rig.carrier.transfers).toHaveLength(3);
  });
});
