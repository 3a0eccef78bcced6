import type { LiveEvent } from '#calls/live/sessions/live-call.js';
import { sleep, type Clock } from '#kernel/time/clock.js';

// The demonstration: one call on the sandbox network (a simulated carrier with simulated callees), printed as it is
// spoken. It uses the HTTP API, as a customer's program does.

/** The number of the persona that the demonstration calls: it talks and confirms (docs/sandbox.md). */
const DEMO_NUMBER = '+15550100001';
const DEMO_CALL = { to_number: DEMO_NUMBER, customer_data: { name: 'Ada' } };
/** The agent of a demonstration with a language model; created once and found again by its name. */
const DEMO_AGENT = {
  name: 'Demonstration with a language model',
  initial_message:
    'Hello {{name}}, this is the Callwright sandbox clinic, calling about your appointment tomorrow at ten. ' +
    'Is this a good time to talk?',
  system_prompt:
    'You call a patient of a clinic about an appointment tomorrow at ten. Ask, one question after the other: whether ' +
    'they will come; whether they prefer the morning or the afternoon for their next visit; whether they want a text ' +
    'message as a reminder. Then sum up in one sentence, say goodbye, and end the call.',
};
/** The interval of polling the call in case an event is missed. */
const POLL_MS = 10_000;
/** The interval of polling the summary, and the call after the event of its end. */
const SUMMARY_POLL_MS = 250;
/** How long the demonstration waits for the summary. */
const SUMMARY_TIMEOUT_MS = 20_000;

type CallListener = (callId: string, event: LiveEvent) => void;

/** The service and the terminal of a demonstration. */
export interface DemoContext {
  /** Address of the service, such as `http://127.0.0.1:8010`. */
  baseUrl: string;
  apiKey: string;
  /** Subscribes to the live calls of this process. */
  subscribe(listener: CallListener): () => void;
  print(line: string): void;
  clock: Clock;
  /** True if the service continues to run, so that its links can be opened. */
  stays: boolean;
  /** Ends the demonstration early. */
  signal: AbortSignal;
}

/** The fields of a call that the demonstration uses. */
interface CallFacts {
  status: string;
  duration: number;
  ended_at: string | null;
  ended_reason: string | null;
  recording_url: string | null;
}

/**
 * Places one call on the sandbox network by the API, and prints both sides as they speak. Used by `demo` and `serve`.
 */
export async function runDemo(parts: DemoContext): Promise<void> {
  const { print, clock, signal, stays } = parts;
  const model = await configuredModel(parts);
  const talker = model ? `, by ${model.name} (${model.default_model})` : '';
  print(
    `  A call to ${DEMO_NUMBER} on the sandbox network${talker}, as it is spoken (DEMO=off turns this off):\n`,
  );
  const talk = printTalk(parts);
  let callId: string | null = null;
  try {
    const placed = await request<{ call_id: string }>(parts, 'POST', '/outbound-call', {
      ...DEMO_CALL,
      ...(model && { agent_id: await demoAgent(parts, model) }),
    });
    callId = placed.call_id;
    talk.follow(callId);
    const call = await waitForEnd(parts, callId, talk.over);
    if (!call) return;
    print(`\n  The call is ${call.status} (${call.ended_reason}) after ${call.duration} s.`);
    const summary = await summaryOf(parts, callId, clock.monotonicMs() + SUMMARY_TIMEOUT_MS);
    if (summary) print(`  Summary    ${summary}`);
    if (call.recording_url && stays) print(`  Recording  ${call.recording_url}`);
    print('');
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    talk.stop();
    if (callId && signal.aborted) await hangUp(parts, callId);
  }
}

/** A language model, as `GET /api/providers` lists it. */
interface ListedModel {
  name: string;
  configured: boolean;
  default_model?: string | null;
  needs_url?: boolean;
}

/** The first configured language model that needs no more than its name: it has a default model and a known server. */
async function configuredModel(parts: DemoContext): Promise<ListedModel | null> {
  const { ai } = await request<{ ai: ListedModel[] }>(parts, 'GET', '/api/providers');
  const isReady = ({ configured, default_model: model, needs_url: needsUrl }: ListedModel) =>
    configured && typeof model === 'string' && needsUrl !== true;
  return ai.find(isReady) ?? null;
}

/** The id of the demonstration's agent, created or updated to talk with this model. */
async function demoAgent(parts: DemoContext, model: ListedModel): Promise<string> {
  const wanted = { ...DEMO_AGENT, ai_provider: model.name };
  const path = `/api/agents?q=${encodeURIComponent(DEMO_AGENT.name)}`;
  const { data } = await request<{ data: { id: string; name: string }[] }>(parts, 'GET', path);
  const existing = data.find(({ name }) => name === DEMO_AGENT.name);
  const saved = existing
    ? request<{ id: string }>(parts, 'PUT', `/api/agents/${existing.id}`, wanted)
    : request<{ id: string }>(parts, 'POST', '/api/agents', wanted);
  return (await saved).id;
}

/** Ends the call of a demonstration that is ended early. */
async function hangUp(parts: DemoContext, callId: string): Promise<void> {
  const { signal } = new AbortController();
  await request({ ...parts, signal }, 'POST', `/api/calls/${callId}/disconnect`);
}

/** The printing of a call's talk. */
interface TalkPrinter {
  follow(callId: string): void;
  stop(): void;
  /** Aborts when the call is over, or the demonstration is ended early. */
  readonly over: AbortSignal;
}

/** Prints the talk of one call. Events that arrive before the id of the call is known are held. */
function printTalk({ subscribe, print, signal }: DemoContext): TalkPrinter {
  const callOver = new AbortController();
  const earlyEvents: Parameters<CallListener>[] = [];
  let followed: string | null = null;
  const show: CallListener = (callId, event) => {
    if (followed === null) earlyEvents.push([callId, event]);
    else if (callId === followed) printEvent(event, print);
    if (callId === followed && event.type === 'call.ended') callOver.abort();
  };
  const stop = subscribe(show);
  return {
    follow(callId) {
      followed = callId;
      for (const [earlyId, event] of earlyEvents.splice(0)) show(earlyId, event);
    },
    stop,
    over: AbortSignal.any([callOver.signal, signal]),
  };
}

/** Prints an event of the call: that it was answered, or what was said. */
function printEvent(event: LiveEvent, print: (line: string) => void): void {
  if (event.type === 'session.started') print('  0:00:00  answered');
  if (event.type !== 'transcript.final') return;
  const speaker = event.speaker === 'agent' ? 'Agent   ' : 'Customer';
  print(`  ${event.timestamp}  ${speaker}  ${event.text}`);
}

/** The finished call; null if the demonstration was ended early. */
async function waitForEnd(parts: DemoContext, callId: string, over: AbortSignal): Promise<CallFacts | null> {
  for (;;) {
    const call = await request<CallFacts>(parts, 'GET', `/api/calls/${callId}`);
    if (call.ended_at !== null) return call;
    if (parts.signal.aborted) return null;
    // After the event of the end, the row changes a moment later: it is polled quickly.
    await sleep(parts.clock, over.aborted ? SUMMARY_POLL_MS : POLL_MS, over.aborted ? parts.signal : over);
  }
}

/** The summary of a call, polled until it is written; null after the time limit. */
async function summaryOf(parts: DemoContext, callId: string, giveUpAtMs: number): Promise<string | null> {
  while (parts.clock.monotonicMs() < giveUpAtMs && !parts.signal.aborted) {
    const answer = await request<{ status: string; summary: string | null }>(
      parts,
      'GET',
      `/api/calls/${callId}/summary`,
    );
    if (answer.status !== 'pending') return answer.summary;
    await sleep(parts.clock, SUMMARY_POLL_MS, parts.signal);
  }
  return null;
}

/** Sends a request to the API. @throws Error for an error response */
async function request<Answer>(
  parts: DemoContext,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await fetch(parts.baseUrl + path, {
    method,
    headers: { 'x-api-key': parts.apiKey, ...(body ? { 'content-type': 'application/json' } : {}) },
    signal: parts.signal,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer = (await response.json()) as { message?: string };
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${answer.message}`);
  return answer as Answer;
}
