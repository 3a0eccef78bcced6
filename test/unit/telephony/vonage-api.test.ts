import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { vonage } from '#telephony/carriers/vonage/vonage.js';
import type { ApiAnswer } from '#telephony/wire/carrier-http.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { answeredCall, FAILURES, order, OURS, REF, signal } from './placing.js';
import { openVonageRig } from './vonage-rig.js';

describe('a call placed with Vonage', () => {
  it.each(FAILURES)('fails with %o as %o', async (fault, expected, phones) => {
    const rig = await openVonageRig();
    rig.emulator.faults.creates.push(fault);
    await expect(rig.carrier.place(order(rig.numbers.answers), signal)).rejects.toMatchObject(expected);
    expect(await rig.phonesReached()).toBe(phones);
  });

  it('is asked for in its words, with our reference in every address', async () => {
    const rig = await openVonageRig();
    await rig.carrier.place(order(rig.numbers.answers, { ringTimeoutSeconds: 300 }), signal);
    const [asked] = rig.emulator.log.asked();
    const said = Object.fromEntries(
      Object.entries(asked!.form).map(([name, value]) => [name, JSON.parse(value) as unknown]),
    );
    expect(said).toEqual({
      to: [{ type: 'phone', number: rig.numbers.answers.slice(1) }],
      from: { type: 'phone', number: OURS.slice(1) },
      answer_url: [`https://voice.example.com/webhook/vonage/answer/${REF}`],
      answer_method: 'POST',
      event_url: [`https://voice.example.com/webhook/vonage/status/${REF}`],
      event_method: 'POST',
      ringing_timer: 120,
      advanced_machine_detection: { behavior: 'continue', mode: 'default', beep_timeout: 45 },
    });
  });

  it('is not listened to by machines when that is switched off', async () => {
    const rig = await openVonageRig({ settings: { MACHINE_DETECTION: 'off' } });
    await rig.carrier.place(order(rig.numbers.answers), signal);
    expect(rig.emulator.log.asked()[0]!.form).not.toHaveProperty('advanced_machine_detection');
  });

  it('is refused when more are asked for than the account may start', async () => {
    const rig = await openVonageRig({ callsPerSecond: 1 });
    await rig.carrier.place(order(rig.numbers.answers), signal);
    const second = rig.carrier.place(order(rig.numbers.answers), signal);
    await expect(second).rejects.toMatchObject({ outcome: 'not_dialled', reason: 'rate_limited' });
    expect(rig.carrier.traits.callsPerSecond).toBe(3);
  });

  it('is not sent when its time is over, or by another application', async () => {
    const rig = await openVonageRig();
    const late = rig.carrier.place(order(rig.numbers.answers, { sendBefore: 0 }), signal);
    await expect(late).rejects.toMatchObject({ outcome: 'not_dialled', reason: 'late' });
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const PRIVATE_KEY = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
    const stranger = await openVonageRig({ settings: { PRIVATE_KEY } });
    const refused = stranger.carrier.place(order(rig.numbers.answers), signal);
    await expect(refused).rejects.toMatchObject({ outcome: 'not_dialled', reason: 'refused' });
    expect([...rig.emulator.calls, ...stranger.emulator.calls]).toEqual([]);
  });

  it('is known by events that come before its answer, twice, or in another order', async () => {
    const rig = await openVonageRig();
    rig.emulator.faults.creates.push({ kind: 'callback_first' });
    rig.emulator.faults.callback = ({ status }) =>
      status === 'ringing' ? { delayMs: 3_000, copies: 2 } : { copies: 2 };
    const { providerCallId } = await rig.until(rig.carrier.place(order(rig.numbers.answers), signal));
    await rig.pass(5_000);
    const ringing = ['ringing', 'ringing'];
    expect(rig.host.statuses(REF)).toEqual([...ringing, 'answered', 'answered', ...ringing]);
    expect(rig.host.reports.every((report) => report.providerCallId === providerCallId)).toBe(true);
  });

  it('is looked up by the id of the carrier alone', async () => {
    const rig = await openVonageRig();
    const { providerCallId } = await answeredCall(rig);
    const found = { found: true, providerCallId, status: 'answered' };
    expect(await rig.carrier.lookUp(REF, providerCallId)).toEqual(found);
    expect(await rig.carrier.lookUp(REF, null)).toEqual({ found: false });
    expect(await rig.carrier.lookUp(REF, 'nobody-knows-this')).toEqual({ found: false });
  });

  it('has keys pressed on it, and ends when our socket is closed', async () => {
    const rig = await openVonageRig();
    const { providerCallId, call } = await answeredCall(rig);
    await rig.carrier.sendDigits!(providerCallId, '12w#', signal);
    expect(call.keys).toEqual(['12p#']);
    await rig.pass(500);
    call.sockets[0]!.stop();
    expect(await rig.until(rig.host.reported(REF, 'completed'))).toMatchObject({ hungUpBy: 'agent' });
    expect(rig.emulator.log.complaints).toEqual([]);
  });

  it('says that somebody has hung up on us', async () => {
    const rig = await openVonageRig();
    const { call } = await answeredCall(rig);
    call.person!.hangUp();
    expect(await rig.until(rig.host.reported(REF, 'completed'))).toMatchObject({ hungUpBy: 'customer' });
  });
});

describe('a call handed over by Vonage', () => {
  it('is not ended by what happens to the other line, but by its own end', async () => {
    const rig = await openVonageRig();
    const { providerCallId, call } = await answeredCall(rig);
    await rig.pass(500);
    await rig.carrier.transfer!({ providerCallId, to: rig.numbers.busy, from: OURS }, signal);
    const end = await rig.until(rig.host.reported(REF));
    expect(end).toMatchObject({ status: 'completed', providerCallId });
    expect(call.legs.map(({ statuses }) => statuses)).toEqual([['started', 'busy']]);
    expect(rig.host.progress(REF)).toEqual(['ringing', 'answered', 'completed']);
    const ofTheLeg = rig.host.reports.filter((report) => report.providerCallId !== providerCallId);
    expect(ofTheLeg).toMatchObject([
      { dialRef: null, status: 'ringing' },
      { dialRef: null, status: 'busy' },
    ]);
    expect(rig.emulator.log.complaints).toEqual([]);
  });
});

describe('an answer of Vonage', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

  /** A carrier that is answered so, request after request. */
  function answering(...answers: Partial<ApiAnswer>[]) {
    const http = {
      send: async () => ({ status: 200, json: null, retryAfterMs: null, ...answers.shift() }),
      close: async () => {},
    };
    return vonage.open(
      {
        APPLICATION_ID: 'app',
        PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        SIGNATURE_SECRET: 'secret',
        API_URL: 'https://api.nexmo.com',
        CALLS_PER_SECOND: '3',
      },
      {
        clock: new FakeClock(),
        log: createMemoryLog().log,
        http,
        publicUrl: () => 'https://voice.example.com',
      },
    );
  }
  const type = (name: string) => `https://developer.vonage.com/api-errors#${name}`;

  it.each<[Partial<ApiAnswer>, { outcome: string; reason: string; code: string | null }]>([
    [
      { status: 400, json: { type: type('invalid-params'), invalid_parameters: [{ name: 'to[0].number' }] } },
      { outcome: 'not_dialled', reason: 'invalid_number', code: 'invalid-params' },
    ],
    [
      {
        status: 400,
        json: { type: type('invalid-params'), invalid_parameters: [{ name: 'top' }, { name: 'event_url' }] },
      },
      { outcome: 'not_dialled', reason: 'refused', code: 'invalid-params' },
    ],
    [
      { status: 401, json: { type: 'UNAUTHORIZED', error_title: 'Unauthorized' } },
      { outcome: 'not_dialled', reason: 'refused', code: 'unauthorized' },
    ],
    [
      { status: 402, json: { type: type('low-balance'), title: 'Low balance' } },
      { outcome: 'not_dialled', reason: 'refused', code: 'low-balance' },
    ],
    [
      { status: 403, json: { type: type('throttled') } },
      { outcome: 'not_dialled', reason: 'rate_limited', code: 'throttled' },
    ],
    [{ status: 429 }, { outcome: 'not_dialled', reason: 'rate_limited', code: '429' }],
    [{ status: 408 }, { outcome: 'unknown', reason: 'server_error', code: '408' }],
    [{ status: 302 }, { outcome: 'unknown', reason: 'server_error', code: '302' }],
    [
      { status: 503, json: 'rubbish' },
      { outcome: 'unknown', reason: 'server_error', code: '503' },
    ],
    [
      { status: 400, json: { type: 400, title: [] } },
      { outcome: 'not_dialled', reason: 'refused', code: '400' },
    ],
    [
      { status: 201, json: { status: 'started' } },
      { outcome: 'unknown', reason: 'server_error', code: null },
    ],
  ])('of %o means %o', async (answer, meaning) => {
    await expect(answering(answer).place(order('+15550100003'), signal)).rejects.toMatchObject(meaning);
  });

  it.each(['machine', 'human', 'answered'])(
    'of a call that is “%s” is that somebody talks',
    async (status) => {
      const found = { found: true, providerCallId: 'a', status: 'answered' };
      expect(await answering({ json: { status } }).lookUp(REF, 'a')).toEqual(found);
    },
  );

  it('that a call cannot be hung up is no failure when the call is over', async () => {
    const wrongState = { status: 400, json: { type: type('invalid-state') } };
    await answering(wrongState, { json: { status: 'completed' } }).hangUp('a');
    await answering(wrongState, { status: 404 }).hangUp('a');
    await answering({ status: 404 }).hangUp('a');
    for (const status of ['machine', 'human', 'ringing']) {
      const alive = answering(wrongState, { json: { status } }).hangUp('a');
      await expect(alive).rejects.toMatchObject({ reason: 'refused', code: 'invalid-state' });
    }
    const failing = answering({ status: 500 }, { status: 404 }).hangUp('a');
    await expect(failing).rejects.toMatchObject({ outcome: 'unknown' });
  });
});
