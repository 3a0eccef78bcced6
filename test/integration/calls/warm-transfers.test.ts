import { beforeEach, describe, expect, it } from 'vitest';
import type { CarriedElsewhere } from '#calls/live/streams/carried-elsewhere.js';
import { callTransactions } from '#calls/call-store.js';
import type { CallRow } from '#calls/record/call.js';
import type { ScriptedConversation } from '#test/support/scripted-conversation.js';
import { CallRig } from '#test/support/call-rig.js';
import { PRINCIPAL } from '#test/support/principal.js';
import { lookTransactions } from '#test/support/call-look-transactions.js';

const TO = '+14155550155';
const WARM = { briefing: 'Anna is here.', ringSeconds: 20, stay: false };

let rig: CallRig;
beforeEach(async () => {
  rig = await CallRig.started();
});

/** A caller who is on hold while somebody is to be called for them. */
async function transferring(warm = WARM, meanwhile = () => {}) {
  const parent = await rig.talking();
  meanwhile();
  const caller = rig.conversations.at(-1)!;
  const before = rig.carrier.placed.length;
  const abort = new AbortController();
  let outcome: boolean | null = null;
  void caller.joining.call(TO, warm, abort.signal).then((isJoined) => (outcome = isJoined));
  return { parent, caller, before, abort, outcome: () => outcome };
}

/** The same when the phone of that person rings. */
async function ringing(warm = WARM) {
  const begun = await transferring(warm);
  await rig.until(() => rig.carrier.placed.length > begun.before);
  return { ...begun, leg: await legOf(begun.parent.id) };
}

/** The same when they have picked up. */
async function offered(warm = WARM) {
  const begun = await ringing(warm);
  const line = await rig.pickUp();
  const person: ScriptedConversation = rig.conversations.at(-1)!;
  return { ...begun, person, line };
}

/** The same when they talk with the caller. */
async function joined(warm = WARM) {
  const begun = await offered(warm);
  expect(await begun.person.joining.accept()).toBe(true);
  return begun;
}

async function legsOf(parentId: string): Promise<readonly CallRow[]> {
  const filter = { workspace: 'default', parentCallId: [parentId] };
  const page = { cursor: null, limit: 10, now: rig.clock.wallMs() };
  return (await rig.store.read(callTransactions.list, { filter, ...page })).items;
}

async function legOf(parentId: string): Promise<CallRow> {
  const legs = await legsOf(parentId);
  expect(legs).toHaveLength(1);
  return legs[0]!;
}

const transcriptOf = async (id: string) => (await rig.callService.calls.view(PRINCIPAL, id)).entries;

const notesOf = async (id: string) =>
  (await rig.callService.calls.events(PRINCIPAL, id))
    .filter(({ type }) => type.startsWith('transfer'))
    .map(({ type, data }) => ({ type, ...data }));

describe('a person who is called for a caller', () => {
  it('is dialled once, as every call is, and asked with the briefing', async () => {
    const { parent, leg, outcome } = await offered();
    expect(rig.carrier.placed.filter(({ to }) => to === TO)).toMatchObject([
      { from: parent.from_phone, ringTimeoutSeconds: 20 },
    ]);
    expect(leg).toMatchObject({
      parent_call_id: parent.id,
      direction: 'outbound',
      agent_id: parent.agent_id,
      silence_timeout_seconds: parent.silence_timeout_seconds,
    });
    expect(rig.briefs.at(-1)!.initialMessage).toContain('Anna is here.');
    expect(outcome()).toBeNull();
    expect(await notesOf(parent.id)).toEqual([{ type: 'transfer_begun', to: TO, leg_call_id: leg.id }]);
  });

  it('hears the caller, and is heard, once they have said yes', async () => {
    const { parent, caller, person, line, leg, outcome } = await joined();
    await rig.until(() => outcome() === true);
    expect(caller.steered).toContainEqual(['join']);
    expect(person.steered).toContainEqual(['join']);
    rig.streams[0]!.hear(new Int16Array(160).fill(7));
    line.hear(new Int16Array(160).fill(9));
    expect(person.steered.at(-1)).toEqual(['speak', new Int16Array(160).fill(7)]);
    expect(caller.steered.at(-1)).toEqual(['speak', new Int16Array(160).fill(9)]);
    expect(person.heard).toHaveLength(1);
    // Each is understood on their own line, and stands in the transcripts of both.
    const said = { speaker: 'customer' as const, confidence: 1, interrupted: false };
    person.observer.onEntry({ ...said, text: 'Good morning.', startMs: 1_000, endMs: 2_000 });
    expect(caller.steered.at(-1)).toEqual(['quote', 'Good morning.']);
    await rig.until(async () => (await transcriptOf(parent.id)).length > 0);
    expect(await transcriptOf(parent.id)).toMatchObject([
      { speaker: 'agent', spoken_by: 'person', text: 'Good morning.', start_ms: 1_000 },
    ]);
    expect(await transcriptOf(leg.id)).toMatchObject([{ speaker: 'customer', text: 'Good morning.' }]);
    rig.callService.sessions.get(parent.id)!.otherLine.whisper(new Int16Array(160).fill(3));
    expect(person.steered.at(-1)).toEqual(['whisper', new Int16Array(160).fill(3)]);
    expect((await notesOf(parent.id)).at(-1)).toMatchObject({ type: 'transfer_joined', leg_call_id: leg.id });
  });

  it.each([
    ['the person', false, 'other_leg_ended', 'customer_hangup'],
    ['the caller', true, 'customer_hangup', 'other_leg_ended'],
  ])('leaves no line open when %s hangs up', async (_, isCaller, ofCaller, ofPerson) => {
    const { parent, leg, line } = await joined();
    (isCaller ? rig.streams[0]! : line).hangUp();
    expect(await rig.reaches(parent.id, 'completed')).toMatchObject({
      ended_reason: ofCaller,
      outcome: { followUp: { kind: 'transfer', to: TO } },
    });
    expect(await rig.reaches(leg.id, 'completed')).toMatchObject({ ended_reason: ofPerson });
    expect(new Set(rig.carrier.hungUp)).toContain((isCaller ? leg : parent).provider_call_id);
  });

  it('leaves the caller to an agent that stays', async () => {
    const { parent, caller, leg, line } = await joined({ ...WARM, stay: true });
    line.hangUp();
    await rig.reaches(leg.id, 'completed');
    expect(caller.steered.at(-1)).toEqual(['personLeft']);
    expect(await rig.call(parent.id)).toMatchObject({ status: 'active' });
  });
});

describe('a transfer that comes to nothing', () => {
  it.each(['busy', 'no_answer', 'rejected'] as const)('%s: the caller is given back', async (status) => {
    const { parent, leg, outcome } = await ringing();
    await rig.carrier.report(status);
    await rig.until(() => outcome() === false);
    expect(await rig.call(leg.id)).toMatchObject({ status: 'failed', ended_reason: status });
    await rig.until(async () => (await notesOf(parent.id)).length > 1);
    expect((await notesOf(parent.id)).at(-1)).toMatchObject({ type: 'transfer_failed', error: status });
    expect(await rig.call(parent.id)).toMatchObject({ status: 'active', outcome: null });
  });

  it('is over when the phone has rung for as long as it may, whatever the carrier tells', async () => {
    const { leg, outcome } = await ringing();
    await rig.pass(39_000);
    expect(outcome()).toBeNull();
    await rig.pass(2_000);
    expect(outcome()).toBe(false);
    expect(await rig.reaches(leg.id, 'cancelled')).toMatchObject({ ended_reason: 'cancelled' });
    expect(rig.carrier.hungUp).toEqual([leg.provider_call_id ?? expect.any(String)]);
  });

  it('is over when the person says neither yes nor no', async () => {
    const { leg, person, outcome } = await offered();
    await rig.pass(61_000);
    expect(outcome()).toBe(false);
    expect(await rig.reaches(leg.id, 'completed')).toMatchObject({ ended_reason: 'other_leg_ended' });
    expect(await person.joining.accept()).toBe(false);
  });

  it('is not begun for a number that is never called, and says why', async () => {
    const { parent, outcome } = await transferring(WARM, () => (rig.rules.countries = ['GB']));
    await rig.until(() => outcome() === false);
    expect(rig.carrier.placed.filter(({ to }) => to === TO)).toEqual([]);
    expect(await legOf(parent.id)).toMatchObject({ ended_reason: 'country_not_allowed' });
  });

  it('is not begun where the carrier joins no lines', async () => {
    rig.carrier.traits = { ...rig.carrier.traits, joinsLegs: false };
    const { outcome } = await transferring();
    await rig.until(() => outcome() === false);
    expect(rig.carrier.placed).toHaveLength(1);
  });
});

describe('a caller who is gone', () => {
  it.each(['ringing', 'asked'])('has the phone of a person who is %s hung up', async (state) => {
    const { parent, leg, abort, outcome } = state === 'asked' ? await offered() : await ringing();
    abort.abort();
    rig.streams[0]!.hangUp();
    await rig.reaches(parent.id, 'completed');
    const ended = await rig.reaches(leg.id, state === 'asked' ? 'completed' : 'cancelled');
    expect(rig.carrier.hungUp).toContain(ended.provider_call_id);
    expect(outcome()).toBe(false);
  });

  it('has nobody dialled', async () => {
    const { parent, abort, before } = await transferring();
    abort.abort();
    rig.streams[0]!.hangUp();
    await rig.reaches(parent.id, 'completed');
    await rig.pass(20_000);
    const placed = rig.carrier.placed.slice(before);
    for (const { dialRef } of placed) expect(rig.carrier.hungUp).toContain(`provider-${dialRef}`);
    expect(['cancelled', undefined]).toContain((await legsOf(parent.id))[0]?.status);
  });
});

describe('a process that died', () => {
  it('leaves a call that nobody waits for: it is not dialled', async () => {
    rig = await CallRig.started({ maxConcurrentCalls: 1 });
    const { parent } = await transferring();
    await rig.until(async () => (await legsOf(parent.id)).length > 0);
    // As a crash leaves it: the row of the caller's call is over, and the call for them waits for a line.
    await rig.store.write(lookTransactions.crashed, { callId: parent.id });
    const after = rig.build();
    await after.start();
    await rig.until(async () => (await legsOf(parent.id))[0]?.status === 'cancelled');
    expect(rig.carrier.placed.filter(({ to }) => to === TO)).toEqual([]);
  });

  it('leaves a person to the process with the caller, and hung up where that is not reached', async () => {
    const { parent, leg } = await ringing();
    const other = rig.build();
    const elsewhere = await rig.pickUp(other).catch((thrown: unknown) => thrown as CarriedElsewhere);
    expect(elsewhere).toMatchObject({ name: 'CarriedElsewhere', address: 'test' });
    await (elsewhere as CarriedElsewhere).giveUp();
    expect(await rig.reaches(leg.id, 'completed')).toMatchObject({ ended_reason: 'other_leg_ended' });
    expect(rig.carrier.hungUp).toHaveLength(1);
    // Whoever has the caller's line looks, and gives them back.
    await rig.pass(3_000);
    await rig.until(async () => (await notesOf(parent.id)).length > 1);
    expect((await notesOf(parent.id)).at(-1)).toMatchObject({ type: 'transfer_failed' });
  });
});
