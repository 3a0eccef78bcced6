import { describe, expect, it } from 'vitest';
import { sleep } from '#kernel/time/clock.js';
import { callOnce, once, transcriptOf, wordsOf } from '#test/support/call-story.js';
import type { EmulatedCarrier } from '#test/support/emulators/emulated-carrier.js';
import {
  NUMBERS,
  openCarrierRig,
  type CarrierRig,
  type CarrierUnderTest,
  type EmulatedLine,
} from './carrier-rig.js';
import { AGENTS, agentWhoJoins, expectEnd, expectTalk } from './carrier-talks.js';

/** The agent's long question, as far as it goes when nobody interrupts it. */
const WHOLE_QUESTION = wordsOf(AGENTS.asksAtLength.initial_message);
/** Of a call whose lines are joined. */
const SPEAKERS = ['agent', 'customer', 'agent', 'person', 'customer'];
/** What may be heard beyond what is written down: what was on its way when the agent fell silent. */
const TOLERANCE_MS = 300;
/** A carrier is asked for the price of a call a minute after its end. */
const ASKED_FOR_PRICE_MS = 65_000;

/**
 * What every carrier must be good for, as tests of the file that asks for it: calls that are spoken whole, and those
 * that come to nothing. They share their time, because sound takes as long as it takes.
 * @param more the carrier's own tests, which talk at the same time
 */
export function testCalls<Emulator extends EmulatedCarrier, Line extends EmulatedLine>(
  carrier: CarrierUnderTest<Emulator, Line>,
  more: (rig: CarrierRig<Emulator, Line>) => void = () => {},
): CarrierRig<Emulator, Line> {
  const rig = openCarrierRig(carrier);
  const { provider } = carrier;

  describe.concurrent(`calls through ${provider}`, () => {
    it('calls out: the phone rings, somebody talks, and the line is hung up', async () => {
      const id = await rig.call(NUMBERS.accepts, AGENTS.asks);
      const lines = [
        'agent: shall we call you tomorrow',
        /^customer: (yes|yep|yeah) please$/,
        'agent: thank you',
      ];
      const entries = await expectTalk(rig.service, id, { provider, isResolved: true, lines });
      expect(entries.every(({ interrupted }) => !interrupted)).toBe(true);

      const line = rig.lineTo(NUMBERS.accepts);
      await rig.time.during(line.ended);
      expect(line.person!.heardSpeechMs).toBeGreaterThan(1_000);
      const { body } = await rig.service.request('GET', `/api/calls/${id}`);
      expect(body).toMatchObject({ provider_call_id: carrier.providerCallId(line) });
      if (carrier.asksPrices !== true) return;
      await rig.time.during(sleep(rig.time, ASKED_FOR_PRICE_MS));
      const { body: priced } = await rig.service.request('GET', `/api/calls/${id}`);
      expect(priced).toMatchObject({ cost: { carrier_usd: 0.013 } });
    });

    it('joins two lines: each hears the other, and both calls end together', async () => {
      const id = await rig.call(NUMBERS.wantsColleague, agentWhoJoins(NUMBERS.colleague));
      const call = await callOnce(rig.service.request, id);
      expect(call).toMatchObject({
        ended_reason: 'other_leg_ended',
        follow_up: { kind: 'transfer', to: NUMBERS.colleague },
      });
      const entries = await transcriptOf(rig.service.request, id);
      // Free talk is beyond the built-in recogniser: who spoke is what counts.
      expect(entries.map(({ speaker, by }) => by ?? speaker)).toEqual(SPEAKERS);
      for (const phone of [NUMBERS.wantsColleague, NUMBERS.colleague]) {
        const line = rig.lineTo(phone);
        await rig.time.during(line.ended);
        expect(line.person!.hasSaidEverything).toBe(true);
      }
    });

    it('is called: greeted by the carrier, answered by the agent of the number', async () => {
      const line = rig.callIn({
        from: NUMBERS.books,
        to: NUMBERS.ours,
        talk: { sentences: rig.said.tellsDay },
      });
      await rig.time.during(line.ended);
      const [call, ...others] = await rig.inboundFrom(NUMBERS.books);
      expect(others).toEqual([]);
      expect(call).toMatchObject({ to_phone: NUMBERS.ours, provider_call_id: carrier.providerCallId(line) });
      const lines = ['agent: on which day', /^customer: june (the )?third$/, 'agent: thank you'];
      const entries = await expectTalk(rig.service, call!.id, { provider, isResolved: true, lines });
      expect(entries.every(({ interrupted }) => !interrupted)).toBe(true);
      expect(line.person!.heardSpeechMs).toBeGreaterThan(1_000);
    });

    it('is interrupted, is silent, and writes down of its turn what was heard', async () => {
      const id = await rig.call(NUMBERS.interrupts, AGENTS.asksAtLength);
      const lines = [/^agent: this is/, "customer: i'd rather not", 'agent: goodbye'];
      const [cut, , end] = await expectTalk(rig.service, id, { provider, isResolved: false, lines });
      expect(cut).toMatchObject({ interrupted: true });
      expect(end).toMatchObject({ interrupted: false });
      const heard = wordsOf(cut!.text);
      expect(WHOLE_QUESTION.startsWith(heard)).toBe(true);
      expect(heard.length).toBeLessThan(WHOLE_QUESTION.length);
      const writtenMs = [cut!, end!].reduce((sum, { start_ms, end_ms }) => sum + end_ms - start_ms, 0);
      const { heardSpeechMs } = rig.lineTo(NUMBERS.interrupts).person!;
      expect(heardSpeechMs).toBeLessThan(writtenMs + TOLERANCE_MS);
    });

    it.skipIf(carrier.hearsMachines === false)('hangs up on a machine', async () => {
      const id = await rig.call(NUMBERS.machine, AGENTS.asks);
      await expectEnd(rig.service, id, {
        status: 'completed',
        ended_reason: 'voicemail',
        event: 'call.completed',
      });
    });

    it('tells who was busy', async () => {
      const id = await rig.call(NUMBERS.busy, AGENTS.asks);
      await expectEnd(rig.service, id, { status: 'failed', ended_reason: 'busy', event: 'call.failed' });
    });

    it('takes a call that is announced twice for one, and misses it when the caller does not stay', async () => {
      rig.emulator.faults.at(NUMBERS.oursToo).callback = ({ purpose, status }) =>
        purpose === 'incoming' || status === 'call.initiated' ? { copies: 2 } : {};
      const line = rig.callIn({
        from: NUMBERS.leaves,
        to: NUMBERS.oursToo,
        staysMs: carrier.leavesAfterMs ?? 300,
      });
      await rig.time.during(line.ended);
      const { log } = rig.emulator;
      await once(async () => {
        const announced = log
          .sentOf(carrier.providerCallId(line))
          .filter(({ url }) => url === rig.addressOf('incoming'));
        expect(announced.length).toBeGreaterThan(1);
        expect(await rig.inboundFrom(NUMBERS.leaves)).toMatchObject([{ status: 'missed' }]);
      }, rig.time);
      const [call] = await rig.inboundFrom(NUMBERS.leaves);
      await expectEnd(rig.service, call!.id, {
        status: 'missed',
        ended_reason: 'caller_hangup',
        event: 'call.missed',
      });
    });

    it('believes nobody who cannot sign', async () => {
      const { headers, payload } = carrier.unsigned({ from: NUMBERS.stranger, to: NUMBERS.ours });
      const url = `/webhook/${provider}/incoming`;
      const answer = await rig.service.app.server.inject({ method: 'POST', url, headers, payload });
      expect(answer.statusCode).toBe(403);
      expect(await rig.inboundFrom(NUMBERS.stranger)).toEqual([]);
    });

    more(rig);
  });

  describe(`a service whose carrier is ${provider}`, () => {
    it('has nothing to complain of, and keeps numbers and tokens out of its log', () => {
      expect(rig.emulator.log.complaints).toEqual([]);
      const logged = JSON.stringify(rig.service.logLines);
      const numbers = Object.values(NUMBERS).map((number) => number.slice(1));
      for (const secret of [...numbers, ...carrier.secretsOf(rig.emulator)])
        expect(logged).not.toContain(secret);
      // The token of a stream is part of its address at some.
      expect(logged).not.toMatch(/st_[0-9a-zA-Z]{8}/);
    });
  });
  return rig;
}
