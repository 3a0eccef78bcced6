import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallResource } from '#calls/resources/call-resource.js';
import { callOnce, once, placeCall, transcriptOf } from '#test/support/call-story.js';
import { drawnCarriers } from '#test/support/emulators/drawn-carriers.js';
import type { PhoneBehaviour } from '#test/support/emulators/phone-network.js';
import {
  buildOneCarrierService,
  type OneCarrierService,
} from '#test/integration/telephony/one-carrier-service.js';

const OURS = '+14155550177';
const HELPED = '+14155550101';
const UNLUCKY = '+14155550102';
const TALKED_TO = '+14155550103';
const LEFT_BEHIND = '+14155550104';
const RUNG = '+14155550105';
const CONNECTED = '+14155550106';
const COLLEAGUE = '+14155550166';
const ABSENT_COLLEAGUE = '+14155550167';
const LATE_COLLEAGUE = '+14155550168';

const ANSWERS: PhoneBehaviour = { kind: 'answers', ringMs: 100 };
const PHONES: Readonly<Record<string, PhoneBehaviour>> = {
  [HELPED]: ANSWERS,
  [UNLUCKY]: ANSWERS,
  [TALKED_TO]: ANSWERS,
  [LEFT_BEHIND]: ANSWERS,
  [CONNECTED]: ANSWERS,
  [COLLEAGUE]: ANSWERS,
  [LATE_COLLEAGUE]: ANSWERS,
  [ABSENT_COLLEAGUE]: ANSWERS,
  [RUNG]: { kind: 'no_answer' },
};
/** What carriers answer to what they have done. */
const DONE = [200, 202, 204];

/** Who hands every caller over. */
const helper = (to: string) => ({
  name: 'Front desk',
  voice: 'rms',
  playbook: {
    start: 'desk',
    wording: { not_connected: 'Nobody is there.' },
    steps: {
      desk: { kind: 'transfer', text: 'One moment.', to, otherwise: 'goodbye' },
      goodbye: { kind: 'end', text: 'Goodbye.', resolution_achieved: false },
    },
  },
});
/** Long after everything else that happens in these calls. */
const TOO_LATE_MS = 60_000;

/** Each transfer and each end of a stream has its own way at one of these. */
const CARRIERS = drawnCarriers(
  ({ takesStreamAway, asksAfterStream }) => !takesStreamAway || !asksAfterStream,
);

describe.each(CARRIERS)('$name', (definition) => {
  let service: OneCarrierService;

  beforeAll(async () => {
    service = await buildOneCarrierService(definition, PHONES);
  });
  afterAll(() => service?.close());

  async function callHelper(to_number: string, colleague: string): Promise<string> {
    const { status, body } = await service.request('POST', '/api/agents', helper(colleague));
    expect(status, JSON.stringify(body)).toBe(201);
    const { id: agent_id } = body as { id: string };
    return placeCall(service.request, { to_number, from_number: OURS, agent_id });
  }

  /** What came of the requests to end the line, in order. */
  function hangUpsOf(phone: string): (number | null)[] {
    const { carrierCallId } = service.lineTo(phone);
    const asked = service.carrier.log.asked().filter((one) => service.carrier.isHangUp(one));
    return asked
      .filter(({ path }) => decodeURIComponent(path).includes(carrierCallId))
      .map(({ status }) => status);
  }

  async function disconnect(callId: string, phone: string): Promise<void> {
    const answer = await service.time.during(service.request('POST', `/api/calls/${callId}/disconnect`));
    expect(answer).toMatchObject({ status: 200 });
    await service.time.during(service.lineTo(phone).ended);
  }

  it.concurrent('hands a call over, and leaves the two of them alone', async () => {
    const id = await callHelper(HELPED, COLLEAGUE);
    await service.expectEnd(id, { status: 'completed', ended_reason: 'transferred' });
    await service.time.during(Promise.all(service.lineTo(HELPED).streams.map(({ ended }) => ended)));
    await once(async () => expect(service.rings(COLLEAGUE)).toBe(1), service.time);
    const { reached } = service.carrier.network;
    expect(reached.find(({ number }) => number === COLLEAGUE)).toMatchObject({ from: OURS });
    expect(service.lineTo(HELPED).isOver).toBe(false);
    // They are connected when they have heard that they will be.
    const whole = { text: 'One moment.', interrupted: false };
    expect(await transcriptOf(service.request, id)).toMatchObject([whole]);

    service.lineTo(HELPED).person!.hangUp();
    await service.time.during(service.lineTo(HELPED).ended);
    await service.expectEnd(id, { status: 'completed', ended_reason: 'transferred' });
    // Where the end of the colleague's line is told first, this one is asked to end, and is over already.
    expect(hangUpsOf(HELPED).filter((status) => DONE.includes(status!))).toEqual([]);
  });

  it.concurrent('goes on with a call that the carrier does not hand over', async () => {
    service.carrier.faults.at(UNLUCKY).transfers.push({ kind: 'refused' });
    const id = await callHelper(UNLUCKY, ABSENT_COLLEAGUE);
    await service.expectEnd(id, { status: 'completed', ended_reason: 'agent_hangup' });
    const said = (await transcriptOf(service.request, id)).map(({ text }) => text).join(' ');
    expect(said).toBe('One moment. Nobody is there. Goodbye.');
    expect(service.rings(ABSENT_COLLEAGUE)).toBe(0);
  });

  it.concurrent('leaves those alone whom the carrier has connected without saying so', async () => {
    service.carrier.faults.at(CONNECTED).transfers.push({ kind: 'lost_answer' });
    const id = await callHelper(CONNECTED, LATE_COLLEAGUE);
    if (definition.takesStreamAway) {
      await service.expectEnd(id, { status: 'completed', ended_reason: 'transferred' });
      await once(async () => expect(service.rings(LATE_COLLEAGUE)).toBe(1), service.time);
      expect(service.lineTo(CONNECTED).isOver).toBe(false);
      return expect(hangUpsOf(CONNECTED)).toEqual([]);
    }
    // Whoever is told that nobody is there is not left with somebody.
    await service.expectEnd(id, { status: 'completed', ended_reason: 'agent_hangup' });
    await service.time.during(service.lineTo(CONNECTED).ended);
    return service.time.during(service.lineTo(LATE_COLLEAGUE).ended);
  });

  it.concurrent('ends a talk by request, before anybody asks how the call goes on', async () => {
    service.carrier.faults.at(TALKED_TO).callback = ({ purpose, status }) =>
      ['action', 'stream-status'].includes(purpose) || status.startsWith('streaming.')
        ? { delayMs: TOO_LATE_MS }
        : {};
    const id = await placeCall(service.request, { to_number: TALKED_TO, from_number: OURS });
    await service.untilTalking(id);
    await disconnect(id, TALKED_TO);
    await service.expectEnd(id, { status: 'completed', ended_reason: 'api_disconnect' });
    if (definition.asksAfterStream) expect(hangUpsOf(TALKED_TO)).toEqual([expect.toBeOneOf(DONE)]);
  });

  it.concurrent('ends a talk by what it answers when our stream is over', async () => {
    service.carrier.faults.at(LEFT_BEHIND).ends.push({ kind: 'server_error', isDone: false });
    const id = await placeCall(service.request, { to_number: LEFT_BEHIND, from_number: OURS });
    await service.untilTalking(id);
    await disconnect(id, LEFT_BEHIND);
    await service.expectEnd(id, { status: 'completed', ended_reason: 'api_disconnect' });
    const { exchanges } = service.carrier.log;
    const { carrierCallId } = service.lineTo(LEFT_BEHIND);
    const told = exchanges.filter((one) => one.kind === 'sent' && service.carrier.isStreamEnd(one));
    const answers = told.filter((one) => 'callSid' in one && one.callSid === carrierCallId);
    if (!definition.asksAfterStream) return expect(answers).toEqual([]);
    expect(answers).toMatchObject([{ status: 200 }]);
    return expect(hangUpsOf(LEFT_BEHIND)[0]).toBe(500);
  });

  it.concurrent('lets a phone ring no longer than the call is wanted', async () => {
    const id = await placeCall(service.request, { to_number: RUNG, from_number: OURS });
    await once(async () => expect(service.rings(RUNG)).toBe(1), service.time);
    const { carrierCallId } = service.lineTo(RUNG);
    const isPlaced = ({ provider_call_id }: CallResource) => provider_call_id === carrierCallId;
    await callOnce(service.request, id, isPlaced);
    await disconnect(id, RUNG);
    await service.expectEnd(id, { status: 'cancelled', ended_reason: 'cancelled' });
    expect(hangUpsOf(RUNG)).toEqual([expect.toBeOneOf(DONE)]);
  });
});
