// What the media path costs: N telephone streams (JSON frames, base64 μ-law, 50 a second each way) against a bare echo
// over the same library, one after the other in the same run. The generator runs in a process of its own.
//
//     node bench/run.mjs media [sockets=200] [seconds=5] [rounds=3]
//
// The ratio compares the processor time of the server per frame: it says how many calls one core carries, as a share of
// what it could if calls were only echoed. Jitter is measured where the frames arrive, so it holds the generator's own.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { generate, type Traffic } from './media-generator.js';
import { serveBareEcho, serveCalls, type Usage } from './media-server.js';

const WARM_UP_MS = 3_000;
const GOAL_RATIO = 0.6;
const GOAL_JITTER_MS = 10;

// A child ends when its parent lets go of it, in whatever way.
process.on('disconnect', () => process.exit());

const [role = '200', value = '5'] = process.argv.slice(2);
if (role === 'bare') serveBareEcho();
else if (role === 'calls') await serveCalls();
else if (role === 'generate') await generate(value, Number(process.argv[4]));
else await compare(Number(role), Number(value), Number(process.argv[4] ?? 3));

interface Measured {
  cpuMicrosPerFrame: number;
  kilobytesPerSocket: number;
  jitterP99Ms: number;
  framesPerSecond: number;
}

async function compare(sockets: number, seconds: number, rounds: number): Promise<void> {
  print(`${sockets} sockets, ${seconds} s, ${rounds} rounds, ${process.version}`);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const bare = await measure('bare', sockets, seconds);
    const calls = await measure('calls', sockets, seconds);
    describe('bare echo', bare);
    describe('calls', calls);
    ratios.push(bare.cpuMicrosPerFrame / calls.cpuMicrosPerFrame);
  }
  const median = ratios.toSorted((a, b) => a - b)[ratios.length >> 1] ?? 0;
  print(
    `ratio      ${median.toFixed(2)} of the bare echo, the median of ${ratios.map((one) => one.toFixed(2)).join(', ')}`,
  );
  print(`goals      ratio ≥ ${GOAL_RATIO}, jitter p99 < ${GOAL_JITTER_MS} ms`);
}

function describe(name: string, result: Measured): void {
  print(
    `${name.padEnd(10)} ${result.cpuMicrosPerFrame.toFixed(1)} µs of processor a frame · ` +
      `${Math.round(result.framesPerSecond)} frames/s back · jitter p99 ${result.jitterP99Ms.toFixed(1)} ms · ` +
      `${Math.round(result.kilobytesPerSocket)} kB a socket`,
  );
}

async function measure(kind: 'bare' | 'calls', sockets: number, seconds: number): Promise<Measured> {
  const server = start(kind);
  const [{ url, rssBytes: idleBytes }] = (await once(server, 'message')) as [
    { url: string; rssBytes: number },
  ];
  const generator = start('generate', url, String(sockets));
  await once(generator, 'message');
  await sleep(WARM_UP_MS);
  const [before] = await Promise.all([ask<Usage>(server), ask<Traffic>(generator)]);
  await sleep(seconds * 1000);
  const [after, traffic] = await Promise.all([ask<Usage>(server), ask<Traffic>(generator)]);
  const gone = Promise.all([once(generator, 'exit'), once(server, 'exit')]);
  generator.disconnect();
  server.disconnect();
  await gone;
  return {
    cpuMicrosPerFrame: (after.cpuMicros - before.cpuMicros) / traffic.framesReceived,
    kilobytesPerSocket: (after.rssBytes - idleBytes) / sockets / 1024,
    jitterP99Ms: traffic.jitterP99Ms,
    framesPerSecond: traffic.framesReceived / seconds,
  };
}

function start(...args: string[]): ChildProcess {
  return fork(fileURLToPath(import.meta.url), args);
}

/** What a process knows about the time since it was last asked. */
async function ask<Answer>(child: ChildProcess): Promise<Answer> {
  child.send('report');
  const [answer] = (await once(child, 'message')) as [Answer];
  return answer;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
