import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  CarrierError,
  type Carrier,
  type CarrierStatus,
  type LookUp,
  type PlaceRequest,
} from '#telephony/port/carrier.js';
import { FINAL_STATUSES, type RecordingHost } from '#test/support/carrier-host.js';

/** A carrier and its network, for one test. */
export interface CarrierRig {
  carrier: Carrier;
  /** The host that receives the carrier's reports; answered calls get a working stream. */
  host: RecordingHost;
  /** Numbers by the callee's reaction. `answers` stays on the line until either side hangs up. */
  numbers: { answers: string; busy: string; noAnswer: string; rejects: string; invalid: string };
  /**
   * Maps the id from a place request's answer to the id in reports; missing if they are equal. A network may accept a
   * request long before it becomes a call, with different ids.
   */
  lineOf?(providerCallId: string): string;
  /**
   * The status reported for a call cancelled while it rang; missing for `cancelled`. Some networks report it like a
   * ring timeout.
   */
  givenUpAs?: CarrierStatus;
  /** Waits for the carrier's answer to a request. */
  answer<Value>(awaited: Promise<Value>): Promise<Value>;
  /** Lets the network's time pass until `awaited` settles; returns its value. */
  until<Value>(awaited: Promise<Value>): Promise<Value>;
  /** Lets the network's time pass. */
  pass(durationMs: number): Promise<void>;
  /** The number of phones reached so far, as counted by the network. */
  phonesReached(): Promise<number>;
  /** The number of open resources of the carrier, such as sockets and timers; 0 after `close`. */
  heldOpen(): number;
  /** Closes what the rig opened; the carrier last, unless the test has closed it. */
  dispose(): Promise<void>;
}

const RING_TIMEOUT_SECONDS = 5;
/** Longer than any call of the suite takes without a failure. */
const LONG_AFTERWARDS_MS = 20_000;

/** The contract of every carrier (see `src/telephony/port/carrier.ts`). */
export function carrierContract(name: string, makeRig: () => Promise<CarrierRig>): void {
  describe(`carrier ${name}`, () => {
    let rig: CarrierRig;
    let placed = 0;

    beforeEach(async () => {
      rig = await makeRig();
    });
    afterEach(() => rig.dispose());

    function request(to: string): PlaceRequest {
      const dialRef = `dial_${String(++placed).padStart(26, '0')}`;
      return {
        dialRef,
        to,
        from: '+15550000000',
        ringTimeoutSeconds: RING_TIMEOUT_SECONDS,
        sendBefore: Number.MAX_SAFE_INTEGER,
      };
    }

    function place(asked: PlaceRequest, signal = new AbortController().signal) {
      return rig.answer(rig.carrier.place(asked, signal));
    }

    const lineOf = (providerCallId: string) => rig.lineOf?.(providerCallId) ?? providerCallId;

    async function finalsAfterwards(dialRef: string) {
      await rig.pass(LONG_AFTERWARDS_MS);
      return rig.host.statuses(dialRef).filter((status) => FINAL_STATUSES.includes(status));
    }

    it('names itself and its traits', () => {
      expect(rig.carrier.name).toMatch(/^[a-z][a-z0-9_]*$/);
      expect(rig.carrier.traits.callsPerSecond).toBeGreaterThan(0);
    });

    it('rings, is answered, and ends once when we hang up, however often we do', async () => {
      const asked = request(rig.numbers.answers);
      const { providerCallId } = await place(asked);
      const report = await rig.until(rig.host.reported(asked.dialRef, 'answered'));
      const told = {
        carrier: rig.carrier.name,
        dialRef: asked.dialRef,
        providerCallId: lineOf(providerCallId),
      };
      expect(report).toMatchObject(told);
      expect(rig.host.answered).toEqual([told]);

      await rig.answer(Promise.all([rig.carrier.hangUp(providerCallId), rig.carrier.hangUp(providerCallId)]));
      const end = await rig.until(rig.host.reported(asked.dialRef));
      expect(end).toMatchObject({ status: 'completed', providerCallId: lineOf(providerCallId) });
      await rig.answer(rig.carrier.hangUp(providerCallId));
      expect(await finalsAfterwards(asked.dialRef)).toEqual(['completed']);
      expect(rig.host.progress(asked.dialRef)).toEqual(['ringing', 'answered', 'completed']);
    });

    it('tells what a call has cost once that is worked out, where it can be asked', async () => {
      const { carrier } = rig;
      if (carrier.priceOf === undefined) return;
      const asked = request(rig.numbers.answers);
      const { providerCallId } = await place(asked);
      await rig.until(rig.host.reported(asked.dialRef, 'answered'));
      const line = lineOf(providerCallId);
      expect(await rig.answer(carrier.priceOf(line))).toBe('later');
      await rig.answer(carrier.hangUp(providerCallId));
      await rig.until(rig.host.reported(asked.dialRef));
      await rig.pass(6_000);
      expect([0.013, 'never']).toContain(await rig.answer(carrier.priceOf(line)));
    });

    it.each([
      ['busy', ['busy']],
      ['noAnswer', ['no_answer', 'timeout']],
      ['rejects', ['rejected']],
    ] as const)('says once how a call to %s ends', async (number, statuses) => {
      const asked = request(rig.numbers[number]);
      await place(asked);
      const { status, hungUpBy } = await rig.until(rig.host.reported(asked.dialRef));
      expect(statuses).toContain(status);
      expect(hungUpBy).toBeNull();
      expect(await finalsAfterwards(asked.dialRef)).toEqual([status]);
      expect(rig.host.answered).toEqual([]);
    });

    it('ends a call that still rings as cancelled', async () => {
      const asked = request(rig.numbers.noAnswer);
      const { providerCallId } = await place(asked);
      await rig.until(rig.host.reported(asked.dialRef, 'ringing'));
      await rig.answer(rig.carrier.hangUp(providerCallId));
      const { givenUpAs: status = 'cancelled' } = rig;
      expect(await rig.until(rig.host.reported(asked.dialRef))).toMatchObject({ status });
      expect(await finalsAfterwards(asked.dialRef)).toEqual([status]);
    });

    it('ends a call that is not wanted any more when it is answered', async () => {
      rig.host.instruct(async () => null);
      const asked = request(rig.numbers.answers);
      await place(asked);
      await rig.until(rig.host.reported(asked.dialRef));
      expect(await finalsAfterwards(asked.dialRef)).toHaveLength(1);
    });

    it('does not dial an invalid number, and says so', async () => {
      const asked = request(rig.numbers.invalid);
      const error = await place(asked).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(CarrierError);
      expect(error).toMatchObject({ outcome: 'not_dialled', reason: 'invalid_number' });
      expect((error as Error).message).not.toContain(asked.to);
      expect(await rig.phonesReached()).toBe(0);
    });

    it('does not send a request that was given up before', async () => {
      const asked = request(rig.numbers.answers);
      await expect(place(asked, AbortSignal.abort())).rejects.toMatchObject({ outcome: 'not_dialled' });
      expect(await rig.phonesReached()).toBe(0);
    });

    it('dials a repeated reference once, where it claims so', async () => {
      const asked = request(rig.numbers.answers);
      const [first, second] = await Promise.all([place(asked), place(asked)]);
      const third = await place(asked);
      const ids = new Set([first, second, third].map((answer) => answer.providerCallId));
      // A carrier that is not idempotent may still accept repetitions as one for a while: each call then has one id.
      if (rig.carrier.traits.idempotentPlace) expect(ids.size).toBe(1);
      expect(await rig.phonesReached()).toBe(ids.size);
    });

    it('finds a call by our reference while it lives and after, where it claims so', async () => {
      const asked = request(rig.numbers.answers);
      expect(await rig.answer(rig.carrier.lookUp(asked.dialRef, null))).toEqual({ found: false });
      const { providerCallId } = await place(asked);
      async function expectFound(status: CarrierStatus): Promise<void> {
        const found: LookUp = await rig.answer(rig.carrier.lookUp(asked.dialRef, null));
        const { lookUp } = rig.carrier.traits;
        if (lookUp === 'none') expect(found).toEqual({ found: false });
        else if (lookUp === 'exact') expect(found).toEqual({ found: true, providerCallId, status });
        else if (found.found) expect(found.providerCallId).toBe(providerCallId);
      }
      await rig.until(rig.host.reported(asked.dialRef, 'answered'));
      await expectFound('answered');
      await rig.answer(rig.carrier.hangUp(providerCallId));
      await rig.until(rig.host.reported(asked.dialRef));
      await expectFound('completed');
    });

    it('takes it that an unknown call is hung up', async () => {
      await rig.answer(rig.carrier.hangUp('nobody_knows_this_call'));
      expect(rig.host.reports).toEqual([]);
    });

    it('hands an answered call over once, where it can; the call goes on until somebody hangs up', async () => {
      const { carrier } = rig;
      if (!carrier.transfer) return;
      const handOver = (providerCallId: string, to: string, from = '+15550000000') =>
        rig.answer(carrier.transfer!({ providerCallId, to, from }, new AbortController().signal));
      const asked = request(rig.numbers.answers);
      const { providerCallId } = await place(asked);
      await expect(handOver(providerCallId, rig.numbers.answers)).rejects.toBeInstanceOf(CarrierError);
      await rig.until(rig.host.reported(asked.dialRef, 'answered'));
      await expect(handOver('nobody_knows_this_call', rig.numbers.answers)).rejects.toBeInstanceOf(
        CarrierError,
      );
      await expect(handOver(providerCallId, rig.numbers.invalid)).rejects.toMatchObject({
        outcome: 'not_dialled',
        reason: 'invalid_number',
      });
      // A caller with a hidden number.
      await expect(handOver(providerCallId, rig.numbers.answers, '')).rejects.toMatchObject({
        outcome: 'not_dialled',
      });
      await handOver(providerCallId, rig.numbers.answers);
      await expect(handOver(providerCallId, rig.numbers.answers)).rejects.toBeInstanceOf(CarrierError);
      await rig.pass(5_000);
      expect(rig.host.progress(asked.dialRef)).toEqual(['ringing', 'answered']);
      await rig.answer(carrier.hangUp(providerCallId));
      expect(await rig.until(rig.host.reported(asked.dialRef))).toMatchObject({ status: 'completed' });
      expect(await finalsAfterwards(asked.dialRef)).toEqual(['completed']);
    });

    it('closes with calls in hand, twice, and holds nothing open', async () => {
      const talking = request(rig.numbers.answers);
      const ringing = request(rig.numbers.noAnswer);
      await Promise.all([place(talking), place(ringing)]);
      await rig.until(rig.host.reported(talking.dialRef, 'answered'));
      await rig.answer(Promise.all([rig.carrier.close(), rig.carrier.close()]));
      expect(rig.heldOpen()).toBe(0);
      await expect(place(request(rig.numbers.answers))).rejects.toMatchObject({ outcome: 'not_dialled' });
    });
  });
}
