import { describe, expect, it } from 'vitest';
import { Problem } from '#kernel/errors/errors.js';
import { TooSlowError } from '#conversation/talk/within.js';
import { SpeechError } from '#speech/speech-error.js';
import { toTurnWaterfall } from '#calls/resources/turn-waterfall.js';
import { talkTransactions } from '#calls/talk/talk-store.js';
import { suppressionTransactions } from '#policy/suppressions/suppression-store.js';
import { CallRig } from '#test/support/call-rig.js';
import { PRINCIPAL } from '#test/support/principal.js';

async function talkingRig(options: Record<string, unknown> = {}) {
  const rig = await CallRig.open();
  await rig.callService.start();
  const call = await rig.talking(options);
  return { rig, call, conversation: rig.conversations.at(-1)! };
}

describe('a call on the line', () => {
  it('is active once its stream is open, and has announced each step', async () => {
    const { rig, call } = await talkingRig();
    expect(call).toMatchObject({ status: 'active', direction: 'outbound', provider: 'scripted' });
    expect(await rig.eventTypes(call.id)).toEqual(['call.initiated', 'call.connected', 'call.in_progress']);
  });

  it('keeps what was cut short beside the transcript, not in it, and erases it as well', async () => {
    const { rig, call, conversation } = await talkingRig();
    const heard = {
      speaker: 'agent',
      text: 'Hello, this',
      confidence: 1,
      startMs: 20.4,
      endMs: 900,
    } as const;
    conversation.observer.onEntry({ ...heard, interrupted: true, unheard: 'is the clinic.' });
    conversation.end({ by: 'agent' });
    await rig.reaches(call.id, 'completed');
    const turns = async () => toTurnWaterfall(await rig.callService.calls.turns(PRINCIPAL, call.id));
    expect((await turns()).unheard).toEqual([{ start_ms: 20, text: 'is the clinic.' }]);
    const { resource } = await rig.callService.views.get(PRINCIPAL, call.id);
    expect(resource.transcript).toBe('Agent: Hello, this');
    await rig.callService.calls.erase(PRINCIPAL, call.id);
    expect((await turns()).unheard).toEqual([]);
  });

  it('shows speech that was not understood by the same words while it lasts and afterwards', async () => {
    const { rig, call, conversation } = await talkingRig();
    const shown: string[] = [];
    rig.callService.feed.subscribe((_id, event) => {
      if (event.type === 'transcript.final') shown.push(event.text);
    });
    const noise = { speaker: 'customer', text: '', confidence: 0, startMs: 20, endMs: 900 } as const;
    conversation.observer.onEntry({ ...noise, interrupted: false });
    conversation.end({ by: 'agent' });
    await rig.reaches(call.id, 'completed');
    const { resource } = await rig.callService.views.get(PRINCIPAL, call.id);
    expect([...shown, resource.transcript]).toEqual(['[not understood]', 'Customer: [not understood]']);
  });

  it('lets a token open one socket only', async () => {
    const rig = await CallRig.open();
    await rig.callService.start();
    await rig.create();
    await rig.until(() => rig.carrier.placed.length === 1);
    const instruction = await rig.carrier.answer();
    const right = { kind: 'token', token: instruction!.parameters['token']! } as const;
    await rig.openStream(right);
    await expect(rig.openStream(right)).rejects.toThrow(Problem);
    await expect(rig.openStream({ kind: 'token', token: 'st_guess' })).rejects.toMatchObject({
      code: 'unauthorized',
    });
    expect(rig.conversations).toHaveLength(1);
  });

  it.each([
    [{ by: 'agent' } as const, 'completed', 'agent_hangup', 1000],
    [{ by: 'silence' } as const, 'completed', 'silence_timeout', 1000],
    [{ by: 'machine' } as const, 'completed', 'voicemail', 1000],
    [{ by: 'error', error: new Error('lost the thread') } as const, 'failed', 'agent_error', 1011],
    [
      { by: 'error', error: new SpeechError('deaf', { provider: 'x', retryable: false }) } as const,
      'failed',
      'speech_provider_error',
      1011,
    ],
    [
      { by: 'error', error: new TooSlowError('a thought: 20000 ms') } as const,
      'failed',
      'speech_provider_error',
      1011,
    ],
  ])('that its talk ends by %j is %s with %s', async (end, status, reason, closeCode) => {
    const { rig, call, conversation } = await talkingRig();
    await rig.pass(5_000);
    conversation.end(end);
    const ended = await rig.reaches(call.id, status as 'completed');
    expect(ended).toMatchObject({ ended_reason: reason });
    expect(ended.ended_at! - ended.answered_at!).toBeGreaterThanOrEqual(5_000);
    expect(rig.closed).toEqual([{ code: closeCode, reason }]);
    expect(rig.carrier.hungUp).toHaveLength(1);
    const terminal = (await rig.eventTypes(call.id)).filter((type) => /completed|failed/.test(type));
    expect(terminal).toHaveLength(1);
  });

  it('keeps what is said and how long answers took', async () => {
    const { rig, call, conversation } = await talkingRig();
    conversation.observer.onEntry({
      speaker: 'agent',
      text: 'Hello.',
      confidence: 1,
      startMs: 20,
      endMs: 900,
      interrupted: false,
    });
    conversation.observer.onTurn({
      turn: 1,
      endOfTurnMs: 600,
      sttMs: 10,
      thinkMs: 1,
      speakMs: 30,
      totalMs: 650,
      soundedAtMs: 2_000,
      interrupted: false,
    });
    conversation.end({ by: 'agent' });
    await rig.reaches(call.id, 'completed');
    const { resource, turns } = await rig.callService.views.get(PRINCIPAL, call.id);
    expect(resource.transcript).toBe('Agent: Hello.');
    expect(resource.metrics).toMatchObject({
      response_latency_ms: 650,
      transcription_latency_ms: 10,
      audio_quality: 0.9,
    });
    expect(turns).toHaveLength(1);
    const { latency, p95_response_ms } = await rig.callService.views.metrics(PRINCIPAL, call.id);
    expect(latency.total).toEqual({ p50: 650, p95: 650 });
    expect(latency.hearing).toEqual({ p50: 10, p95: 10 });
    expect(p95_response_ms).toBe(650);
  });

  it('keeps what was said, how it ended and a wish not to be called, though the database was away', async () => {
    const { rig, call, conversation } = await talkingRig();
    rig.store.isAway = true;
    const said = { speaker: 'customer', confidence: 1, startMs: 0, endMs: 900, interrupted: false } as const;
    conversation.observer.onEntry({ ...said, text: 'Do not call me again.' });
    conversation.end({ by: 'agent' }, { kind: 'suppress' });
    await rig.pass(30_000);
    expect(rig.closed).toHaveLength(1);
    expect(rig.carrier.hungUp).toHaveLength(1);

    rig.store.isAway = false;
    const ended = await rig.reaches(call.id, 'completed');
    expect(ended).toMatchObject({
      ended_reason: 'agent_hangup',
      outcome: { followUp: { kind: 'suppress' } },
    });
    expect(ended.ended_at).toBeLessThan(rig.clock.wallMs() - 25_000);
    const { resource } = await rig.callService.views.get(PRINCIPAL, call.id);
    expect(resource.transcript).toBe('Customer: Do not call me again.');
    const asked = { workspace: 'default', phoneNumbers: [call.to_phone], now: rig.clock.wallMs() };
    expect(await rig.store.read(suppressionTransactions.check, asked)).toHaveLength(1);
    const terminal = (await rig.eventTypes(call.id)).filter((type) => /completed|failed/.test(type));
    expect(terminal).toEqual(['call.completed']);
    expect(rig.log.lines.map(({ msg }) => msg)).not.toContain('part of a talk was not stored');
  });

  it('keeps what is written twice once, when nobody knows whether it was written', async () => {
    const { rig, call } = await talkingRig();
    const entry = {
      speaker: 'agent',
      text: 'Hi.',
      confidence: 1,
      startMs: 0,
      endMs: 9,
      interrupted: false,
    } as const;
    const said = { callId: call.id, sequence: 1, entry };
    const timing = {
      turn: 1,
      endOfTurnMs: 1,
      sttMs: 1,
      thinkMs: 1,
      speakMs: 1,
      totalMs: 4,
      soundedAtMs: 2_000,
      interrupted: false,
    };
    for (let times = 0; times < 2; times += 1) {
      await rig.store.write(talkTransactions.addEntry, said);
      await rig.store.write(talkTransactions.addTurn, { callId: call.id, timing });
    }
    const { resource, turns } = await rig.callService.views.get(PRINCIPAL, call.id);
    expect([resource.transcript, turns.length]).toEqual(['Agent: Hi.', 1]);
  });

  it('keeps no words when transcription is off', async () => {
    const { rig, call, conversation } = await talkingRig({ enable_transcription: false });
    conversation.observer.onEntry({
      speaker: 'customer',
      text: 'Secret.',
      confidence: 1,
      startMs: 0,
      endMs: 10,
      interrupted: false,
    });
    conversation.end({ by: 'agent' });
    await rig.reaches(call.id, 'completed');
    const { resource } = await rig.callService.views.get(PRINCIPAL, call.id);
    expect(resource.transcript).toBe('');
    expect(await rig.callService.views.summary(PRINCIPAL, call.id)).toMatchObject({ status: 'disabled' });
  });

  it('is ended by disconnect, and ending it again changes nothing', async () => {
    const { rig, call } = await talkingRig();
    const first = await rig.settled(rig.callService.calls.disconnect(PRINCIPAL, call.id));
    expect(first).toMatchObject({
      alreadyEnded: false,
      call: { status: 'completed', ended_reason: 'api_disconnect' },
    });
    const second = await rig.settled(rig.callService.calls.disconnect(PRINCIPAL, call.id));
    expect(second.alreadyEnded).toBe(true);
    // The work after the call may have been done meanwhile.
    const { summary, analysis, updated_at } = second.call;
    expect(second.call).toEqual({ ...first.call, summary, analysis, updated_at });
  });

  it('is ended when its time is up, whatever the audio does', async () => {
    const { rig, call } = await talkingRig({ timeout_seconds: 20, silence_timeout_seconds: 10 });
    await rig.pass(19_000);
    expect((await rig.call(call.id)).status).toBe('active');
    await rig.pass(3_000);
    expect(await rig.reaches(call.id, 'completed')).toMatchObject({ ended_reason: 'max_duration' });
  });

  it.each([
    ['forwards', 3_600_000],
    ['backwards', -3_600_000],
  ])('is neither cut off nor forgotten when the wall clock jumps %s', async (_way, jumpMs) => {
    const { rig, call } = await talkingRig({ timeout_seconds: 60, silence_timeout_seconds: 30 });
    await rig.pass(5_000);
    rig.clock.setWall(rig.clock.wallMs() + jumpMs);
    await rig.pass(50_000);
    expect((await rig.call(call.id)).status).toBe('active');
    await rig.pass(8_000);
    expect(await rig.reaches(call.id, 'completed')).toMatchObject({ ended_reason: 'max_duration' });
  });

  it('is ended when a talk that hangs has been silent for too long', async () => {
    const { rig, call } = await talkingRig({ silence_timeout_seconds: 10 });
    await rig.pass(75_000);
    expect(await rig.reaches(call.id, 'completed')).toMatchObject({ ended_reason: 'silence_timeout' });
  });

  it('keeps no socket, and no process from stopping, when its talk does not obey', async () => {
    const { rig, call, conversation } = await talkingRig();
    conversation.stop = () => {};
    await rig.settled(rig.callService.calls.disconnect(PRINCIPAL, call.id));
    await rig.pass(20_000);
    expect(await rig.call(call.id)).toMatchObject({ status: 'completed', ended_reason: 'api_disconnect' });
    expect(rig.closed).toHaveLength(1);
    await rig.settled(rig.stop());
  });

  it('fails when it was answered and the audio never came', async () => {
    const rig = await CallRig.open();
    await rig.callService.start();
    const call = await rig.create();
    await rig.until(() => rig.carrier.placed.length === 1);
    await rig.carrier.report('answered');
    await rig.pass(17_000);
    expect(await rig.reaches(call.id, 'failed')).toMatchObject({ ended_reason: 'stream_not_opened' });
    expect(rig.carrier.hungUp).toHaveLength(1);
  });

  it('fails when the carrier never says what became of it', async () => {
    const rig = await CallRig.open();
    await rig.callService.start();
    const call = await rig.create();
    await rig.until(() => rig.carrier.placed.length === 1);
    await rig.pass(78_000);
    expect(await rig.reaches(call.id, 'failed')).toMatchObject({ ended_reason: 'dial_timeout' });
  });

  it('rings no longer because its metadata is written meanwhile', async () => {
    const rig = await CallRig.open();
    await rig.callService.start();
    const call = await rig.create();
    await rig.until(() => rig.carrier.placed.length === 1);
    for (const seen of [1, 2]) {
      await rig.pass(39_000);
      await rig.settled(rig.callService.calls.setMetadata(PRINCIPAL, call.id, { seen }));
    }
    expect(await rig.reaches(call.id, 'failed')).toMatchObject({ ended_reason: 'dial_timeout' });
  });

  it('was busy when only a look-up says so', async () => {
    const rig = await CallRig.open();
    await rig.callService.start();
    const call = await rig.create();
    await rig.until(() => rig.carrier.placed.length === 1);
    rig.carrier.found = () => ({ found: true, providerCallId: 'CA1', status: 'busy' });
    await rig.pass(78_000);
    expect(await rig.reaches(call.id, 'failed')).toMatchObject({ ended_reason: 'busy' });
  });

  it('ends with the service, as the service says', async () => {
    const { rig, call } = await talkingRig();
    await rig.stop();
    expect(await rig.call(call.id)).toMatchObject({
      status: 'failed',
      ended_reason: 'server_shutdown',
      fault: 'platform',
    });
    expect(rig.closed).toEqual([{ code: 1001, reason: 'server_shutdown' }]);
  });
});

describe('a stream that a client opens by itself', () => {
  it('is a call of its own, inbound, and ends when the client goes', async () => {
    const rig = await CallRig.open();
    await rig.callService.start();
    const callId = rig.ids.next('call');
    const live = await rig.openStream({ kind: 'principal', principal: PRINCIPAL, callId });
    expect(live.callId).toBe(callId);
    expect(await rig.call(callId)).toMatchObject({
      status: 'active',
      direction: 'inbound',
      provider: 'websocket',
    });
    live.disconnected('closed');
    const ended = await rig.reaches(callId, 'completed');
    expect(ended.ended_reason).toBe('stream_disconnected');
    expect(await rig.eventTypes(callId)).toEqual(['call.connected', 'call.in_progress', 'call.completed']);
  });

  it('fails when its socket breaks', async () => {
    const rig = await CallRig.open();
    await rig.callService.start();
    const callId = rig.ids.next('call');
    const live = await rig.openStream({ kind: 'principal', principal: PRINCIPAL, callId });
    live.disconnected('failure');
    expect(await rig.reaches(callId, 'failed')).toMatchObject({ ended_reason: 'stream_error' });
  });
});
