import { expect, vi } from 'vitest';
import { z } from 'zod';
import { callResource, type CallResource } from '#calls/resources/call-resource.js';
import { callSummary } from '#calls/resources/call-summary.js';
import { transcriptResource } from '#calls/resources/talk-resource.js';
import { PATIENCE_MS } from './patience.js';
import type { VirtualClock } from './virtual-clock.js';

/** The polling interval for the end of a call, in virtual time. */
const END_LOOK_MS = 1_000;

/** Sends an authenticated JSON request to a service, wherever it runs. */
export interface Requests {
  (method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
  /** The service's clock, if virtual. */
  readonly time?: VirtualClock | undefined;
}

/** A transcript entry of the API. */
export type ToldEntry = z.infer<typeof transcriptResource>['transcript'][number];

const accepted = z.object({ call_id: z.string() });

/** The body of a GET, which must match its schema. */
export async function told<Schema extends z.ZodType>(
  request: Requests,
  path: string,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const { status, body } = await request('GET', path);
  expect(status, JSON.stringify(body)).toBe(200);
  return schema.parse(body);
}

/** Places a call with the default agent unless the request names another; returns its id. */
export async function placeCall(request: Requests, wish: Record<string, unknown>): Promise<string> {
  const { status, body } = await request('POST', '/outbound-call', wish);
  expect(status, JSON.stringify(body)).toBe(200);
  return accepted.parse(body).call_id;
}

/** The call once it satisfies `isSo`; by default, once it is over. */
export function callOnce(
  request: Requests,
  callId: string,
  isSo?: (call: CallResource) => boolean,
): Promise<CallResource> {
  const look = async () => {
    const call = await told(request, `/api/calls/${callId}`, callResource);
    if (!(isSo ? isSo(call) : call.ended_at !== null))
      throw new Error(`call ${callId} is ${call.status} and not what is waited for`);
    return call;
  };
  return once(look, request.time, isSo ? undefined : END_LOOK_MS);
}

/** The call once the after-call work is done: analysis and summary, and the recording if there is one. */
export function callWithSummary(
  request: Requests,
  callId: string,
  { isRecorded } = { isRecorded: true },
): Promise<CallResource> {
  return once(
    async () => {
      const { status } = await told(request, `/api/calls/${callId}/summary`, callSummary);
      if (status === 'pending') throw new Error(`call ${callId} has no summary`);
      const recording = await request('GET', `/api/calls/${callId}/recording`);
      if (isRecorded && recording.status !== 200) throw new Error(`call ${callId} has no recording`);
      return told(request, `/api/calls/${callId}`, callResource);
    },
    request.time,
    END_LOOK_MS,
  );
}

/** The transcript of a call, in order. */
export async function transcriptOf(request: Requests, callId: string): Promise<ToldEntry[]> {
  return (await told(request, `/api/calls/${callId}/transcript`, transcriptResource)).transcript;
}

/**
 * The result of `look` once it no longer throws.
 * @param time the clock that passes meanwhile; default real time
 * @param everyMs the polling interval in virtual time
 */
export function once<Found>(
  look: () => Found | Promise<Found>,
  time?: VirtualClock,
  everyMs?: number,
): Promise<Found> {
  return time ? time.until(look, everyMs) : vi.waitFor(look, { timeout: PATIENCE_MS, interval: 50 });
}

/** Words in lower case without punctuation, for comparisons. */
export function wordsOf(text: string): string {
  return (text.toLowerCase().match(/[a-z']+/g) ?? []).join(' ');
}
