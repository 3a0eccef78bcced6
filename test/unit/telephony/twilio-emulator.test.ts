import { describe, expect, it } from 'vitest';
import { signatureOf } from '#test/support/emulators/twilio/signature.js';
import { ANSWERS, openRig, PUBLIC } from './twilio-emulator-rig.js';
import type { TwilioEmulator } from '#test/support/emulators/twilio-emulator.js';

describe('the Twilio emulator', () => {
  it('signs as the example that Twilio has published', () => {
    const form = new URLSearchParams({
      To: '+18005551212',
      From: '+14158675309',
      Digits: '1234',
      Caller: '+14158675309',
      CallSid: 'CA1234567890ABCDE',
    });
    const signature = signatureOf('12345', 'https://mycompany.com/myapp.php?foo=1&bar=2', form);
    expect(signature).toBe('RSOYDt4T1cUTdK1PDd93/VVr8B8=');
  });

  it('rings, is answered, streams both ways, and goes on when our socket closes', async () => {
    const { emulator, service, stream, until, place } = await openRig();
    const sid = await place(ANSWERS);
    const opened = stream.connection();
    await until(() => stream.connections.length === 1);
    const gateway = await opened;
    await until(() => gateway.messages.some(({ event }) => event === 'media'));
    const [connected, start, media] = gateway.messages;
    expect(connected).toMatchObject({ event: 'connected', protocol: 'Call', version: '1.0.0' });
    expect(start).toMatchObject({
      sequenceNumber: '1',
      start: { callSid: sid, accountSid: emulator.accountSid, customParameters: { token: 'a&b' } },
    });
    expect(media).toMatchObject({ sequenceNumber: '2', media: { chunk: '1', timestamp: '0' } });

    const { streamSid } = start as unknown as { streamSid: string };
    const payload = Buffer.alloc(1_600, 0x20).toString('base64');
    gateway.send({ event: 'media', streamSid, media: { payload } });
    gateway.send({ event: 'mark', streamSid, mark: { name: 'heard' } });
    await until(() => gateway.messages.some(({ event }) => event === 'mark'));
    const person = emulator.call(sid)!.person!;
    expect(person.heardSpeechMs).toBe(200);
    gateway.send({ event: 'media', streamSid, media: { payload } });
    gateway.send({ event: 'mark', streamSid, mark: { name: 'cleared' } });
    gateway.send({ event: 'clear', streamSid });
    await gateway.message('mark', ({ mark }) => (mark as { name: string }).name === 'cleared');

    gateway.socket.close(1000);
    await until(() => service.statuses().includes('completed'));
    expect(service.statuses()).toEqual(['initiated', 'ringing', 'in-progress', 'completed']);
    expect(service.told.map(({ path }) => path)).toContain('/ended');
    const last = service.told.at(-1)!.form;
    expect(last).toMatchObject({ CallSid: sid, SequenceNumber: '3', CallbackSource: 'call-progress-events' });
    expect(Number(last['CallDuration'])).toBe(Number((await statusOf(emulator, sid)).duration));
    expect(emulator.log.complaints).toEqual([]);
    expect(emulator.heldOpen).toBe(0);
  });

  it.each([
    ['+15550100005', ['initiated', 'busy'], '486'],
    ['+15550100006', ['initiated', 'ringing', 'no-answer'], '480'],
    ['+15550100007', ['initiated', 'ringing', 'busy'], '603'],
    ['+15550100009', ['initiated', 'failed'], '404'],
  ])('says how a call to %s ends', async (to, statuses, sip) => {
    const { emulator, service, until, place } = await openRig();
    const sid = await place(to, [['Timeout', '5']]);
    await until(() => emulator.call(sid)!.record.isOver);
    expect(service.statuses()).toEqual(statuses);
    expect(service.told.at(-1)!.form).toMatchObject({ SipResponseCode: sip, CallDuration: '0' });
  });

  it('refuses what is not a call, in the words of the API', async () => {
    const { emulator, ask, order } = await openRig();
    expect(await ask('/Calls.json', order('+15550100008'))).toMatchObject({
      status: 400,
      body: { code: 21211, status: 400 },
    });
    expect(await ask('/Calls.json', { To: ANSWERS, From: '+15550000000' })).toMatchObject({ status: 400 });
    expect(await ask('/Calls/CA1.json')).toMatchObject({ status: 404, body: { code: 20404 } });
    expect(await ask('/Calls.json', order(ANSWERS), 'd3Jvbmc=')).toMatchObject({
      status: 401,
      body: { code: 20003 },
    });
    emulator.faults.creates.push({ kind: 'too_many', retryAfterSeconds: 7 }, { kind: 'lost_answer' });
    const tooMany = await ask('/Calls.json', order(ANSWERS));
    expect(tooMany).toMatchObject({ status: 429, body: { code: 20429 } });
    expect(tooMany.headers.get('retry-after')).toBe('7');
    await expect(ask('/Calls.json', order(ANSWERS))).rejects.toThrow('fetch failed');
    expect(emulator.calls).toHaveLength(1);
  });

  it('hangs up, redirects and lists as it is told', async () => {
    const { emulator, stream, until, place, ask } = await openRig();
    const ringing = await place('+15550100006');
    await until(() => emulator.call(ringing)!.record.status === 'ringing');
    const dial = { Twiml: '<Response><Dial callerId="+15550000000">+15550100004</Dial></Response>' };
    expect(await ask(`/Calls/${ringing}.json`, dial)).toMatchObject({ status: 400, body: { code: 21220 } });
    expect(await ask(`/Calls/${ringing}.json`, { Status: 'completed' })).toMatchObject({
      body: { status: 'canceled' },
    });
    expect(await ask(`/Calls/${ringing}.json`, { Status: 'completed' })).toMatchObject({ status: 404 });

    const talking = await place(ANSWERS);
    await until(() => stream.connections.length === 1);
    const [gateway] = stream.connections;
    await until(() => gateway!.messages.length > 2);
    expect(await ask(`/Calls/${talking}.json`, dial)).toMatchObject({ status: 200 });
    await gateway!.closed;
    expect(gateway!.messages.at(-1)).toMatchObject({ event: 'stop', stop: { callSid: talking } });
    await until(() => emulator.network.reached.length === 3);
    expect(emulator.call(talking)!.legs).toEqual(['+15550100004']);
    expect(await ask(`/Calls/${talking}.json`)).toMatchObject({ body: { status: 'in-progress' } });
    const listed = await ask(`/Calls.json?To=${encodeURIComponent(ANSWERS)}&StartTime>=2026-11-21`);
    expect(listed.body.calls.map(({ sid }) => sid)).toEqual([talking]);
    const firstPage = await ask('/Calls.json?PageSize=1');
    expect(firstPage.body.next_page_uri).toContain('Page=1');
  });

  it('gives people on the phone their turn, and keeps what they heard', async () => {
    const { emulator, stream, until, place } = await openRig();
    const sentence = (value: number) => new Int16Array(1_600).fill(value);
    const talk = { sentences: [sentence(4_000), sentence(8_000)], thenHangsUp: true };
    emulator.network.install('+15550100011', { kind: 'answers', ringMs: 0, talk });
    const sid = await place('+15550100011');
    await until(() => stream.connections.length === 1);
    const [gateway] = stream.connections;
    await until(() => gateway!.messages.length > 2);
    const { streamSid } = gateway!.messages[1] as unknown as { streamSid: string };
    const speech = Buffer.alloc(2_400, 0x20).toString('base64');
    const loudFrames = () =>
      gateway!.messages.filter(({ event, media }) => event === 'media' && isLoud(media)).length;
    expect(loudFrames()).toBe(0);
    for (const frames of [10, 20]) {
      gateway!.send({ event: 'media', streamSid, media: { payload: speech } });
      await until(() => loudFrames() === frames);
    }
    gateway!.send({ event: 'media', streamSid, media: { payload: speech } });
    await until(() => emulator.call(sid)!.record.isOver);
    expect(emulator.call(sid)!.person!.heardSpeechMs).toBe(900);
    expect(emulator.log.sent('status').at(-1)!.form).toMatchObject({ CallStatus: 'completed' });
  });

  it('tears a stream down for a message that it does not know', async () => {
    const { emulator, service, stream, until, place } = await openRig();
    const sid = await place(ANSWERS);
    await until(() => stream.connections.length === 1);
    stream.connections[0]!.send({ event: 'keep-alive' });
    await until(() => emulator.call(sid)!.record.isOver);
    expect(emulator.log.complaints).toMatchObject([{ code: 31924 }]);
    expect(service.told.map(({ path }) => path)).toContain('/ended');
  });

  it('sends callbacks twice, late and not at all when it is told to', async () => {
    const { emulator, service, until, place } = await openRig();
    emulator.faults.callback = ({ purpose, status }) => {
      if (purpose !== 'status') return {};
      if (status === 'initiated') return { copies: 0 };
      return status === 'ringing' ? { delayMs: 30_000 } : { copies: 2 };
    };
    await place('+15550100007');
    await until(() => service.statuses().includes('ringing'));
    expect(service.statuses()).toEqual(['busy', 'busy', 'ringing']);
  });

  it('knows what was dialled, whatever it has answered', async () => {
    const { emulator, service, until, ask, order } = await openRig();
    const named = (name: string) =>
      order(ANSWERS).map(([key, value]): [string, string] =>
        key === 'Url' ? [key, `${value}/${name}`] : [key, value],
      );
    emulator.faults.creates.push(
      { kind: 'server_error', isDone: true },
      { kind: 'server_error', isDone: false },
      { kind: 'broken_connection' },
      { kind: 'callback_first' },
    );
    expect(await ask('/Calls.json', named('dial_1'))).toMatchObject({ status: 500, body: { status: 500 } });
    expect(await ask('/Calls.json', named('dial_2'))).toMatchObject({ status: 500 });
    await expect(ask('/Calls.json', named('dial_3'))).rejects.toThrow('fetch failed');
    const early = await ask('/Calls.json', named('dial_4'));
    expect(service.told.map(({ form }) => form['CallSid'])).toContain(early.body.sid);
    await until(() => emulator.network.reached.length === 2);
    const counts = ['dial_1', 'dial_2', 'dial_3', 'dial_4'].map(
      (name) => emulator.network.reachedBy(name).length,
    );
    expect(counts).toEqual([1, 0, 0, 1]);
    expect(emulator.network.reachedBy('dial_4')).toMatchObject([{ carrierCallId: early.body.sid }]);
    expect(emulator.log.asked().map(({ status }) => status)).toEqual([500, 500, null, 201]);
  });

  it('lets calls wait their turn where it is told to', async () => {
    const { emulator, until, place, ask } = await openRig({ callsPerSecond: 1 });
    for (let calls = 0; calls < 3; calls++) await place(ANSWERS);
    const last = emulator.calls[2]!.record;
    expect(await ask(`/Calls/${last.sid}.json`)).toMatchObject({ body: { status: 'queued' } });
    await until(() => emulator.network.reached.length === 3);
    const [first, , third] = emulator.network.reached;
    expect(third!.at - first!.at).toBe(2_000);
  });

  it('brings calls in, and says who has picked up', async () => {
    const { emulator, service, until, place } = await openRig();
    service.documents['/incoming'] = '<Response><Say>Hello</Say><Hangup/></Response>';
    const incoming = emulator.callIn({ from: ANSWERS, to: '+15550000000', webhookUrl: `${PUBLIC}/incoming` });
    await until(() => incoming.record.isOver);
    expect(incoming.said).toEqual(['Hello']);
    expect(service.told[0]!.form).toMatchObject({ Direction: 'inbound', CallStatus: 'ringing', ToCity: '' });

    emulator.network.install('+15550100010', {
      kind: 'answers',
      answeredBy: { kind: 'machine', greetingMs: 4_000, beeps: true },
    });
    await place('+15550100010', [
      ['MachineDetection', 'DetectMessageEnd'],
      ['AsyncAmd', 'true'],
      ['AsyncAmdStatusCallback', `${PUBLIC}/machine`],
    ]);
    await until(() => service.told.some(({ path }) => path === '/machine'));
    expect(service.told.at(-1)!.form).toMatchObject({
      AnsweredBy: 'machine_end_beep',
      MachineDetectionDuration: '4000',
    });
  });

  it('speaks the dialect of SignalWire', async () => {
    const { emulator, service, stream, until, ask, order } = await openRig({ dialect: 'signalwire' });
    const placed = await ask('/Calls', order(ANSWERS));
    expect(placed.status).toBe(200);
    expect(placed.body.sid).toMatch(/^[0-9a-f]{8}-/);
    await until(() => stream.connections.length === 1);
    await until(() => stream.connections[0]!.messages.length > 2);
    const [connected, start, media] = stream.connections[0]!.messages;
    expect(connected).toMatchObject({ version: '0.2.0' });
    expect(start).not.toHaveProperty('streamSid');
    expect(start).toHaveProperty('start.streamSid');
    expect(media).not.toHaveProperty('streamSid');
    await ask(`/Calls/${placed.body.sid}`, { Status: 'completed' });
    await until(() => service.statuses().includes('completed'));
    expect(service.told.at(-1)!.form).toMatchObject({ SipResultCode: '200', HangupBy: 'api' });
    expect(emulator.log.complaints).toEqual([]);
  });
});

function isLoud(media: unknown): boolean {
  const bytes = Buffer.from((media as { payload: string }).payload, 'base64');
  return bytes.some((byte) => byte !== 0xff);
}

async function statusOf(emulator: TwilioEmulator, sid: string): Promise<{ duration: string }> {
  return emulator.call(sid)!.record.resource() as { duration: string };
}
