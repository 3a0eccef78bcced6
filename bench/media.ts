// What the media path costs: N full calls on telephone streams (JSON frames, base64 μ-law, 50 a second each way)
// against a bare echo over the same library, one after the other in the same run. The generator is another process.
//
//     node bench/run.mjs media [calls=300]     beside the echo, then beside a relay
//     node bench/run.mjs media <calls> <seconds> [rounds=5]     beside the echo only
//     node bench/run.mjs media relay [calls=10,50,300] [seconds=5] [rounds=3]     beside a bare relay only
//     node bench/run.mjs media growth [seconds=5] [most=1600]     from one call to the ceiling of a core
//     node bench/run.mjs media cores [calls=200] [seconds=5] [rounds=5]     two processes that serve at once
//     node bench/run.mjs media vendors [calls=100] [seconds=5] [rounds=3] [recogniser]     vendors beside free speech
//
// The ratio compares the processor time of the server per frame: it says how many calls one core carries, as a share of
// what it could if calls were only echoed. Jitter is measured where the frames arrive, so it holds the generator's own.
import { goal, median, print, ratioOf } from './figures.js';
import { generate } from './media-generator.js';
import { described, measure, measureOnce, measureTogether, open, tell, WARM_UP_MS } from './media-measure.js';
import { serveRelay, serveSpeech } from './media-relay.js';
import { serveBareEcho, serveCalls } from './media-server.js';
import { compareVendors, serveWithFreeSpeech, serveWithVendors } from './media-vendors.js';
import { emulateVendor } from './vendors.js';

/** Five seconds: long enough to be spoken over now and then. */
const ANSWER = { text: 'This takes two and a half seconds. And so does this.', sentenceMs: 2_500 };
/** How long more calls on the same server take to be like the others. */
const SETTLE_MS = 4_000;
/** Growth goes on from here, by the square root of two. */
const FIRST_CALLS = 50;
const GOAL_RATIO = 0.6;
const GOAL_TWO_CORES = 1.6;
/** Of the processor time of a bare relay, with the fewest calls: more of them cost each one less. */
const GOAL_OF_RELAY = 1.2;
const RELAYED_CALLS = [10, 50, 300];
const RELAY_ROUNDS = 3;
const GOAL_JITTER_MS = 10;
const GOAL_KILOBYTES = 150;
/** A core that is so busy carries no more calls. */
const BUSY = 0.95;

// A child ends when its parent lets go of it, in whatever way.
process.on('disconnect', () => process.exit());

const [first = '300', second, third, fourth, fifth] = process.argv.slice(2);
if (first === 'bare') serveBareEcho();
else if (first === 'calls') await serveCalls(ANSWER);
else if (first === 'relay' && second?.startsWith('ws:')) await serveRelay(second);
else if (first === 'speech') serveSpeech();
else if (first === 'free') await serveWithFreeSpeech();
else if (first === 'vendor') await emulateVendor(second!);
else if (first === 'vendors' && third?.startsWith('http:'))
  await serveWithVendors({ recogniser: second!, recogniserUrl: third, voice: fourth!, voiceUrl: fifth! });
else if (first === 'vendors')
  await compareVendors(Number(second ?? 100), Number(third ?? 5), Number(fourth ?? 3), fifth);
else if (first === 'relay')
  await compareRelay(numbersOf(second) ?? RELAYED_CALLS, Number(third ?? 5), Number(fourth ?? RELAY_ROUNDS));
else if (first === 'generate') generate(second!);
else if (first === 'growth') await grow(Number(second ?? 5), Number(third ?? 1_600));
else if (first === 'cores')
  await compareCores(Number(second ?? 200), Number(third ?? 5), Number(fourth ?? 5));
else {
  await compare(Number(first), Number(second ?? 5), Number(third ?? 5));
  if (second === undefined) await compareRelay(RELAYED_CALLS, 5, RELAY_ROUNDS);
}

function numbersOf(list: string | undefined): number[] | undefined {
  return list?.split(',').map(Number);
}

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
 * What a call costs beside a call that is only handed on. With few calls a server wakes up for a frame at a time, and
 * what it does each time, whoever the frame is of, counts as much as the frame.
 */
async function compareRelay(counts: readonly number[], seconds: number, rounds: number): Promise<void> {
  for (const callers of counts) {
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const relay = await measureOnce('relay', callers, seconds);
      const calls = await measureOnce('calls', callers, seconds);
      print(`${callers} relayed  ${described(relay)}`);
      print(`${callers} calls    ${described(calls)}`);
      ratios.push(calls.cpuMicrosPerFrame / relay.cpuMicrosPerFrame);
    }
    const ratio = median(ratios);
    const judged = callers === Math.min(...counts) ? ` (median; ${goal(ratio, '≤', GOAL_OF_RELAY)})` : '';
    print(`${callers} calls    ${ratio.toFixed(2)} × a bare relay${judged}; rounds ${listed(ratios)}`);
  }
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

function listed(ratios: readonly number[]): string {
  return ratios.map((one) => one.toFixed(2)).join(', ');
}
