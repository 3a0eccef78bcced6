import { describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/time/clock.js';
import { createIds } from '#kernel/ids/ids.js';
import { createSandboxCarrier } from '#telephony/sandbox/sandbox-carrier.js';
import { createRecordingHost, createStreamService } from '#test/support/carrier-host.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { createScriptedTts } from '#test/support/scripted-tts.js';
import { slowedClock } from '#test/support/slowed-clock.js';

const FEW = 500;
const TIMES = 10;
/** What the machine stands still for costs no call anything. */
const clock = slowedClock(systemClock, 1);

describe('the sandbox network under load', () => {
  it('carries a hundred talks at once and ends each of them once', async () => {
    const service = await createStreamService();
    const host = createRecordingHost();
    host.instruct(async () => ({ url: service.url, parameters: {} }));
    const { log } = createMemoryLog();
    const parts = {
      host,
      clock: systemClock,
      ids: createIds(systemClock),
      log,
      tts: createScriptedTts(),
    };
    const carrier = createSandboxCarrier({ ringMs: 10 }, parts);
    const refs = Array.from({ length: 100 }, (_, index) => `dial_${index}`);
    const placed = await Promise.all(
      refs.map((dialRef) =>
        carrier.place(
          {
            dialRef,
            to: '+15550100003',
            from: '+15550000000',
            ringTimeoutSeconds: 5,
            sendBefore: Number.MAX_SAFE_INTEGER,
          },
          new AbortController().signal,
        ),
      ),
    );
    await Promise.all(refs.map((dialRef) => host.reported(dialRef, 'answered')));
    while (service.connections.length < refs.length) await service.connection();
    await Promise.all(service.connections.map((connection) => connection.message('media')));
    await Promise.all(placed.map(({ providerCallId }) => carrier.hangUp(providerCallId)));
    await Promise.all(refs.map((dialRef) => host.reported(dialRef)));
    await Promise.all(service.connections.map((connection) => connection.closed));
    await carrier.close();
    await service.close();
    for (const dialRef of refs) expect(host.statuses(dialRef)).toEqual(['ringing', 'answered', 'completed']);
  });

  it('runs thousands of calls that are over at once, each as fast as if it were one of hundreds', async () => {
    await timeOf(FEW);
    const ofFewMs = await timeOf(FEW);
    expect(await timeOf(TIMES * FEW)).toBeLessThan(2 * TIMES * ofFewMs);
  });

  /** How long it takes to run so many calls to who hangs up at once. */
  async function timeOf(count: number): Promise<number> {
    const host = createRecordingHost();
    const { log } = createMemoryLog();
    const parts = {
      host,
      clock,
      ids: createIds(clock),
      log,
      tts: createScriptedTts(),
    };
    const carrier = createSandboxCarrier({}, parts);
    const { signal } = new AbortController();
    let ended = 0;
    const all = new Promise<void>((resolve) => {
      host.report = async ({ status }) => {
        if (status === 'completed' && ++ended === count) resolve();
      };
    });
    const startedMs = clock.monotonicMs();
    for (let index = 0; index < count; index++) {
      const request = {
        dialRef: `dial_${index}`,
        from: '+15550000000',
        ringTimeoutSeconds: 5,
        sendBefore: Number.MAX_SAFE_INTEGER,
      };
      await carrier.place({ ...request, to: '+15550100009' }, signal);
    }
    await all;
    const tookMs = clock.monotonicMs() - startedMs;
    await carrier.close();
    expect(ended).toBe(count);
    return tookMs;
  }
});
