import { beforeEach, describe, expect, it } from 'vitest';
import { idempotencyTransactions } from '#idempotency/idempotency-store.js';
import { CarrierError } from '#telephony/port/carrier.js';
import { CallRig } from '#test/support/call-rig.js';
import { PRINCIPAL } from '#test/support/principal.js';

let rig: CallRig;
let pressed: string[][];
beforeEach(async () => {
  rig = await CallRig.open();
  await rig.callService.start();
  pressed = [];
});

const press = (id: string, principal = PRINCIPAL) => rig.callService.calls.sendDigits(principal, id, '1w2#');

describe('keys pressed in a call', () => {
  it('are pressed by its carrier', async () => {
    rig.carrier.sendDigits = async (line, digits) => void pressed.push([line, digits]);
    const call = await rig.talking();
    expect(await press(call.id)).toMatchObject({ call_id: call.id, digits: '1w2#', sent: true });
    expect(pressed).toEqual([[call.provider_call_id, '1w2#']]);
  });

  it('need a call that is live, and ours', async () => {
    rig.carrier.sendDigits = async (line, digits) => void pressed.push([line, digits]);
    const { id } = await rig.create();
    await expect(press(id)).rejects.toMatchObject({ code: 'invalid_state' });
    const live = await rig.talking();
    const stranger = { ...PRINCIPAL, workspace: 'another' };
    await expect(press(live.id, stranger)).rejects.toMatchObject({ code: 'call_not_found' });
    expect(pressed).toEqual([]);
  });

  it('are put into the sound of the call where its carrier cannot', async () => {
    const { id } = await rig.talking();
    expect(await press(id)).toMatchObject({ digits: '1w2#', sent: true });
    expect(rig.conversations[0]!.sent).toEqual(['1w2#']);

    rig.conversations[0]!.sendKeys = async () => false;
    await expect(press(id)).rejects.toMatchObject({ code: 'invalid_state', message: /ended before/ });
  });

  it('are no silence that the call is ended for, as long as they take', async () => {
    const { id } = await rig.talking({ silence_timeout_seconds: 5 });
    const pauses = 'w'.repeat(64);
    for (let times = 0; times < 4; times++) await rig.callService.calls.sendDigits(PRINCIPAL, id, pauses);
    await rig.pass(120_000, 4_000);
    expect((await rig.call(id)).status).toBe('active');
    await rig.pass(90_000, 4_000);
    expect(await rig.call(id)).toMatchObject({ ended_reason: 'silence_timeout' });
  });

  it('are told again under their idempotency key, until the call is erased', async () => {
    const { id } = await rig.talking();
    const now = rig.clock.wallMs();
    const key = { scope: 'digits', key: 'menu-1' };
    const kept = {
      ...key,
      requestHash: 'hash',
      status: 200,
      body: '',
      createdAt: now,
      expiresAt: now + 60_000,
    };
    const sent = await rig.callService.calls.sendDigits(PRINCIPAL, id, '4711#', kept);
    const read = async () =>
      (await rig.store.read(idempotencyTransactions.find, { ...key, now }))?.body ?? 'null';
    expect(JSON.parse(await read())).toEqual(sent);

    await rig.callService.calls.disconnect(PRINCIPAL, id);
    await rig.callService.calls.erase(PRINCIPAL, id);
    expect(JSON.parse(await read())).toEqual({ ...sent, digits: '' });
  });

  it('are refused when the carrier fails to press them', async () => {
    const { id } = await rig.talking();
    rig.carrier.sendDigits = () => Promise.reject(new CarrierError('unknown', 'server_error', 'it broke'));
    await expect(press(id)).rejects.toMatchObject({ code: 'unavailable' });
    expect((await rig.call(id)).status).toBe('active');
  });
});
