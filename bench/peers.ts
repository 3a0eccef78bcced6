// What a call costs beside `@livekit/agents`, which a Node developer would pick instead: one call after the other on
// the same telephone streams, each server alone in turn. Recogniser, model and voice are free on both sides.
//
//     npm run bench:peers -- [seconds=5] [calls=10,25,50,75,100] [calls of the service=10,50,100,300,500]
import { print } from './figures.js';
import { generate } from './media-generator.js';
import { measureOnce, millisPerCallSecond, type Kind, type Measured } from './media-measure.js';
import { serveCalls } from './media-server.js';
import { missingForLiveKit, serveLiveKit } from './peers-livekit.js';

/** Five seconds: long enough to be spoken over now and then. */
const ANSWER = { text: 'This takes two and a half seconds. And so does this.', sentenceMs: 2_500 };
/** Sound leaves so much ahead of its time: what is later is heard. */
const IN_TIME_MS = 60;
/** A server that falls behind answers less; of what it does with the fewest calls, so much must be left. */
const LEAST_SOUND = 0.5;

// A child ends when its parent lets go of it, in whatever way.
process.on('disconnect', () => process.exit());

const [first = '5', second = '10,25,50,75,100', third = '10,50,100,300,500'] = process.argv.slice(2);
if (first === 'calls') await serveCalls(ANSWER);
else if (first === 'livekit') await serveLiveKit(ANSWER);
else if (first === 'generate') generate(second);
else await compare(Number(first), { livekit: numbersOf(second), calls: numbersOf(third) });

function numbersOf(list: string): number[] {
  return list.split(',').map(Number);
}

async function compare(seconds: number, counts: { livekit: number[]; calls: number[] }): Promise<void> {
  print(`${seconds} s each, ${process.version}`);
  const missing = await missingForLiveKit();
  if (missing === null) await measureAll('livekit', '@livekit/agents', counts.livekit, seconds);
  else print(`not compared with @livekit/agents: ${missing}`);
  await measureAll('calls', 'Callwright', counts.calls, seconds);
}

/** More and more calls, until one too many is not served in time. */
async function measureAll(kind: Kind, name: string, counts: number[], seconds: number): Promise<void> {
  print(`${name.padEnd(16)} calls  processor ms a call-second  cores busy  jitter p99  sound a call`);
  let most = 0;
  let leastSound = 0;
  for (const callers of counts) {
    const measured = await measureOnce(kind, callers, seconds);
    const sound = measured.soundPerSecond / measured.framesPerSecond;
    leastSound ||= sound * LEAST_SOUND;
    print(rowOf(callers, measured, sound));
    if (!(measured.jitterP99Ms < IN_TIME_MS) || sound < leastSound) break;
    most = callers;
  }
  print(`${name}: ${most} calls in time`);
}

function rowOf(callers: number, { cpuMicrosPerFrame, busy, jitterP99Ms }: Measured, sound: number): string {
  return (
    `${String(callers).padStart(22)}  ${millisPerCallSecond(cpuMicrosPerFrame).padStart(27)}  ` +
    `${busy.toFixed(2).padStart(10)}  ${`${jitterP99Ms.toFixed(1)} ms`.padStart(10)}  ${`${Math.round(sound * 100)} %`.padStart(12)}`
  );
}
