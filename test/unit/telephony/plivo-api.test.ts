import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PlaceRequest } from '#telephony/port/carrier.js';
import { signatureOf } from '#test/support/emulators/plivo/signature.js';
import type { ApiFault } from '#test/support/emulators/faults.js';
import { carrierRequest } from '#test/support/carrier-request.js';
import { openPlivoRig } from './plivo-rig.js';

const DIAL_REF = 'dial_01h455vb4pex5vsknk084sn02q';
const ASKED: PlaceRequest = {
  dialRef: DIAL_REF,
  to: '+15550100003',
  from: '+15550000000',
  ringTimeoutSeconds: 5,
  sendBefore: Number.MAX_SAFE_INTEGER,
};
const AT = 'https://voice.example.com/webhook/plivo';

let rig: Awaited<ReturnType<typeof openPlivoRig>>;

function place(more: Partial<PlaceRequest> = {}) {
  return rig.carrier.place({ ...ASKED, ...more }, new AbortController().signal);
}

/** The requests that the API was asked, short of the account. */
function asked(): string[] {
  return rig.emulator.log.asked().map(({ method, path }) => `${method} ${path.split(/\/Account\/[^/]+/)[1]}`);
}

const callOf = (id: string) => rig.emulator.call(id)!;

afterEach(() => rig.dispose());

describe('the API of Plivo', () => {
  beforeEach(async () => {
    rig = await openPlivoRig();
  });

  it('is asked for a call as it wants to be', async () => {
    await place();
    const [exchange] = rig.emulator.log.asked();
    expect(exchange!.path).toBe(`/v1/Account/${rig.emulator.authId}/Call/`);
    expect(exchange!.form).toEqual({
      from: '15550000000',
      to: '15550100003',
      ring_timeout: '5',
      answer_url: `${AT}/answer/${DIAL_REF}`,
      answer_method: 'POST',
      ring_url: `${AT}/status/${DIAL_REF}`,
      ring_method: 'POST',
      hangup_url: `${AT}/status/${DIAL_REF}`,
      hangup_method: 'POST',
      machine_detection: 'true',
      machine_detection_method: 'POST',
      machine_detection_url: `${AT}/machine/${DIAL_REF}`,
    });
  });

  it('does not listen for machines unless it shall', async () => {
    const quiet = rig.another({ MACHINE_DETECTION: 'off' });
    await quiet.place(ASKED, new AbortController().signal);
    expect(Object.keys(rig.emulator.log.asked()[0]!.form).filter((key) => key.startsWith('machine'))).toEqual(
      [],
    );
  });

  it('is not asked when the time to dial is over', async () => {
    await expect(place({ sendBefore: 1 })).rejects.toMatchObject({ outcome: 'not_dialled', reason: 'late' });
    expect(asked()).toEqual([]);
  });

  it.each<[ApiFault, object, number]>([
    [
      { kind: 'too_many', retryAfterSeconds: 3 },
      { outcome: 'not_dialled', reason: 'rate_limited', retryAfterMs: 3_000 },
      0,
    ],
    [{ kind: 'server_error', isDone: false }, { outcome: 'unknown', reason: 'server_error', code: '500' }, 0],
    [{ kind: 'server_error', isDone: true }, { outcome: 'unknown', reason: 'server_error' }, 1],
    [{ kind: 'lost_answer' }, { outcome: 'unknown' }, 1],
    [{ kind: 'broken_connection' }, { outcome: 'unknown' }, 0],
  ])('knows what may have rung after %o', async (fault, error, phones) => {
    rig.emulator.faults.creates.push(fault);
    await expect(place()).rejects.toMatchObject(error);
    expect(await rig.phonesReached()).toBe(phones);
  });

  it('refuses: the wrong credentials, a number of nobody, a caller that is none', async () => {
    const refused = { outcome: 'not_dialled', reason: 'refused' };
    const signal = new AbortController().signal;
    await expect(rig.another({ AUTH_TOKEN: 'wrong' }).place(ASKED, signal)).rejects.toMatchObject({
      ...refused,
      code: '401',
    });
    await expect(place({ from: 'Front desk' })).rejects.toMatchObject(refused);
    rig.emulator.network.install('+15550100099', { kind: 'invalid' });
    const error: unknown = await place({ to: '+15550100099' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ outcome: 'not_dialled', reason: 'invalid_number', code: '400' });
    expect(String(error)).not.toMatch(/\d{5}/);
  });

  it('cannot be reached: nothing rang', async () => {
    const nowhere = rig.another({ API_URL: 'http://127.0.0.1:9' });
    await expect(nowhere.place(ASKED, new AbortController().signal)).rejects.toMatchObject({
      outcome: 'not_dialled',
      reason: 'unreachable',
    });
  });
});

describe('the two ids of a call of Plivo', () => {
  beforeEach(async () => {
    rig = await openPlivoRig({ callsPerSecond: 1 });
  });

  it('are one from the start when the callback is faster than the answer', async () => {
    rig.emulator.faults.creates.push({ kind: 'callback_first' });
    const placing = place();
    const { providerCallId } = await rig.until(placing);
    expect(callOf(providerCallId).callId).toBe(providerCallId);
  });

  it('are both good for hanging up, and for handing over, once the call is told', async () => {
    const { providerCallId } = await place();
    await rig.until(rig.host.reported(DIAL_REF, 'answered'));
    const call = callOf(providerCallId);
    expect(providerCallId).toBe(call.requestId);
    const to = '+15550100009';
    const { transfer } = rig.carrier;
    await transfer!.call(rig.carrier, { providerCallId, to, from: ASKED.from }, new AbortController().signal);
    await rig.pass(2_000);
    expect(call.legs).toEqual([to]);
    await rig.carrier.hangUp(providerCallId);
    expect(call).toMatchObject({ status: 'completed', end: { source: 'API Request' } });
  });

  it('calls off a request that still waits its turn: no phone rings', async () => {
    await place();
    const { providerCallId } = await place({ to: '+15550100004' });
    await rig.carrier.hangUp(providerCallId);
    expect(asked().slice(-1)).toEqual([`DELETE /Request/${providerCallId}/`]);
    await rig.pass(3_000);
    expect(rig.emulator.network.reached.map(({ number }) => number)).toEqual([ASKED.to]);
  });

  it('ends a call that nobody had told us of, as soon as it is told', async () => {
    rig.emulator.faults.callback = ({ status }) => ({ delayMs: status === 'ringing' ? 1_000 : 0 });
    const { providerCallId } = await place({ to: rig.numbers.noAnswer });
    await rig.pass(300);
    const call = callOf(providerCallId);
    expect(call.status).toBe('ringing');
    await rig.carrier.hangUp(providerCallId);
    expect(call.status).toBe('ringing');
    await rig.until(call.ended);
    expect(call).toMatchObject({ status: 'cancel', end: { code: 1000 } });
    // The report of its end names the pair again, and is no reason to end it again.
    await rig.until(rig.host.reported(DIAL_REF, 'cancelled'));
    expect(asked().filter((request) => request === `DELETE /Call/${call.callId}/`)).toHaveLength(1);
  });

  it('needs no memory: another process hangs up by what the store keeps', async () => {
    const { providerCallId } = await place();
    const waiting = await place({ dialRef: DIAL_REF.replace('01h', '02h') });
    const other = rig.another();
    await other.hangUp(waiting.providerCallId);
    expect(callOf(waiting.providerCallId)).toMatchObject({ status: 'cancel', answeredAt: null });
    const { providerCallId: told } = await rig.until(rig.host.reported(DIAL_REF, 'answered'));
    await other.hangUp(told);
    expect(callOf(providerCallId).status).toBe('completed');
  });

  it('are not learned from anybody who cannot sign', async () => {
    const { providerCallId } = await place();
    const other = rig.another();
    const form = new URLSearchParams({ RequestUUID: providerCallId, CallUUID: 'somebody-elses-call' });
    const url = `${AT}/status/${DIAL_REF}`;
    const verdictWith = (token: string) =>
      other.webhooks.verify(
        carrierRequest({
          url,
          body: form.toString(),
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            'x-plivo-signature-v3': signatureOf(token, { url, form, nonce: '1' }),
            'x-plivo-signature-v3-nonce': '1',
          },
        }),
      );
    expect(verdictWith('nobodys-token')).toMatchObject({ genuine: false });
    await other.hangUp(providerCallId);
    expect(asked().at(-1)).toBe(`DELETE /Request/${providerCallId}/`);
    expect(verdictWith(rig.emulator.authToken)).toMatchObject({ genuine: true });
    await other.hangUp(providerCallId);
    expect(asked()).toContain('DELETE /Call/somebody-elses-call/');
  });
});

describe('a call of Plivo', () => {
  beforeEach(async () => {
    rig = await openPlivoRig({ callsPerSecond: 1 });
  });

  it('is found while it waits, while it lives, and when it is over', async () => {
    const { carrier } = rig;
    await place({ to: rig.numbers.busy });
    const { providerCallId } = await place({ dialRef: DIAL_REF.replace('01h', '02h') });
    const find = () => carrier.lookUp(DIAL_REF, providerCallId);
    expect(await find()).toEqual({ found: true, providerCallId, status: 'ringing' });
    await rig.until(rig.host.reported(DIAL_REF.replace('01h', '02h'), 'answered'));
    const { callId } = callOf(providerCallId);
    expect(await find()).toEqual({ found: true, providerCallId: callId, status: 'answered' });
    await carrier.hangUp(callId);
    expect(await find()).toEqual({ found: true, providerCallId: callId, status: 'completed' });
    const { callId: busy } = rig.emulator.calls[0]!;
    expect(await carrier.lookUp(DIAL_REF, busy)).toMatchObject({ status: 'busy' });
    expect(await carrier.lookUp(DIAL_REF, 'nobody_knows_this_call')).toEqual({ found: false });
    expect(await carrier.lookUp(DIAL_REF, null)).toEqual({ found: false });
  });

  it('is pressed keys for', async () => {
    const { providerCallId } = await place();
    await rig.until(rig.host.reported(DIAL_REF, 'answered'));
    await rig.carrier.sendDigits!(providerCallId, '1w2#', new AbortController().signal);
    expect(callOf(providerCallId).digits).toEqual(['1w2#']);
  });
});
