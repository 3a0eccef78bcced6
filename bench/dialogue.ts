// What a language model's agent costs beside the model: the time until it is heard, processor time, and what live sound
// feels of it. The model is a process of its own that streams the same answer to everything over HTTP.
//
//     node bench/run.mjs dialogue [seconds=10] [calls=1,100] [rounds=5]
//
// Time is counted as in `latency.ts`: from the frame that ends the caller's turn to the first sound on the wire, less
// the time that the model takes. Jitter is measured as in `media.ts`. For processor time, whole turns and bare requests
// of the same bytes are made in one process, portion by portion in turn.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { dialogueWith, modelAt } from './dialogue-agent.js';
import { serveModel } from './dialogue-model.js';
import { measureTurns, type TurnCosts } from './dialogue-turns.js';
import { goal, median, print, quantile } from './figures.js';
import { callIn } from './latency-callers.js';
import { generate, type Traffic } from './media-generator.js';
import { serveCalls, type Address } from './media-server.js';
import { answerOf, resultOf, startMeasured } from './processes.js';

const GOAL_MS = 20;
const GOAL_TIMES = 4;
const GOAL_JITTER_MS = 10;
/** From the request to the first token, as a quick model takes it. */
const MODEL_MS = 100;
const TALKING = 100;
/** Before that the compiler is measured, which is busy with every path that a talk takes for the first times. */
const WARM_UP_MS = 12_000;

// A child ends when its parent lets go of it, in whatever way.
process.on('disconnect', () => process.exit());

const [first = '10', second = '1,100', third = '5'] = process.argv.slice(2);
if (first === 'model') serveModel(Number(second));
else if (first === 'calls') await serve(second, Number(third));
else if (first === 'callers') await callIn(second, Number(third), { thinkingMs: () => MODEL_MS });
else if (first === 'generate') generate(second);
else if (first === 'turns') process.send!(await measureTurns(second, Number(third)));
else await measureAll(Number(first), second.split(',').map(Number), Number(third));

/** @param sentenceMs how long each sentence of the agent lasts */
async function serve(modelUrl: string, sentenceMs: number): Promise<void> {
  const model = modelAt(modelUrl);
  await serveCalls({ text: '', sentenceMs, dialogue: () => dialogueWith(model) });
}

async function measureAll(seconds: number, counts: readonly number[], rounds: number): Promise<void> {
  print(`${seconds} s each, ${rounds} rounds of turns, ${process.version}`);
  const quick = startMeasured('model', '0');
  report(
    await resultOf<TurnCosts[]>(startMeasured('turns', (await answerOf<Address>(quick)).url, String(rounds))),
  );
  await end(quick);
  const model = startMeasured('model', String(MODEL_MS));
  const { url } = await answerOf<Address>(model);
  for (const count of counts) await measureAnswers(url, count, seconds);
  await measureJitter(url, seconds);
  await end(model);
}

function report(costs: readonly TurnCosts[]): void {
  const bare = median(costs.map(({ bareMicros }) => bareMicros));
  const turn = median(costs.map(({ turnMicros }) => turnMicros));
  const times = costs.map(({ bareMicros, turnMicros }) => turnMicros / bareMicros);
  print(
    `a turn     ${(turn / 1_000).toFixed(2)} ms of processor, bare request ${(bare / 1_000).toFixed(2)} ms · ` +
      `${median(times).toFixed(2)} × (median; ${goal(median(times), '≤', GOAL_TIMES)}); ` +
      `rounds ${times.map((one) => one.toFixed(2)).join(', ')}`,
  );
}

async function measureAnswers(modelUrl: string, count: number, seconds: number): Promise<void> {
  const server = startMeasured('calls', modelUrl, '300');
  const { url } = await answerOf<Address>(server);
  const callers = startMeasured('callers', url, String(count));
  await answerOf(callers);
  await sleep(WARM_UP_MS);
  await ask<number[]>(callers);
  await sleep(seconds * 1_000);
  const latenciesMs = await ask<number[]>(callers);
  await Promise.all([end(callers), end(server)]);
  const at = (share: number) => quantile(latenciesMs, share);
  print(
    `${String(count).padStart(4)} calls ${latenciesMs.length} answers · ` +
      `p50 ${at(0.5).toFixed(1)} ms · p95 ${at(0.95).toFixed(1)} ms · p99 ${at(0.99).toFixed(1)} ms ` +
      `(${goal(at(0.99), '<', GOAL_MS, ' ms')}) · most ${at(1).toFixed(1)} ms, without the model's ${MODEL_MS} ms`,
  );
}

async function measureJitter(modelUrl: string, seconds: number): Promise<void> {
  const server = startMeasured('calls', modelUrl, '2500');
  const { url } = await answerOf<Address>(server);
  const generator = startMeasured('generate', url);
  await answerOf(generator);
  generator.send({ callers: TALKING });
  await answerOf(generator);
  await sleep(WARM_UP_MS);
  await ask<Traffic>(generator);
  await sleep(seconds * 1_000);
  const { jitterP99Ms, worstJitterP99Ms, framesReceived } = await ask<Traffic>(generator);
  await Promise.all([end(generator), end(server)]);
  print(
    `jitter     p99 ${jitterP99Ms.toFixed(1)} ms (${goal(jitterP99Ms, '<', GOAL_JITTER_MS, ' ms')}), worst second ` +
      `${worstJitterP99Ms.toFixed(1)} ms · ${TALKING} calls with models, ${Math.round(framesReceived / seconds)} frames/s back`,
  );
}

/** What a process has noted since it was last asked. */
async function ask<Answer>(child: ChildProcess): Promise<Answer> {
  child.send('report');
  return answerOf<Answer>(child);
}

async function end(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.disconnect();
  await gone;
}
