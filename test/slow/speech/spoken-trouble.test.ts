import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOnce, placeCall, wordsOf, type ToldEntry } from '#test/support/call-story.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';
import { hasJudge, hearSamples, wordErrorRate } from '#test/support/judge.js';
import { drawn } from '#test/support/tier.js';
import { VirtualClock } from '#test/support/virtual-clock.js';
import { loudStretches, readStereoWav, spanned, type StereoSound, type Stretch } from '#test/support/wav.js';
import { personaAt, storyOf, type Story } from '#test/e2e/sandbox-calls.js';

const INTERRUPTS = '+15550100011';
const IN_A_CAR = '+15550100016';
const BAD_CONNECTION = '+15550100018';
/** One of the two lines with trouble in each run: their calls last for minutes. */
const CALLED: readonly string[] = [INTERRUPTS, ...drawn(1, [IN_A_CAR, BAD_CONNECTION])];
const TOLERANCE_MS = 150;
/** What the recogniser hears before and after a sentence. */
const MARGIN_MS = 300;
/** Words are kept apart by less than this, sentences of two turns by more. */
const PAUSE_MS = 400;
/** In the car, whose noise is −33 dBFS and has peaks: louder than most of them, and none of them joined to a word. */
const IN_NOISE = { pauseMs: 60, loudRms: 1_250 };
/** Lost packets cost the recogniser whole words: half of them are left, and of other sound none would be. */
const MOST_WORD_ERRORS = { customer: 0.25, brokenCustomer: 0.5, noisyCustomer: 0.7, agent: 0.35 };

/** Two questions by the clearer voice, in words that every dictionary has. */
const SHORT_AGENT = {
  name: 'Front desk',
  voice: 'rms',
  initial_message: 'Hello, this is the dental clinic. Do you have a minute?',
  playbook: {
    start: 'minute',
    steps: {
      minute: {
        kind: 'ask',
        text: '{{initial_message}}',
        expect: { kind: 'yes_no' },
        answers: { yes: 'coming', no: 'goodbye' },
        otherwise: 'goodbye',
      },
      coming: {
        kind: 'ask',
        text: 'Will you come to your appointment tomorrow morning?',
        expect: { kind: 'yes_no' },
        answers: { yes: 'goodbye', no: 'goodbye' },
        otherwise: 'goodbye',
      },
      goodbye: { kind: 'end', text: 'Thank you very much. Goodbye.', resolution_achieved: true },
    },
  },
};

interface Talk {
  story: Story;
  sound: StereoSound;
  customer: Stretch[];
  agent: Stretch[];
}

let service: TestService;
let interrupted: Talk;
let noisy: Talk;
let broken: Talk;

beforeAll(async () => {
  service = await buildTestService({ time: new VirtualClock() });
  const { body } = await service.request('POST', '/api/agents', SHORT_AGENT);
  const call = async (to_number: string) => {
    const id = await placeCall(service.request, { to_number, agent_id: (body as { id: string }).id });
    // Who talks picks up a moment after the one before: people do not speak in chorus.
    await callOnce(service.request, id, ({ status }) => status === 'active');
    return id;
  };
  const ids: (readonly [number: string, id: string])[] = [];
  for (const number of CALLED) ids.push([number, await call(number)]);
  const talks = ids.map(
    async ([number, id]) => [number, await talkOf(id, number === IN_A_CAR ? IN_NOISE : {})] as const,
  );
  const talkTo = new Map(await Promise.all(talks));
  interrupted = talkTo.get(INTERRUPTS)!;
  noisy = talkTo.get(IN_A_CAR)!;
  broken = talkTo.get(BAD_CONNECTION)!;
});

afterAll(() => service?.close());

async function talkOf(
  id: string,
  { pauseMs = PAUSE_MS, loudRms }: { pauseMs?: number; loudRms?: number } = {},
): Promise<Talk> {
  const story = await storyOf(service, id);
  const sound = readStereoWav(Buffer.from(await (await fetch(story.call.recording_url!)).arrayBuffer()));
  return {
    story,
    sound,
    customer: loudStretches(sound.customer, sound.sampleRateHz, pauseMs, loudRms),
    agent: loudStretches(sound.agent, sound.sampleRateHz, PAUSE_MS),
  };
}

function saidBy({ story }: Talk, speaker: ToldEntry['speaker']): ToldEntry[] {
  return story.entries.filter((entry) => entry.speaker === speaker);
}

/** All words that the transcript tells of a side are to be heard on its channel, from then to then. */
function expectHeardInTime(talk: Talk, speaker: ToldEntry['speaker']): void {
  for (const { start_ms: fromMs, end_ms: toMs, text } of saidBy(talk, speaker)) {
    if (text === '[not understood]') continue;
    const heard = spanned(talk[speaker], { fromMs, toMs })!;
    expect(Math.abs(heard.fromMs - fromMs), `start of "${text}"`).toBeLessThanOrEqual(TOLERANCE_MS);
    expect(Math.abs(heard.toMs - toMs), `end of "${text}"`).toBeLessThanOrEqual(TOLERANCE_MS);
  }
}

/** What a persona says in its first turns, as words. */
function linesOf(number: string, count: number): string {
  const lines = personaAt(number).script.steps.map(({ action }) =>
    action.kind === 'say' ? wordsOf(action.text) : '',
  );
  return lines.slice(0, count).join(' ');
}

describe('a call in which the customer cuts the agent short', () => {
  it('is told as it was heard: the sentence up to the cut, then what the customer said over it', () => {
    const { entries } = interrupted.story;
    const at = entries.findIndex((entry) => entry.speaker === 'agent' && entry.interrupted);
    const [cut, answer] = [entries[at]!, entries[at + 1]!];
    const { text } = SHORT_AGENT.playbook.steps.coming;
    expect(text.startsWith(cut.text), cut.text).toBe(true);
    expect(cut.text.length).toBeLessThan(text.length);
    expect(answer.speaker).toBe('customer');
    expect(answer.start_ms).toBeLessThanOrEqual(cut.end_ms + TOLERANCE_MS);
  });

  it('is recorded so: the agent falls silent soon after the customer began, and both are heard at their times', () => {
    const cut = saidBy(interrupted, 'agent').find((entry) => entry.interrupted)!;
    const began = interrupted.customer.find(({ toMs }) => toMs > cut.start_ms)!;
    const fellSilent = interrupted.agent.find(({ toMs }) => toMs > began.fromMs)!;
    expect(fellSilent.toMs - began.fromMs).toBeLessThanOrEqual(500);
    expectHeardInTime(interrupted, 'agent');
    expectHeardInTime(interrupted, 'customer');
  });

  it('ends well', () => {
    expect(interrupted.story.call).toMatchObject({ status: 'completed', ended_reason: 'agent_hangup' });
    expect(interrupted.story.call.metrics.resolution_achieved).toBe(true);
  });
});

describe.runIf(CALLED.includes(IN_A_CAR))('a call from a moving car', () => {
  it('is noisy all the time, which nobody takes for words', () => {
    const { sound, story } = noisy;
    const said = saidBy(noisy, 'customer');
    // So much noise makes some answers unclear: they are asked for again.
    expect(wordsOf(said.find(({ text }) => text !== '[not understood]')!.text)).toContain('yes');
    const [first] = said as [(typeof said)[number]];
    const before = sound.customer.subarray(8 * 1_000, 8 * (first.start_ms - 500));
    const rms = Math.sqrt(before.reduce((sum, one) => sum + one * one, 0) / before.length);
    expect(20 * Math.log10(rms / 32_767)).toBeCloseTo(-33, -1);
    expect(story.call).toMatchObject({ status: 'completed', ended_reason: 'agent_hangup' });
  });

  it('has both sides at the times of the transcript', () => {
    expectHeardInTime(noisy, 'agent');
    expectHeardInTime(noisy, 'customer');
  });
});

describe.runIf(CALLED.includes(BAD_CONNECTION))('a call on a bad connection', () => {
  it('is understood, and known for what it is', () => {
    const { call } = broken.story;
    expect(call).toMatchObject({ status: 'completed', ended_reason: 'agent_hangup' });
    expect(call.metrics.resolution_achieved).toBe(true);
    expect(call.metrics.audio_quality).toBeLessThan(interrupted.story.call.metrics.audio_quality);
  });

  it('has both sides at the times of the transcript, whatever was lost, late or swapped', () => {
    expectHeardInTime(broken, 'agent');
    expectHeardInTime(broken, 'customer');
  });
});

/** Listening takes ten seconds for each of them. */
const FOLLOWED = [
  ['cut short', () => interrupted, INTERRUPTS, 'customer'],
  ['from a moving car', () => noisy, IN_A_CAR, 'noisyCustomer'],
  ['on a bad connection', () => broken, BAD_CONNECTION, 'brokenCustomer'],
] as const;

describe.skipIf(!hasJudge)('an independent recogniser', () => {
  it.each(
    drawn(
      1,
      FOLLOWED.filter(([, , number]) => CALLED.includes(number)),
    ),
  )('hears in a call %s what its transcript tells', (_, talk, number, kind) =>
    expectFollowed(talk(), number, kind),
  );
});

/** An independent recogniser hears on both channels what the script of the persona and the transcript say. */
async function expectFollowed(
  talk: Talk,
  number: string,
  kind: Exclude<keyof typeof MOST_WORD_ERRORS, 'agent'>,
): Promise<void> {
  const customer = await hearSide(talk, 'customer');
  const lines = linesOf(number, saidBy(talk, 'customer').length);
  expect(wordErrorRate(lines, customer), customer).toBeLessThanOrEqual(MOST_WORD_ERRORS[kind]);
  const agent = await hearSide(talk, 'agent');
  const told = saidBy(talk, 'agent').map(({ text }) => text);
  expect(wordErrorRate(told.join(' '), agent), agent).toBeLessThanOrEqual(MOST_WORD_ERRORS.agent);
}

/** What is heard on a channel while its side speaks: listening to minutes of noise would take minutes. */
async function hearSide({ sound, story }: Talk, speaker: ToldEntry['speaker']): Promise<string> {
  const perMs = sound.sampleRateHz / 1000;
  const spoken = story.entries
    .filter((entry) => entry.speaker === speaker)
    .flatMap((entry) => [
      ...sound[speaker].subarray(
        Math.max(0, (entry.start_ms - MARGIN_MS) * perMs),
        (entry.end_ms + MARGIN_MS) * perMs,
      ),
    ]);
  return (await hearSamples(Int16Array.from(spoken), sound.sampleRateHz))!;
}
