import { createIds } from '#kernel/ids/ids.js';
import type { Tts } from '#speech/tts.js';
import { createSandboxCarrier, type SandboxOptions } from '#telephony/sandbox/sandbox-carrier.js';
import type { CarrierRig } from '#test/contracts/carrier.js';
import { createRecordingHost, createStreamService, type StreamService } from '#test/support/carrier-host.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { createScriptedTts } from '#test/support/scripted-tts.js';

const STEP_MS = 100;
/** Steps of a network's time after which a test gives up: a good ten minutes. */
const MOST_STEPS = 6_000;

export interface SandboxRig extends CarrierRig {
  clock: FakeClock;
  service: StreamService;
  lines: Record<string, unknown>[];
}

/** The sandbox network on a clock that only the test moves, with real sockets to a service. */
export async function createSandboxRig(options: SandboxOptions = {}, tts?: Tts): Promise<SandboxRig> {
  const clock = new FakeClock();
  const host = createRecordingHost();
  const service = await createStreamService();
  const { log, lines } = createMemoryLog();
  host.instruct(async () => ({ url: service.url, parameters: { token: 'st_1' } }));
  const parts = { host, clock, ids: createIds(clock), log, tts: tts ?? createScriptedTts() };
  const carrier = createSandboxCarrier(options, parts);
  async function until<Value>(awaited: Promise<Value>): Promise<Value> {
    let isThere = false;
    const watched = awaited.finally(() => (isThere = true));
    watched.catch(() => {});
    for (let step = 0; !isThere; step++) {
      if (step > MOST_STEPS) throw new Error('the network never got there');
      await clock.advance(STEP_MS);
    }
    return watched;
  }
  return {
    carrier,
    host,
    clock,
    service,
    lines,
    numbers: {
      answers: '+15550100003',
      busy: '+15550100005',
      noAnswer: '+15550100006',
      rejects: '+15550100007',
      invalid: '+15550100008',
    },
    // Only a slow network needs its clock to answer; the ledger's file needs real time, which must not race it.
    answer: (awaited) => (options.faults?.latencyMs ? until(awaited) : awaited),
    until,
    pass: (durationMs) => clock.advance(durationMs),
    phonesReached: async () => new Set(host.reports.map((report) => report.providerCallId)).size,
    heldOpen: () => clock.armed,
    async dispose() {
      await carrier.close();
      await service.close();
    },
  };
}
