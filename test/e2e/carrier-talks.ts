import { expect } from 'vitest';
import { recordingResource } from '#calls/resources/recording-resource.js';
import {
  callOnce,
  callWithSummary,
  told,
  transcriptOf,
  wordsOf,
  type ToldEntry,
} from '#test/support/call-story.js';
import type { TestService } from '#test/support/test-service.js';
import { keptEvents } from '#test/support/kept-events.js';
import { SHORT_AGENT } from '#test/support/short-talk.js';
import { soundFile } from '#test/support/sound-file.js';
import { loudStretches, readStereoWav } from '#test/support/wav.js';

const { thanks, goodbye } = SHORT_AGENT.playbook.steps;
const QUESTION = 'Shall we call you tomorrow?';

/** Agents with one question, so that a whole call takes a few seconds. */
export const AGENTS = {
  asks: { ...SHORT_AGENT, initial_message: QUESTION },
  asksAtLength: {
    ...SHORT_AGENT,
    initial_message: `This is the dental clinic that you have asked for an appointment as soon as there is one. ${QUESTION}`,
  },
  books: agent({
    day: {
      kind: 'ask',
      text: 'On which day?',
      expect: { kind: 'date' },
      save_as: 'day',
      next: 'thanks',
      otherwise: 'goodbye',
    },
    thanks,
    goodbye,
  }),
} as const;

/** One that asks whether to connect the caller, and joins the line of a colleague who agrees. */
export function agentWhoJoins(to: string) {
  return agent({
    wish: {
      kind: 'ask',
      text: 'Shall I connect you?',
      expect: { kind: 'yes_no' },
      answers: { yes: 'desk', no: 'goodbye' },
      otherwise: 'goodbye',
    },
    desk: { kind: 'transfer', mode: 'warm', text: 'One moment.', to, otherwise: 'goodbye' },
    goodbye,
  });
}

function agent(steps: Record<string, object>) {
  const [start] = Object.keys(steps);
  return { name: 'Front desk', voice: 'rms', playbook: { start, steps } };
}

/** What those on the phone say to these agents, one sentence after each turn of the agent. */
export async function sentences() {
  const [accepts, declines, name, day] = await Promise.all([
    soundFile('yes-please.wav'),
    soundFile('i-would-rather-not.wav'),
    soundFile('my-name-is-anna-keller.wav'),
    soundFile('june-the-third.wav'),
  ]);
  return { accepts: [accepts], declines: [declines], tellsName: [name], tellsDay: [day] };
}

/** What a call has come to, and the one event that says so. */
export interface Outcome {
  status: string;
  ended_reason: string;
  event: 'call.completed' | 'call.failed' | 'call.missed';
}

const TALKED: Outcome = { status: 'completed', ended_reason: 'agent_hangup', event: 'call.completed' };
const ENDS: ReadonlySet<string> = new Set(['call.completed', 'call.failed', 'call.missed']);

/** The call ends like this, and that is told once. */
export async function expectEnd(service: TestService, callId: string, outcome: Outcome): Promise<void> {
  const { event, ...end } = outcome;
  expect(await callOnce(service.request, callId)).toMatchObject(end);
  const types = keptEvents(service.dataDir, callId).map(({ event_type }) => event_type);
  expect(types.filter((type) => ENDS.has(type))).toEqual([event]);
}

/** Who said what: `agent: thank you`, or a pattern. */
export type Lines = readonly (string | RegExp)[];

/**
 * The call was talked through and recorded, both sides can be heard in the recording, and what is written down is what
 * was said; returns it.
 */
export async function expectTalk(
  service: TestService,
  callId: string,
  expected: { provider: string; isResolved: boolean; lines: Lines },
): Promise<ToldEntry[]> {
  await expectEnd(service, callId, TALKED);
  const { provider, isResolved, lines } = expected;
  expect(await callWithSummary(service.request, callId)).toMatchObject({
    provider,
    error: null,
    metrics: { resolution_achieved: isResolved },
  });
  const entries = await transcriptOf(service.request, callId);
  const said = entries.map(({ speaker, text }) => `${speaker}: ${wordsOf(text)}`);
  expect(said).toEqual(lines.map((line) => (line instanceof RegExp ? expect.stringMatching(line) : line)));
  for (const { start_ms, end_ms } of entries) expect(end_ms).toBeGreaterThan(start_ms);
  await expectRecording(service, callId);
  return entries;
}

async function expectRecording(service: TestService, callId: string): Promise<void> {
  const recording = await told(service.request, `/api/calls/${callId}/recording`, recordingResource);
  const { pathname, search } = new URL(recording.recording_url);
  const { statusCode, rawPayload } = await service.app.server.inject({ url: `${pathname}${search}` });
  expect(statusCode).toBe(200);
  const { sampleRateHz, durationMs, saidDurationMs, ...sides } = readStereoWav(rawPayload);
  expect(saidDurationMs).toBe(durationMs);
  for (const side of [sides.customer, sides.agent])
    expect(loudStretches(side, sampleRateHz).length).toBeGreaterThan(0);
}
