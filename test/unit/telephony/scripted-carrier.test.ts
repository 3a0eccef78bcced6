import { CarrierError, type CarrierStatus } from '#telephony/port/carrier.js';
import { carrierContract, type CarrierRig } from '#test/contracts/carrier.js';
import { createRecordingHost } from '#test/support/carrier-host.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { providerIdOf, ScriptedCarrier } from '#test/support/scripted-carrier.js';

const NUMBERS = {
  answers: '+15550100003',
  busy: '+15550100005',
  noAnswer: '+15550100006',
  rejects: '+15550100007',
  invalid: '+15550100008',
};
/** How long it takes until something comes of a ringing phone. */
const RINGS_MS = 1_000;
/** Steps of the network's time after which a test gives up. */
const MOST_STEPS = 600;

interface Phone {
  dialRef: string;
  status: CarrierStatus;
  isHandedOver: boolean;
}

carrierContract('scripted', createScriptedRig);

/** The scripted carrier with a network behind it, whose phones do as their numbers say. */
async function createScriptedRig(): Promise<CarrierRig> {
  const clock = new FakeClock();
  const host = createRecordingHost();
  const carrier = new ScriptedCarrier();
  const phones = new Map<string, Phone>();
  const waiting = new Set<() => void>();
  host.instruct(async () => ({ url: 'ws://service/ws/stream', parameters: {} }));
  carrier.host = host;

  async function become(phone: Phone, status: CarrierStatus): Promise<void> {
    phone.status = status;
    await carrier.report(status, { dialRef: phone.dialRef, at: clock.wallMs() });
  }
  async function pickUp(phone: Phone): Promise<void> {
    const { dialRef } = phone;
    const call = { carrier: carrier.name, dialRef, providerCallId: providerIdOf(dialRef) };
    await become(phone, 'answered');
    if (!(await host.answer(call))) await become(phone, 'completed');
  }
  function comeOf(phone: Phone, to: string, ringTimeoutSeconds: number): void {
    const inMs = to === NUMBERS.noAnswer ? ringTimeoutSeconds * 1_000 : RINGS_MS;
    const calledOff = clock.after(inMs, () => {
      waiting.delete(calledOff);
      if (phone.status !== 'ringing') return;
      if (to === NUMBERS.answers) return void pickUp(phone);
      const ends: Record<string, CarrierStatus> = {
        [NUMBERS.busy]: 'busy',
        [NUMBERS.noAnswer]: 'timeout',
        [NUMBERS.rejects]: 'rejected',
      };
      void become(phone, ends[to]!);
    });
    waiting.add(calledOff);
  }
  const refused = (reason: CarrierError['reason']) => new CarrierError('not_dialled', reason, 'no');

  carrier.network = {
    dial({ dialRef, to, ringTimeoutSeconds }) {
      if (to === NUMBERS.invalid) throw refused('invalid_number');
      if (phones.has(providerIdOf(dialRef))) return;
      const phone: Phone = { dialRef, status: 'ringing', isHandedOver: false };
      phones.set(providerIdOf(dialRef), phone);
      void become(phone, 'ringing');
      comeOf(phone, to, ringTimeoutSeconds);
    },
    hangUp(providerCallId) {
      const phone = phones.get(providerCallId);
      if (phone?.status === 'answered') void become(phone, 'completed');
      else if (phone?.status === 'ringing') void become(phone, 'cancelled');
    },
    transfer({ providerCallId, to, from }) {
      const phone = phones.get(providerCallId);
      if (phone?.status !== 'answered' || phone.isHandedOver) throw refused('refused');
      if (to === NUMBERS.invalid || from === '') throw refused('invalid_number');
      phone.isHandedOver = true;
    },
  };
  carrier.found = (dialRef) => {
    const phone = phones.get(providerIdOf(dialRef));
    if (!phone) return { found: false };
    return { found: true, providerCallId: providerIdOf(dialRef), status: phone.status };
  };
  async function dispose(): Promise<void> {
    for (const callOff of waiting) callOff();
    await carrier.close();
  }
  return {
    carrier,
    host,
    numbers: NUMBERS,
    answer: (awaited) => awaited,
    async until(awaited) {
      let isThere = false;
      awaited.finally(() => (isThere = true)).catch(() => {});
      for (let step = 0; !isThere; step++) {
        if (step > MOST_STEPS) throw new Error('the network never got there');
        await clock.advance(100);
      }
      return awaited;
    },
    pass: (durationMs) => clock.advance(durationMs),
    phonesReached: async () => phones.size,
    // The carrier itself opens nothing; the timers are the network's.
    heldOpen: () => 0,
    dispose,
  };
}
