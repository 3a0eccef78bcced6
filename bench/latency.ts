// How long the service itself takes to answer: from the customer's last voiced frame to the first agent sound on the
// wire, less the silence that is waited for and the providers' own time. The callers run in a process of their own.
//
//     node bench/run.mjs latency [seconds=30] [calls=1,100] [vendor]
//
// The callers run the same voice detector on what they send, so they know which frame ends the window; from the moment
// that frame is sent, everything counts: both ways of the wire, decoding, detection, the conversation, and the pacing.
// The agent thinks for 0 to 39 ms, a different time for every turn, which both sides know. With a voice, such as
// Cartesia, or with "voices" for all of them, it speaks through the adapter of a vendor that is emulated in a process
// of its own and takes 100 ms to its first sound, of sentences that were never said before. With a recogniser, such as
// nova-3, or with "recognisers" for all of them, it hears through the adapter of one, whose words come at once. Flux
// tells when it believes that a turn ended: from then on the window of an answer is enough, which the callers know.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { goal, print, quantile } from './figures.js';
import { callIn } from './latency-callers.js';
import { serveCalls, type Address } from './media-server.js';
import { answerOf, startMeasured } from './processes.js';
import {
  emulateVendor,
  FLUX,
  recogniserAt,
  RECOGNISER_NAMES,
  voiceAt,
  VOICE_DELAY_MS,
  VOICE_NAMES,
} from './vendors.js';

const GOAL_MS = 15;
/** Before that the compiler is measured, which is busy with every path that a talk takes for the first times. */
const WARM_UP_MS = 12_000;

// A child ends when its parent lets go of it, in whatever way.
process.on('disconnect', () => process.exit());

const [first = '30', second = '1,100', third = '', fourth = '0', fifth = ''] = process.argv.slice(2);
if (first === 'calls') await serveCalls({ ...answerBy(second, third), thinkingMs });
else if (first === 'callers')
  await callIn(second, Number(third), {
    thinkingMs: (...turn) => thinkingMs(...turn) + Number(fourth),
    tellsEnds: fifth === FLUX,
  });
else if (first === 'vendor') await emulateVendor(second);
else
  for (const vendor of vendorsNamed(third))
    await measureAll(Number(first), second.split(',').map(Number), vendor);

/** What the agent says and hears by; without the name of a vendor both cost nothing. */
function answerBy(vendor = '', url = '') {
  const free = { text: 'Yes.', sentenceMs: 300 };
  if (RECOGNISER_NAMES.includes(vendor)) return { ...free, recogniser: recogniserAt(vendor, url) };
  if (!VOICE_NAMES.includes(vendor)) return free;
  return {
    text: (call: number, turn: number) => `Yes, ${call}, ${turn}.`,
    sentenceMs: 0,
    voice: voiceAt(vendor, url),
  };
}

function vendorsNamed(name: string): readonly string[] {
  if (name === 'recognisers') return RECOGNISER_NAMES;
  return name === 'voices' ? VOICE_NAMES : [name];
}

function thinkingMs(call: number, turn: number): number {
  return (call * 7 + turn * 13) % 40;
}

async function measureAll(seconds: number, counts: readonly number[], vendor: string): Promise<void> {
  print(`${seconds} s each, ${process.version}${vendor === '' ? '' : `, ${vendor}`}`);
  for (const count of counts) {
    const { latenciesMs, vendorLatenessMs } = await measure(count, seconds, vendor);
    const at = (share: number) => quantile(latenciesMs, share);
    const lateAt = (share: number) => quantile(vendorLatenessMs, share).toFixed(1);
    const ofVendor = vendorLatenessMs.length
      ? ` · of it the emulated vendor: p50 ${lateAt(0.5)} ms, p99 ${lateAt(0.99)} ms`
      : '';
    print(
      `${String(count).padStart(4)} calls  ${latenciesMs.length} answers · ` +
        `p50 ${at(0.5).toFixed(1)} ms · p95 ${at(0.95).toFixed(1)} ms · p99 ${at(0.99).toFixed(1)} ms ` +
        `(${goal(at(0.99), '<', GOAL_MS, ' ms')}) · most ${at(1).toFixed(1)} ms${ofVendor}`,
    );
  }
}

/** What was measured, in milliseconds. */
interface Measured {
  latenciesMs: number[];
  /** How much later than it should the emulated voice sent each first sound: no fault of the service. */
  vendorLatenessMs: number[];
}

async function measure(count: number, seconds: number, name: string): Promise<Measured> {
  const vendor = name === '' ? null : startMeasured('vendor', name);
  const vendorUrl = vendor ? (await answerOf<Address>(vendor)).url : '';
  const server = startMeasured('calls', name, vendorUrl);
  const { url } = await answerOf<Address>(server);
  const delayMs = VOICE_NAMES.includes(name) ? VOICE_DELAY_MS : 0;
  const callers = startMeasured('callers', url, String(count), String(delayMs), name);
  await answerOf(callers);
  await sleep(WARM_UP_MS);
  await report(callers);
  if (vendor) await report(vendor);
  await sleep(seconds * 1000);
  const latenciesMs = await report(callers);
  const vendorLatenessMs = vendor ? await report(vendor) : [];
  const gone = Promise.all([once(callers, 'exit'), once(server, 'exit')]);
  callers.disconnect();
  server.disconnect();
  vendor?.disconnect();
  await gone;
  return { latenciesMs, vendorLatenessMs };
}

/** The milliseconds that a process noted since its last report. */
async function report(child: ChildProcess): Promise<number[]> {
  child.send('report');
  return answerOf<number[]>(child);
}
