import { describe, expect, it } from 'vitest';
import type { LiveCalls, LiveEvent, StreamRight } from '#calls/live/sessions/live-call.js';

/** Calls whose streams can be opened, for one test. */
export interface LiveCallsRig {
  calls: LiveCalls;
  /** The right to the stream of a waiting call. */
  right(): Promise<StreamRight>;
  /** Waits until the condition is true. */
  until(isTrue: () => boolean): Promise<void>;
}

const RATE_HZ = 8000;

/** The contract of everything that opens the streams of sockets (see `src/calls/live/sessions/live-call.ts`). */
export function liveCallsContract(name: string, makeRig: () => Promise<LiveCallsRig>): void {
  describe(`live calls ${name}`, () => {
    async function open() {
      const rig = await makeRig();
      const events: LiveEvent[] = [];
      const closed: number[] = [];
      const call = await rig.calls.open({
        right: await rig.right(),
        agentId: null,
        providerCallId: null,
        line: { sampleRateHz: RATE_HZ, send() {}, clear: () => true },
        notify: (event) => void events.push(event),
        close: (code) => void closed.push(code),
      });
      return { ...rig, call, events, closed };
    }

    it('say first which call it is', async () => {
      const { call, events, closed } = await open();
      expect(events[0]).toEqual({ type: 'session.started', call_id: call.callId, sample_rate: RATE_HZ });
      expect(closed).toEqual([]);
    });

    it('say once that a call is over that was hung up, then close its socket once', async () => {
      const { call, events, closed, until } = await open();
      call.hangUp();
      call.hangUp();
      await until(() => closed.length > 0);
      call.hangUp();
      call.disconnected('closed');
      const ends = events.filter(({ type }) => type === 'call.ended');
      expect(ends).toEqual([{ type: 'call.ended', call_id: call.callId, ended_reason: 'customer_hangup' }]);
      expect(closed).toEqual([1000]);
    });

    it('bear what still comes of a call that is over', async () => {
      const { call, closed, until } = await open();
      call.hangUp();
      await until(() => closed.length > 0);
      call.hear(new Int16Array(160));
      call.press('1');
      call.type('hello');
      call.interrupt();
      call.disconnected('failure');
      expect(closed).toEqual([1000]);
    });
  });
}
