import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#kernel/time/clock.js';
import { encodeUlaw } from '#media/samples/g711.js';
import { createPacingTimer } from '#media/pacing/pacing-timer.js';
import {
  openStream,
  SENTENCE,
  SILENT_FRAME,
  startAttackedService,
  TALKS_ON,
  type AttackedService,
} from '#test/integration/ws/attacked-service.js';
import { callOnce } from '#test/support/call-story.js';
import { startChild } from '#test/support/child.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { createScriptedTts } from '#test/support/scripted-tts.js';
import type { SocketClient } from '#test/support/socket-client.js';
import { rounds } from '#test/support/tier.js';

const CROWD = fileURLToPath(new URL('../../support/silent-crowd.mjs', import.meta.url));
const WANTED = rounds(3_000, 10_000);
/** Files that both processes have open besides. */
const OTHER_FILES = 1_000;
/** When a stranger is told to go, and when one that does not go is cut off: five seconds each. */
const [GOODBYE_MS, END_MS] = [5_000, 10_000];
/** What may come on top of that, beside the time that the machine takes to let all of them in. */
const MOMENT_MS = 2_500;
const LONGEST_GAP_MS = 2_000;
/** Of μ-law. */
const SILENCE = 0xff;
const FRAME_BYTES = 160;
const MEGABYTE = 1024 * 1024;

/** What became of the crowd. */
interface Fate {
  open: number;
  codes: Record<string, number>;
  openingMs: number;
  toGoodbyeMs: number;
  toEndMs: number;
}

let service: AttackedService;
beforeAll(async () => {
  service = await startAttackedService();
});
afterAll(() => service.close());

it(`${WANTED} strangers are sent away in time and keep nobody from talking`, async ({ annotate }) => {
  const count = Math.min(WANTED, openFilesLimit() - OTHER_FILES);
  if (count < WANTED)
    await annotate(`only ${count} strangers: this machine lets a process open no more files`);
  const call = await talkOn();
  const usedBefore = usedBytes();

  const { port } = new URL(service.baseUrl);
  const crowd = startChild(process.execPath, [CROWD, port, String(count)], { cwd: '.' });
  await crowd.prints(/^open /m);
  const another = await openStream(service, await service.announce());
  another.socket.send(SILENT_FRAME);
  await another.until(() => another.received.length > 0);
  another.say({ event: 'stop' });
  const fate = JSON.parse((await crowd.prints(/^gone (.*)$/m))[1]!) as Fate;

  expect(fate).toMatchObject({ open: count, codes: { 1008: count } });
  expect(fate.toGoodbyeMs).toBeLessThan(GOODBYE_MS + fate.openingMs + MOMENT_MS);
  expect(fate.toEndMs).toBeLessThan(END_MS + fate.openingMs + MOMENT_MS);
  expect(new Set(await Promise.all(call.health))).toEqual(new Set([200]));

  const { sentences, longestGapMs } = heard(call.client, call.came);
  expect(longestGapMs).toBeLessThan(LONGEST_GAP_MS);
  // Every frame of every sentence, in its place: none was lost, doubled or broken by silence. The last is being said.
  const sentence = (await spoken()).toString('hex');
  const last = sentences.pop()!;
  expect(sentences.length).toBeGreaterThan(5);
  expect(sentences).toEqual(sentences.map(() => sentence));
  expect(sentence.startsWith(last)).toBe(true);
  expect(service.logLines.filter(({ level }) => level === 'warn' || level === 'error')).toEqual([]);

  call.client.say({ event: 'stop' });
  const ended = await callOnce(service.request, call.callId);
  expect(ended.ended_reason).toBe('customer_hangup');
  await expect.poll(() => service.app.server.websocketServer.clients.size).toBe(0);
  expect(usedBytes() - usedBefore).toBeLessThan(16 * MEGABYTE);
});

/**
 * A call whose agent talks all the time, whose caller's microphone is open, and beside which somebody asks for health.
 */
async function talkOn() {
  const announced = await service.announce(TALKS_ON);
  const client = await openStream(service, announced);
  const came: TxContext[] = [];
  client.socket.on('message', () => came.push({ atMs: performance.now(), workedMs: workedMs() }));
  const health: Promise<number>[] = [];
  const pacingTimer = createPacingTimer({ clock: systemClock, log: createMemoryLog().log });
  let turns = 0;
  const leavePacingTimer = pacingTimer.join(() => {
    client.socket.send(SILENT_FRAME);
    if (++turns % 50 === 0) health.push(fetch(`${service.baseUrl}/health`).then(({ status }) => status));
  });
  onTestFinished(leavePacingTimer);
  await client.until(() => client.received.length > 10);
  return { ...announced, client, came, health };
}

/** When a message came, and how much this process had worked by then. */
interface TxContext {
  atMs: number;
  workedMs: number;
}

/** The time in which a processor was at work for this process, the service's threads among them. */
function workedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * What came: each sentence of the agent, as the bytes between two silences, and the longest time in which nothing did,
 * but for that in which the machine did not let the service work.
 */
function heard(client: SocketClient, came: readonly TxContext[]) {
  const frames = client.texts.flatMap((message) =>
    message['event'] === 'media' ? [(message['media'] as { payload: string }).payload] : [],
  );
  const sentences = frames
    .flatMap((payload) => framesOf(Buffer.from(payload, 'base64')))
    .map((frame) => (frame.every((byte) => byte === SILENCE) ? ' ' : frame.toString('hex')))
    .join('')
    .split(/ +/)
    .filter((sentence) => sentence !== '');
  const gapsMs = came
    .slice(1)
    .map(({ atMs, workedMs }, index) => Math.min(atMs - came[index]!.atMs, workedMs - came[index]!.workedMs));
  return { sentences, longestGapMs: Math.max(...gapsMs) };
}

/** Sound comes in pieces of several frames. */
function framesOf(piece: Buffer): Buffer[] {
  return Array.from({ length: piece.length / FRAME_BYTES }, (_, at) =>
    piece.subarray(at * FRAME_BYTES, (at + 1) * FRAME_BYTES),
  );
}

/** The agent's sentence as μ-law. */
async function spoken(): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const request = { text: SENTENCE, voice: 'slt', language: 'en-US', sampleRateHz: 8_000 } as const;
  for await (const samples of createScriptedTts().speak(request)) {
    const bytes = new Uint8Array(samples.length);
    encodeUlaw(samples, bytes);
    pieces.push(bytes);
  }
  return Buffer.concat(pieces);
}

/** How many files, sockets among them, a process may have open; those that we start may have as many. */
function openFilesLimit(): number {
  const { userLimits } = process.report.getReport() as { userLimits: { open_files: { soft: string } } };
  const limit = Number(userLimits.open_files.soft);
  return Number.isNaN(limit) ? Infinity : limit;
}

/** After a collection. */
function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
