import { once } from 'node:events';
import { goal, median, print } from './figures.js';
import { described, measureOnce } from './media-measure.js';
import { serveCalls, type Address } from './media-server.js';
import { answerOf, startMeasured } from './processes.js';
import { recogniserAt, voiceAt } from './vendors.js';

const GOAL_RATIO = 1.5;
/** Every recogniser that is streamed to, with a voice over sockets. */
const PAIRS: readonly (readonly [recogniser: string, voice: string])[] = [
  ['nova-3', 'Cartesia'],
  ['flux-general-en', 'Deepgram Flux'],
  ['universal-3-5-pro', 'Cartesia'],
  ['scribe_v2_realtime', 'ElevenLabs over sockets'],
  ['gpt-realtime-whisper', 'ElevenLabs over sockets'],
];

/** Emulated voices speak so long for each character. */
const MS_PER_CHARACTER = 60;

/** A word of six letters that no other turn has: a sentence that was said before would be at hand. */
function wordOf(call: number, turn: number): string {
  let rest = call * 1_000 + turn;
  const letter = (letters: string) => {
    const at = rest % letters.length;
    rest = Math.floor(rest / letters.length);
    return letters[at]!;
  };
  const syllable = () => letter('bdfgjklmnprstvz') + letter('aeiou');
  return syllable() + syllable() + syllable();
}

const sentencesOf = (word: string) => [
  `This takes two and a half seconds ${word}.`,
  `And as long as that is the second ${word}.`,
];

/** Both sentences are of one length, whatever their word is. */
const sentenceMs = (sentencesOf('bababa').join('').length / 2) * MS_PER_CHARACTER;

const answer = {
  text: (call: number, turn: number) => sentencesOf(wordOf(call, turn)).join(' '),
  sentenceMs,
};

/** Calls whose recogniser and voice cost nothing, and that speak for as long as those of vendors. */
export async function serveWithFreeSpeech(): Promise<void> {
  await serveCalls(answer);
}

/** A recogniser and a voice, with where their vendors are. */
interface Pair {
  recogniser: string;
  recogniserUrl: string;
  voice: string;
  voiceUrl: string;
}

/** Calls that hear and speak through the adapters of vendors. */
export async function serveWithVendors({ recogniser, recogniserUrl, voice, voiceUrl }: Pair): Promise<void> {
  await serveCalls({
    ...answer,
    recogniser: recogniserAt(recogniser, recogniserUrl),
    voice: voiceAt(voice, voiceUrl),
  });
}

/**
 * What sockets to vendors cost a call: the same calls, in turn with free speech. Vendors are processes of their own;
 * only the time of the service counts.
 * @param named the recogniser of one pair; all of them unless said
 */
export async function compareVendors(
  callers: number,
  seconds: number,
  rounds: number,
  named?: string,
): Promise<void> {
  print(`${callers} calls, ${seconds} s, ${rounds} rounds, ${process.version}`);
  const pairs = PAIRS.filter(([recogniser]) => named === undefined || recogniser === named);
  for (const pair of pairs) await comparePair(pair, { callers, seconds, rounds });
}

async function comparePair(
  [recogniser, voice]: readonly [string, string],
  { callers, seconds, rounds }: { callers: number; seconds: number; rounds: number },
): Promise<void> {
  const vendors = [recogniser, voice].map((name) => startMeasured('vendor', name));
  const addresses = await Promise.all(vendors.map((vendor) => answerOf<Address>(vendor)));
  const [recogniserUrl, voiceUrl] = addresses.map(({ url }) => url) as [string, string];
  const ratios: number[] = [];
  print(`${recogniser} and ${voice}`);
  for (let round = 0; round < rounds; round += 1) {
    const free = await measureOnce('free', callers, seconds);
    const calls = await measureOnce('vendors', callers, seconds, [
      recogniser,
      recogniserUrl,
      voice,
      voiceUrl,
    ]);
    print(`  free     ${described(free)}`);
    print(`  vendors  ${described(calls)}`);
    ratios.push(calls.cpuMicrosPerFrame / free.cpuMicrosPerFrame);
  }
  const ratio = median(ratios);
  const all = ratios.map((one) => one.toFixed(2)).join(', ');
  print(
    `  ratio    ${ratio.toFixed(2)} × free speech (median; ${goal(ratio, '≤', GOAL_RATIO)}); rounds ${all}`,
  );
  const gone = Promise.all(vendors.map((vendor) => once(vendor, 'exit')));
  for (const vendor of vendors) vendor.disconnect();
  await gone;
}
