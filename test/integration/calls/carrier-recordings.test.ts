import { beforeEach, expect, it } from 'vitest';
import { callTransactions } from '#calls/call-store.js';
import { talkTransactions } from '#calls/talk/talk-store.js';
import type { CarrierRecording } from '#telephony/port/carrier-recording.js';
import { PRINCIPAL } from '#test/support/principal.js';
import { CallRig } from '#test/support/call-rig.js';

const URL_SAID = 'https://recordings.example.com/RE1?Signature=one';

let rig: CallRig;
beforeEach(async () => {
  rig = await CallRig.open();
  await rig.callService.start();
});

/** A carrier tells of a recording of the call on a line. */
function tell(providerCallId: string | null, more: Partial<CarrierRecording> = {}): Promise<void> {
  return rig.callService.carrierHost.recorded({
    carrier: rig.carrier.name,
    dialRef: null,
    providerCallId,
    recordingId: 'RE1',
    state: 'completed',
    durationSeconds: 42,
    channels: 2,
    url: URL_SAID,
    ...more,
  });
}

async function log(callId: string) {
  return rig.store.read(talkTransactions.events, { workspace: 'default', id: callId });
}
const told = async (callId: string) =>
  (await log(callId)).filter(({ type }) => type === 'carrier_recording').map(({ data }) => data);

async function ended(): Promise<{ callId: string; line: string }> {
  const call = await rig.talking();
  rig.conversations.at(-1)!.end({ by: 'agent' });
  await rig.reaches(call.id, 'completed');
  return { callId: call.id, line: call.provider_call_id! };
}

const countCalls = async () => {
  const page = { filter: { workspace: 'default' }, cursor: null, limit: 100, now: 0 };
  return (await rig.store.read(callTransactions.list, page)).items.length;
};

const WHOLE = {
  carrier: 'scripted',
  recording_id: 'RE1',
  state: 'completed',
  duration_seconds: 42,
  channels: 2,
  url: URL_SAID,
};

it('is in the log of the call, once, whenever it comes; nothing else changes', async () => {
  const call = await rig.talking();
  const line = call.provider_call_id!;
  await tell(line);
  expect((await rig.call(call.id)).status).toBe('active');
  rig.conversations[0]!.end({ by: 'agent' });
  await rig.reaches(call.id, 'completed');
  await rig.pass(3_000);
  const { event_sequence: _one, ...before } = await rig.call(call.id);
  const announced = await rig.eventTypes(call.id);

  await Promise.all([tell(line), tell(line), tell(line), tell(line, { recordingId: 'RE2', url: null })]);
  expect(await told(call.id)).toEqual([WHOLE, { ...WHOLE, recording_id: 'RE2', url: null }]);
  const { event_sequence: _other, ...after } = await rig.call(call.id);
  expect(after).toEqual(before);
  expect(await rig.eventTypes(call.id)).toEqual(announced);
  const sequences = (await log(call.id)).map(({ sequence }) => sequence);
  expect(new Set(sequences).size).toBe(sequences.length);
});

it('is filled in by what comes later, which changes nothing that is known', async () => {
  const { callId, line } = await ended();
  await tell(line, { recordingId: null, durationSeconds: null, channels: null });
  // Signed anew, and with its name.
  await tell(line, { url: 'https://recordings.example.com/RE1?Signature=two', durationSeconds: 41 });
  await tell(line, { state: 'failed', url: null, durationSeconds: 1, channels: 1 });
  expect(await told(callId)).toEqual([{ ...WHOLE, duration_seconds: 41 }]);
});

it('is one of several where the carrier has made several, and of no end of them', async () => {
  const { callId, line } = await ended();
  await tell(line);
  await tell(line, { recordingId: 'RE2', url: 'https://recordings.example.com/RE2', state: 'completed' });
  await tell(line, { recordingId: null, url: null, state: 'failed' });
  await tell(line, { recordingId: null, url: null, state: 'failed' });
  expect((await told(callId)).map((entry) => entry['recording_id'])).toEqual(['RE1', 'RE2', null]);
  for (let more = 0; more < 60; more++) await tell(line, { recordingId: `more-${more}`, url: null });
  expect(await told(callId)).toHaveLength(50);
});

it('is of a call of that very carrier, by its line or by our reference, or of none', async () => {
  const { callId, line } = await ended();
  const dialRef = rig.carrier.placed.at(-1)!.dialRef;
  const before = await countCalls();
  await tell(line, { carrier: 'another' });
  await tell(null, { carrier: 'another', dialRef });
  await tell('nobody-knows-this-line');
  await tell(null);
  expect(await told(callId)).toEqual([]);
  expect(await countCalls()).toBe(before);
  await tell(null, { dialRef });
  expect(await told(callId)).toEqual([WHOLE]);
});

it('is not kept of a call that is erased, before or after', async () => {
  const { callId, line } = await ended();
  await tell(line);
  await rig.until(async () => (await rig.call(callId)).summary !== null);
  await rig.callService.calls.erase(PRINCIPAL, callId);
  expect(await told(callId)).toEqual([]);
  await tell(line);
  expect(await told(callId)).toEqual([]);
  expect(JSON.stringify(await log(callId))).not.toContain('recordings.example.com');
});
