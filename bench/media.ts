// What the media path costs: N full calls on telephone streams (JSON frames, base64 μ-law, 50 a second each way)
// against a bare echo over the same library, one after the other in the same run. The generator is another process.
//
//     node bench/run.mjs media [calls=300] [seconds=5] [rounds=5]
//     node bench/run.mjs media growth [seconds=5] [most=1600]     from one call to the ceiling of a core
//     node bench/run.mjs media cores [calls=200] [seconds=5] [rounds=5]     two processes that serve at once
//
// The ratio compares the processor time of the server per frame: it says how many calls one core carries, as a share of
// what it could if calls were only echoed. Jitter is measured where the frames arrive, so it holds the generator's own.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { goal, median, print, ratioOf } from './figures.js';
import { generate, type Order, type Traffic } from './media-generator.js';
import { serveBareEcho, serveCalls, type Address, type Usage } from './media-server.js';
import { answerOf, startMeasured } from './processes.js';

/** Five seconds: long enough to be spoken over now and then. */
const ANSWER = { text: 'This takes two and a half seconds. And so does this.', sentenceMs: 2_500 };
/** Before that the compiler is measured: it takes so long until it has seen every path of a talk often enough. */
const WARM_UP_MS = 12_000;
/** How long more calls on the same server take to be like the others. */
const SETTLE_MS = 4_000;
/** Growth goes on from here, by the square root of two. */
const FIRST_CALLS = 50;
const GOAL_RATIO = 0.6;
const GOAL_TWO_CORES = 1.6;
const GOAL_JITTER_MS = 10;
const GOAL_KILOBYTES = 150;
/** A core that is so busy carries no more calls. */
const BUSY = 0.95;

// A child ends when its parent lets go of it, in whatever way.
process.on('disconnect', () => process.exit());

type Kind = 'bare' | 'calls';

interface Measured {
  /** Of the server's thread and its helpers, as a share of one core. */
  busy: number;
  cpuMicrosPerFrame: number;
  rssBytes: number;
  jitterP99Ms: number;
  worstJitterP99Ms: number;
  framesPerSecond: number;
  soundPerSecond: number;
}

const [first = '300', second, third, fourth] = process.argv.slice(2);
if (first === 'bare') serveBareEcho();
else if (first === 'calls') await serveCalls(ANSWER);
else if (first === 'generate') generate(second!);
else if (first === 'growth') await grow(Number(second ?? 5), Number(third ?? 1_600));
else if (first === 'cores')
  await compareCores(Number(second ?? 200), Number(third ?? 5), Number(fourth ?? 5));
else await compare(Number(first), Number(second ?? 5), Number(third ?? 5));

async function compare(callers: number, seconds: number, rounds: number): Promise<void> {
  print(`${callers} calls, ${seconds} s, ${rounds} rounds, ${process.version}`);
  const ratios: number[] = [];
  const jittersMs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const bare = await measureOnce('bare', callers, seconds);
    const calls = await measureOnce('calls', callers, seconds);
    print(`bare echo  ${described(bare)}`);
    print(`calls      ${described(calls)}`);
    ratios.push(bare.cpuMicrosPerFrame / calls.cpuMicrosPerFrame);
    jittersMs.push(calls.jitterP99Ms);
  }
  const jitterMs = median(jittersMs);
  print(`ratio      ${ratioOf(ratios, GOAL_RATIO)} to the bare echo; rounds ${listed(ratios)}`);
  print(`jitter     p99 ${jitterMs.toFixed(1)} ms (median; ${goal(jitterMs, '<', GOAL_JITTER_MS, ' ms')})`);
}

/**
 * How many calls two cores carry, as a multiple of what one does: two processes serve at once, with generators of their
 * own, and a frame costs what it costs beside another process that does the same.
 */
async function compareCores(callers: number, seconds: number, rounds: number): Promise<void> {
  print(`${callers} calls on each server, ${seconds} s, ${rounds} rounds, ${process.version}`);
  const multiples: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const alone = await measureOnce('calls', callers, seconds);
    const both = await measureTogether('calls', 2, callers, seconds);
    print(`alone      ${described(alone)}`);
    for (const one of both) print(`of two     ${described(one)}`);
    multiples.push(both.reduce((sum, one) => sum + alone.cpuMicrosPerFrame / one.cpuMicrosPerFrame, 0));
  }
  print(`two cores  ${ratioOf(multiples, GOAL_TWO_CORES)} × the calls of one; rounds ${listed(multiples)}`);
}

/**
 * The same server under more and more calls, until it cannot carry them. What a call has in memory is told of those
 * beyond the first ones, which share what the service needs once: compiled code and pooled buffers.
 */
async function grow(seconds: number, most: number): Promise<void> {
  const { server, generator, close } = await open('calls');
  await tell(generator, { callers: 1 });
  print(`   1 call   ${described(await measure(server, generator, seconds))}`);
  let first: { liveBytes: number; rssBytes: number } | null = null;
  for (let callers = FIRST_CALLS; callers <= most; callers = Math.round(callers * 1.42)) {
    await tell(generator, { callers });
    const many = await measure(server, generator, seconds, first === null ? WARM_UP_MS : SETTLE_MS);
    const liveBytes = await tell<number>(server, 'live');
    const perCall = (bytes: number) => Math.round(bytes / 1024 / (callers - FIRST_CALLS));
    const kilobytes = first === null ? null : perCall(liveBytes - first.liveBytes);
    const memory =
      kilobytes === null
        ? ''
        : ` · ${kilobytes} kB each beyond ${FIRST_CALLS} (${goal(kilobytes, '≤', GOAL_KILOBYTES, ' kB')}), ` +
          `${perCall(many.rssBytes - first!.rssBytes)} with garbage`;
    print(`${String(callers).padStart(4)} calls  ${described(many)}${memory}`);
    first ??= { liveBytes, rssBytes: many.rssBytes };
    if (many.busy > BUSY) break;
  }
  await close();
}

function described({
  busy,
  cpuMicrosPerFrame,
  framesPerSecond,
  soundPerSecond,
  jitterP99Ms,
  worstJitterP99Ms,
}: Measured): string {
  return (
    `${cpuMicrosPerFrame.toFixed(1)} µs of processor a frame · ${Math.round(framesPerSecond)} frames/s, ${Math.round(soundPerSecond)} back · ` +
    `jitter p99 ${jitterP99Ms.toFixed(1)} ms (worst second ${worstJitterP99Ms.toFixed(1)}) · core ${Math.round(busy * 100)} % busy`
  );
}

async function measureOnce(kind: Kind, callers: number, seconds: number): Promise<Measured> {
  const [measured] = await measureTogether(kind, 1, callers, seconds);
  return measured!;
}

/** Some servers at the same time, each with so many callers. */
async function measureTogether(
  kind: Kind,
  servers: number,
  callers: number,
  seconds: number,
): Promise<Measured[]> {
  const opened = await Promise.all(Array.from({ length: servers }, () => open(kind)));
  await Promise.all(opened.map(({ generator }) => tell(generator, { callers })));
  const measured = await Promise.all(
    opened.map(({ server, generator }) => measure(server, generator, seconds)),
  );
  await Promise.all(opened.map(({ close }) => close()));
  return measured;
}

async function open(kind: Kind) {
  const server = startMeasured(kind);
  const { url } = await answerOf<Address>(server);
  const generator = startMeasured('generate', url);
  await answerOf(generator);
  return {
    server,
    generator,
    async close() {
      const gone = Promise.all([once(generator, 'exit'), once(server, 'exit')]);
      generator.disconnect();
      server.disconnect();
      await gone;
    },
  };
}

async function measure(
  server: ChildProcess,
  generator: ChildProcess,
  seconds: number,
  warmUpMs = WARM_UP_MS,
): Promise<Measured> {
  await sleep(warmUpMs);
  const [before] = await Promise.all([tell<Usage>(server, 'report'), tell<Traffic>(generator, 'report')]);
  await sleep(seconds * 1000);
  const [after, traffic] = await Promise.all([
    tell<Usage>(server, 'report'),
    tell<Traffic>(generator, 'report'),
  ]);
  const cpuMicros = after.cpuMicros - before.cpuMicros;
  return {
    busy: cpuMicros / (seconds * 1_000_000),
    cpuMicrosPerFrame: cpuMicros / traffic.framesSent,
    rssBytes: after.rssBytes,
    jitterP99Ms: traffic.jitterP99Ms,
    worstJitterP99Ms: traffic.worstJitterP99Ms,
    framesPerSecond: traffic.framesSent / seconds,
    soundPerSecond: traffic.framesReceived / seconds,
  };
}

function listed(ratios: readonly number[]): string {
  return ratios.map((one) => one.toFixed(2)).join(', ');
}

/** Tells a process something; its answer. */
async function tell<Answer>(child: ChildProcess, order: Order | 'live'): Promise<Answer> {
  child.send(order);
  return answerOf<Answer>(child);
}
