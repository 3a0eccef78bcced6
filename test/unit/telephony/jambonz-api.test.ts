import { describe, expect, it, onTestFinished } from 'vitest';
import type { PlaceRequest } from '#telephony/port/carrier.js';
import type { ApiFault } from '#test/support/emulators/faults.js';
import { openJambonzRig } from './jambonz-rig.js';

const DIAL = `dial_${'1'.repeat(26)}`;
const PUBLIC = 'https://voice.example.com';

async function open(options: Parameters<typeof openJambonzRig>[0] = {}) {
  const rig = await openJambonzRig(options);
  onTestFinished(() => rig.dispose());
  const asked: PlaceRequest = {
    dialRef: DIAL,
    to: rig.numbers.answers,
    from: '+15550000000',
    ringTimeoutSeconds: 25,
    sendBefore: Number.MAX_SAFE_INTEGER,
  };
  const signal = new AbortController().signal;
  return {
    ...rig,
    asked,
    signal,
    place: (more: Partial<PlaceRequest> = {}) => rig.carrier.place({ ...asked, ...more }, signal),
    async answered(): Promise<string> {
      const { providerCallId } = await rig.carrier.place(asked, signal);
      await rig.until(rig.host.reported(DIAL, 'answered'));
      return providerCallId;
    },
  };
}

/** Resolves with what was thrown. */
const thrownBy = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

describe('a request for a call', () => {
  it('names where to ask and to report, by POST, with our reference', async () => {
    const { place, emulator } = await open({ settings: { MACHINE_DETECTION: 'on' } });
    await place();
    const { form } = emulator.log.asked()[0]!;
    const retried = '#rc=2&rp=ct,rt,5xx';
    const hook = (kind: string) => ({
      url: `${PUBLIC}/webhook/jambonz/${kind}/${DIAL}${retried}`,
      method: 'POST',
    });
    expect(JSON.parse(form['call_hook']!)).toEqual(hook('answer'));
    expect(JSON.parse(form['call_status_hook']!)).toEqual(hook('status'));
    expect(JSON.parse(form['amd']!)).toEqual({ actionHook: hook('machine').url });
    expect(JSON.parse(form['tag']!)).toEqual({ dial_ref: DIAL });
    expect(form).toMatchObject({ from: '+15550000000', timeout: '25', speech_recognizer_vendor: 'google' });
    expect(form['application_sid']).toBeUndefined();
  });

  it('may go by an application, whose own addresses are asked then', async () => {
    const application_sid = '0e0681b0-d49f-4fb8-b973-b5a3c6758de1';
    const at = (kind: string) => ({ url: `${PUBLIC}/webhook/jambonz/${kind}`, method: 'POST' as const });
    const applications = {
      [application_sid]: { call_hook: at('incoming'), call_status_hook: at('status') },
    };
    const rig = await open({ emulator: { applications }, settings: { APPLICATION_SID: application_sid } });
    const providerCallId = await rig.answered();
    expect(rig.host.answered).toEqual([{ carrier: 'jambonz', dialRef: DIAL, providerCallId }]);
    expect(rig.emulator.log.asked()[0]!.form).toMatchObject({ application_sid });
    await rig.carrier.hangUp(providerCallId);
    await rig.until(rig.host.reported(DIAL));
    expect(rig.host.progress(DIAL)).toEqual(['ringing', 'answered', 'completed']);
  });

  it.each<[string, ApiFault, object]>([
    [
      'too many',
      { kind: 'too_many', retryAfterSeconds: 5 },
      { outcome: 'not_dialled', reason: 'rate_limited' },
    ],
    ['an error', { kind: 'server_error', isDone: false }, { outcome: 'unknown', reason: 'server_error' }],
    [
      'an error after all',
      { kind: 'server_error', isDone: true },
      { outcome: 'unknown', reason: 'server_error' },
    ],
    ['no answer', { kind: 'lost_answer' }, { outcome: 'unknown', reason: 'server_error' }],
    ['a broken connection', { kind: 'broken_connection' }, { outcome: 'unknown', reason: 'server_error' }],
  ])('that meets %s says what is known of the phone', async (_what, fault, known) => {
    const { place, emulator } = await open();
    emulator.faults.creates.push(fault);
    expect(await thrownBy(place())).toMatchObject(known);
  });

  it('is certainly not dialled when there is no server, no right, no API, or no time left', async () => {
    const rig = await open();
    rig.emulator.hasServer = false;
    expect(await thrownBy(rig.place())).toMatchObject({ outcome: 'not_dialled', reason: 'unreachable' });
    expect(await thrownBy(rig.place({ sendBefore: 0 }))).toMatchObject({
      outcome: 'not_dialled',
      reason: 'late',
    });
    const stranger = await open({ settings: { API_KEY: 'of-somebody-else' } });
    expect(await thrownBy(stranger.place())).toMatchObject({ outcome: 'not_dialled', reason: 'refused' });
    const nowhere = await open({ settings: { API_URL: 'http://127.0.0.1:1' } });
    expect(await thrownBy(nowhere.place())).toMatchObject({ outcome: 'not_dialled', reason: 'unreachable' });
    expect(await rig.phonesReached()).toBe(0);
  });

  it('is known by its reports when its answer is lost, and when they come first, twice and late', async () => {
    const { place, emulator, until, host, pass } = await open();
    emulator.faults.creates.push({ kind: 'lost_answer' });
    await thrownBy(place());
    expect(await until(host.reported(DIAL, 'answered'))).toMatchObject({ dialRef: DIAL });

    const other = `dial_${'2'.repeat(26)}`;
    emulator.faults.creates.push({ kind: 'callback_first' });
    emulator.faults.callback = ({ status }) => (status === 'ringing' ? { copies: 2, delayMs: 3_000 } : {});
    await place({ dialRef: other });
    await pass(5_000);
    expect(host.statuses(other)).toEqual(['ringing', 'answered', 'ringing', 'ringing']);
  });
});

describe('a call that goes on', () => {
  it('is reported again when the service had no time for it', async () => {
    const rig = await open();
    rig.host.refuseReports(2);
    await rig.place();
    await rig.until(rig.host.reported(DIAL, 'answered'));
    expect(rig.host.progress(DIAL)).toEqual(['ringing', 'answered']);
  });

  it('is looked up by its id while it lives and after', async () => {
    const rig = await open();
    const find = (id: string) => rig.carrier.lookUp(DIAL, id);
    const { providerCallId } = await rig.place();
    expect(await find(providerCallId)).toEqual({ found: true, providerCallId, status: 'ringing' });
    await rig.until(rig.host.reported(DIAL, 'answered'));
    expect(await find(providerCallId)).toMatchObject({ status: 'answered' });
    await rig.carrier.hangUp(providerCallId);
    expect(await find(providerCallId)).toMatchObject({ status: 'completed' });
    expect(await find('nobody_knows_this_call')).toEqual({ found: false });
  });

  it('is sent no keys at all where all of them would take too long', async () => {
    const rig = await open();
    const id = await rig.answered();
    const keys = rig.carrier.sendDigits!(id, `1${'w'.repeat(16)}`, rig.signal);
    await expect(keys).rejects.toMatchObject({ outcome: 'not_dialled', reason: 'refused' });
    expect(rig.emulator.call(id)!.keys).toEqual([]);
  });

  it('is sent keys one by one, and pauses between them', async () => {
    const rig = await open();
    const providerCallId = await rig.answered();
    const call = rig.emulator.call(providerCallId)!;
    const sent = rig.carrier.sendDigits!(providerCallId, '1w2#', rig.signal);
    await rig.until(sent);
    expect(call.keys).toEqual(['1', '2', '#']);
    const tooMany = rig.carrier.sendDigits!(providerCallId, '1w'.repeat(32), rig.signal);
    expect(await thrownBy(tooMany)).toMatchObject({ reason: 'refused' });
    expect(call.keys).toHaveLength(3);

    await rig.carrier.hangUp(providerCallId);
    const refused = rig.carrier.sendDigits!(providerCallId, '1', rig.signal);
    expect(await thrownBy(refused)).toMatchObject({ name: 'CarrierError' });
  });

  it('says so when it cannot be ended', async () => {
    const rig = await open();
    const providerCallId = await rig.answered();
    const failure: ApiFault = { kind: 'server_error', isDone: false };
    rig.emulator.faults.updates.push(failure, failure);
    expect(await thrownBy(rig.carrier.hangUp(providerCallId))).toMatchObject({ reason: 'server_error' });
    await rig.carrier.hangUp(providerCallId);
    expect(await rig.until(rig.host.reported(DIAL))).toMatchObject({
      status: 'completed',
      hungUpBy: 'agent',
    });
  });

  it('is not handed over to what is no number, though jambonz would try', async () => {
    const rig = await open();
    const providerCallId = await rig.answered();
    const refused = rig.carrier.transfer!(
      { providerCallId, to: 'sip:desk', from: '+15550000000' },
      rig.signal,
    );
    expect(await thrownBy(refused)).toMatchObject({ reason: 'invalid_number' });
    await rig.carrier.transfer!({ providerCallId, to: rig.numbers.busy, from: '+15550000000' }, rig.signal);
    // Nobody is there, and the call ends after the last verb.
    expect(await rig.until(rig.host.reported(DIAL))).toMatchObject({ status: 'completed' });
    expect(rig.emulator.call(providerCallId)!.legs).toMatchObject([{ status: 'busy', to: rig.numbers.busy }]);
    expect(rig.host.progress(DIAL)).toEqual(['ringing', 'answered', 'completed']);
  });
});
