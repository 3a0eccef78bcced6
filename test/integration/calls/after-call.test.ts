import { describe, expect, it } from 'vitest';
import { idempotencyTransactions } from '#idempotency/idempotency-store.js';
import { talkTransactions } from '#calls/talk/talk-store.js';
import { lookTransactions } from '#test/support/call-look-transactions.js';
import { ANALYSIS, CallRig } from '#test/support/call-rig.js';
import { PRINCIPAL } from '#test/support/principal.js';
import { providerIdOf } from '#test/support/scripted-carrier.js';

const DATA_EVENTS = [
  'call.analysis_complete',
  'call.recording_ready',
  'call.summary_ready',
  'call.transcript_ready',
];

async function talkOver(prepare: (rig: CallRig) => void = () => {}, options: Record<string, unknown> = {}) {
  const rig = await CallRig.open();
  prepare(rig);
  await rig.callService.start();
  const call = await rig.talking(options);
  const { observer } = rig.conversations.at(-1)!;
  observer.onEntry({
    speaker: 'customer',
    text: 'Yes.',
    confidence: 0.9,
    startMs: 0,
    endMs: 400,
    interrupted: false,
  });
  rig.conversations.at(-1)!.end({ by: 'agent' }, null, { guests: '3' });
  await rig.reaches(call.id, 'completed');
  return { rig, call };
}

async function dataEvents(rig: CallRig, callId: string): Promise<string[]> {
  return (await rig.allEventTypes(callId)).filter((type) => DATA_EVENTS.includes(type)).sort();
}

describe('after a call', () => {
  it('recording, analysis, summary and transcript become ready, each announced once', async () => {
    const { rig, call } = await talkOver();
    await rig.until(async () => (await dataEvents(rig, call.id)).length === 4);
    await rig.pass(5_000);
    expect(await dataEvents(rig, call.id)).toEqual(DATA_EVENTS);
    const recording = await rig.callService.recordings.get(PRINCIPAL, call.id);
    expect(recording).toMatchObject({ status: 'ready', size_bytes: 64_044, duration_ms: 2_000 });
    const { summary: _summary, ...insights } = ANALYSIS;
    expect(await rig.callService.views.summary(PRINCIPAL, call.id)).toEqual({
      call_id: call.id,
      status: 'ready',
      summary: 'They talked.',
      answers: { guests: '3' },
      analysis: insights,
    });
    const events = await rig.store.read(lookTransactions.events, { callId: call.id });
    const transcript = events.find((event) => event.type === 'call.transcript_ready')!;
    expect(transcript.body).toMatchObject({
      event_type: 'call.transcript_ready',
      data: {
        call_id: call.id,
        transcript: 'Customer: Yes.',
        transcript_url: `http://service/api/calls/${call.id}/transcript`,
        summary: 'They talked.',
        sentiment: 'positive',
        answers: { guests: '3' },
      },
    });
    expect(events.find((event) => event.type === 'call.analysis_complete')!.body).toMatchObject({
      data: {
        answers: { guests: '3' },
        call_to: call.to_phone,
        status: 'completed',
        ended_reason: 'agent_hangup',
        custom_metadata: call.metadata,
      },
    });
    expect(events.find((event) => event.type === 'call.completed')!.body).toMatchObject({
      data: { answers: { guests: '3' } },
    });
    const { resource } = await rig.callService.views.get(PRINCIPAL, call.id);
    expect(resource.answers).toEqual({ guests: '3' });
  });

  it.each([
    { enable_transcription: true, answers: { guests: '3', message: 'I am ill.' } },
    { enable_transcription: false, answers: { guests: '3' } },
  ])('$answers is kept, with a transcript: $enable_transcription', async (expected) => {
    const rig = await CallRig.open();
    await rig.callService.start();
    const { enable_transcription, answers } = expected;
    const call = await rig.talking({ enable_transcription });
    const given = { guests: '3', message: 'I am ill.' };
    const more = { said: given, inOwnWords: ['message'], summary: 'They said: I am ill.' };
    rig.conversations.at(-1)!.end({ by: 'agent' }, null, given, more);
    const ended = await rig.reaches(call.id, 'completed');
    expect((await rig.callService.views.get(PRINCIPAL, call.id)).resource.answers).toEqual(answers);
    expect(await rig.callService.views.summary(PRINCIPAL, call.id)).toMatchObject({ answers });
    expect(JSON.stringify(ended.outcome).includes('I am ill')).toBe(enable_transcription);
  });

  it('a call in which no talk began is analysed with its end, and nobody has to think about it', async () => {
    const rig = await CallRig.open();
    rig.analysis = () => Promise.reject(new Error('nobody should be asked'));
    await rig.callService.start();
    const call = await rig.create();
    await rig.until(() => rig.carrier.placed.length === 1);
    await rig.carrier.report('completed');
    const { resource } = await rig.callService.views.get(PRINCIPAL, call.id);
    expect(resource).toMatchObject({ status: 'completed', summary: 'Nothing was said.' });
    expect(resource.metrics).toMatchObject({
      customer_sentiment: 'neutral',
      resolution_achieved: null,
      speaker_changes: null,
      ai_response_time: null,
    });
    expect((await rig.allEventTypes(call.id)).slice(-4)).toEqual([
      'call.completed',
      'call.analysis_complete',
      'call.summary_ready',
      'call.transcript_ready',
    ]);
    expect(await rig.store.read(lookTransactions.jobs, { callId: call.id })).toEqual([]);
  });

  it('a machine that picked up, and that nobody talked to, is what the call was about', async () => {
    const rig = await CallRig.open();
    await rig.callService.start();
    const call = await rig.create();
    await rig.until(() => rig.carrier.placed.length === 1);
    await rig.carrier.report('answered');
    const { dialRef } = rig.carrier.placed.at(-1)!;
    const line = { carrier: rig.carrier.name, dialRef, providerCallId: providerIdOf(dialRef) };
    await rig.callService.carrierHost.acceptDetection({ ...line, answeredBy: 'fax', greetingEnded: false });
    expect(await rig.call(call.id)).toMatchObject({
      ended_reason: 'voicemail',
      summary: 'An answering machine picked up.',
    });
  });

  it('work that fails is tried again later, and given up in the end', async () => {
    let tries = 0;
    const { rig, call } = await talkOver((fresh) => {
      fresh.analysis = () => {
        tries += 1;
        return Promise.reject(new Error('no analyst'));
      };
    });
    await rig.until(() => tries === 1);
    await rig.pass(3_000);
    await rig.until(() => tries === 2);
    await rig.pass(1_500_000, 5_000);
    expect(tries).toBe(6);
    const jobs = await rig.store.read(lookTransactions.jobs, { callId: call.id });
    expect(jobs.find((job) => job['kind'] === 'analysis')).toMatchObject({
      status: 'failed',
      error: 'Error',
    });
  });

  it('an analysis is run again when somebody asks for it, also one that was given up', async () => {
    const { rig, call } = await talkOver(
      (fresh) => (fresh.analysis = () => Promise.reject(new Error('away'))),
    );
    await rig.pass(1_500_000, 5_000);
    const summary = async () => (await rig.callService.views.summary(PRINCIPAL, call.id)).summary;
    for (const said of ['They talked.', 'They talked of a visit.']) {
      const before = (await dataEvents(rig, call.id)).length;
      rig.analysis = async () => ({ ...ANALYSIS, summary: said });
      await rig.callService.calls.analyseAgain(PRINCIPAL, call.id);
      await rig.callService.calls.analyseAgain(PRINCIPAL, call.id);
      await rig.until(async () => (await summary()) === said);
      expect((await dataEvents(rig, call.id)).length - before).toBe(3);
    }
    await rig.callService.calls.erase(PRINCIPAL, call.id);
    await expect(rig.callService.calls.analyseAgain(PRINCIPAL, call.id)).rejects.toMatchObject({
      code: 'invalid_state',
    });
  });

  it.each([
    ['goes on', async (rig: CallRig) => (await rig.talking()).id],
    ['nobody answered', async (rig: CallRig) => (await rig.create()).id],
  ])('a call that %s is not analysed again', async (_, callIn) => {
    const rig = await CallRig.started();
    const id = await callIn(rig);
    const again = rig.callService.calls.analyseAgain(PRINCIPAL, id);
    await expect(again).rejects.toMatchObject({ code: 'invalid_state' });
  });

  it('work that is done leaves nothing behind', async () => {
    const { rig, call } = await talkOver();
    await rig.until(async () => (await dataEvents(rig, call.id)).length === 4);
    expect(await rig.store.read(lookTransactions.jobs, { callId: call.id })).toEqual([]);
  });

  it('work that never ends does not keep other work waiting, and is given up in the end', async () => {
    let tries = 0;
    const { rig, call } = await talkOver((fresh) => {
      fresh.analysis = () => {
        tries += 1;
        return new Promise(() => {});
      };
    });
    await rig.pass(1_800_000, 5_000);
    expect(tries).toBe(6);
    const jobs = await rig.store.read(lookTransactions.jobs, { callId: call.id });
    expect(jobs.find((job) => job['kind'] === 'analysis')).toMatchObject({ status: 'failed' });
  });

  it('work that no process survives is given up in the end', async () => {
    let tries = 0;
    const { rig, call } = await talkOver((fresh) => {
      fresh.analysis = () => {
        tries += 1;
        return new Promise(() => {});
      };
    });
    for (let starts = 0; starts < 8; starts++) {
      // What a dead process had in hand is free when its lease is over: on PostgreSQL others may be alive.
      rig.clock.setWall(rig.clock.wallMs() + 61_000);
      await rig.build().start();
      await rig.pass(1_000);
    }
    expect(tries).toBeLessThanOrEqual(6);
    const jobs = await rig.store.read(lookTransactions.jobs, { callId: call.id });
    expect(jobs.find((job) => job['kind'] === 'analysis')).toMatchObject({ status: 'failed' });
  });

  it('a recording that holds nothing is no recording', async () => {
    const { rig, call } = await talkOver((fresh) => {
      fresh.repaired = async () => ({ sizeBytes: 44, durationMs: 0 });
    });
    await rig.until(async () => (await dataEvents(rig, call.id)).includes('call.transcript_ready'));
    expect(await dataEvents(rig, call.id)).not.toContain('call.recording_ready');
    await expect(rig.callService.recordings.get(PRINCIPAL, call.id)).rejects.toMatchObject({
      code: 'recording_not_found',
    });
  });

  it('a recording whose file is not there is no recording, and the operator is told', async () => {
    const { rig, call } = await talkOver((fresh) => {
      fresh.repaired = async () => {
        throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
      };
    });
    await rig.until(async () => (await dataEvents(rig, call.id)).includes('call.transcript_ready'));
    await rig.pass(1_000);
    expect(await dataEvents(rig, call.id)).not.toContain('call.recording_ready');
    expect(rig.log.lines).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        call_id: call.id,
        msg: 'the file of a recording is not in the recordings folder',
      }),
    );
  });

  it('a call that was not to be recorded or transcribed leaves no work', async () => {
    const { rig, call } = await talkOver(undefined, { record_call: false, enable_transcription: false });
    await rig.pass(2_000);
    expect(await rig.store.read(lookTransactions.jobs, { callId: call.id })).toEqual([]);
    expect(await dataEvents(rig, call.id)).toEqual([]);
  });

  it('what a call tells about people can be erased, also from the answer kept for a repeated request', async () => {
    const { rig, call } = await talkOver();
    const kept = {
      scope: 'test',
      key: 'k',
      requestHash: 'h',
      status: 201,
      body: JSON.stringify({ id: call.id, to_phone: call.to_phone }),
      createdAt: 0,
      expiresAt: Number.MAX_SAFE_INTEGER,
      subjectId: call.id,
    };
    await rig.store.write(idempotencyTransactions.keep, { answer: kept });
    await rig.until(async () => (await dataEvents(rig, call.id)).length === 4);
    const transfer = { type: 'transferred' as const, at: rig.clock.wallMs(), data: { to: '+14155550199' } };
    await rig.store.write(talkTransactions.note, { callId: call.id, ...transfer });
    const { fileName } = await rig.callService.calls.erase(PRINCIPAL, call.id);
    expect(fileName).toBe(`${call.id}.wav`);
    const { resource } = await rig.callService.views.get(PRINCIPAL, call.id);
    expect(resource).toMatchObject({
      to_phone: '',
      from_phone: '',
      transcript: '',
      summary: null,
      answers: {},
      analysis: null,
    });
    expect(await rig.callService.views.summary(PRINCIPAL, call.id)).toMatchObject({ status: 'disabled' });
    expect(resource.recording_url).toBeNull();
    expect(await rig.allEventTypes(call.id)).toEqual([]);
    const log = await rig.callService.calls.events(PRINCIPAL, call.id);
    expect(log.find(({ type }) => type === 'transferred')).toMatchObject({ data: {} });
    expect(JSON.stringify(log)).not.toContain('+1');
    const answer = await rig.store.read(idempotencyTransactions.find, { scope: 'test', key: 'k', now: 1 });
    expect(JSON.parse(answer!.body)).toEqual({ id: call.id, to_phone: '' });
  });
});
