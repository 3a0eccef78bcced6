import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Order, Traffic } from './media-generator.js';
import type { Address, Usage } from './media-server.js';
import { answerOf, startMeasured } from './processes.js';

/** Before that the compiler is measured: it takes so long until it has seen every path of a talk often enough. */
export const WARM_UP_MS = 12_000;

/**
 * What is measured: an echo, a relay to a model that speaks, the service, and what is picked instead of it; the service
 * with free speech, and with that of vendors.
 */
export type Kind = 'bare' | 'relay' | 'calls' | 'livekit' | 'free' | 'vendors';

/** A server under load. */
export interface Measured {
  /** Of the server's thread and its helpers, as a share of one core. */
  busy: number;
  cpuMicrosPerFrame: number;
  rssBytes: number;
  jitterP99Ms: number;
  worstJitterP99Ms: number;
  framesPerSecond: number;
  soundPerSecond: number;
}

/** {@link Measured} in a line. */
export function described({
  busy,
  cpuMicrosPerFrame,
  framesPerSecond,
  soundPerSecond,
  jitterP99Ms,
  worstJitterP99Ms,
}: Measured): string {
  return (
    `${millisPerCallSecond(cpuMicrosPerFrame)} ms of processor a call-second (${cpuMicrosPerFrame.toFixed(1)} µs a frame) · ${Math.round(framesPerSecond)} frames/s, ${Math.round(soundPerSecond)} back · ` +
    `jitter p99 ${jitterP99Ms.toFixed(1)} ms (worst second ${worstJitterP99Ms.toFixed(1)}) · core ${Math.round(busy * 100)} % busy`
  );
}

const FRAMES_PER_SECOND = 50;

/** Processor time of a second of a call, which has fifty frames. */
export function millisPerCallSecond(cpuMicrosPerFrame: number): string {
  return ((cpuMicrosPerFrame * FRAMES_PER_SECOND) / 1_000).toFixed(2);
}

/**
 * A server of its own, with so many callers.
 * @param options of the server, behind its kind
 */
export async function measureOnce(
  kind: Kind,
  callers: number,
  seconds: number,
  options: readonly string[] = [],
): Promise<Measured> {
  const [measured] = await measureTogether(kind, 1, callers, seconds, options);
  return measured!;
}

/** Some servers at the same time, each with so many callers. */
export async function measureTogether(
  kind: Kind,
  servers: number,
  callers: number,
  seconds: number,
  options: readonly string[] = [],
): Promise<Measured[]> {
  const opened = await Promise.all(Array.from({ length: servers }, () => open(kind, options)));
  await Promise.all(opened.map(({ generator }) => tell(generator, { callers })));
  const measured = await Promise.all(
    opened.map(({ server, generator }) => measure(server, generator, seconds)),
  );
  await Promise.all(opened.map(({ close }) => close()));
  return measured;
}

/** A server and its generator. */
export async function open(kind: Kind, options: readonly string[] = []) {
  const speech = kind === 'relay' ? startMeasured('speech') : null;
  const speechUrl = speech ? [(await answerOf<Address>(speech)).url] : [];
  const server = startMeasured(kind, ...speechUrl, ...options);
  const { url } = await answerOf<Address>(server);
  const generator = startMeasured('generate', url);
  await answerOf(generator);
  return {
    server,
    generator,
    async close() {
      const children = [generator, server, ...(speech ? [speech] : [])];
      const gone = Promise.all(children.map((child) => once(child, 'exit')));
      for (const child of children) child.disconnect();
      await gone;
    },
  };
}

/** What a server used, and what its callers heard, for so long. */
export async function measure(
  server: ChildProcess,
  generator: ChildProcess,
  seconds: number,
  warmUpMs = WARM_UP_MS,
): Promise<Measured> {
  await sleep(warmUpMs);
  const [before] = await Promise.all([tell<Usage>(server, 'report'), tell<Traffic>(generator, 'report')]);
  await sleep(seconds * 1000);
  const [after, traffic] = await Promise.all([
    tell<Usage>(server, 'report'),
    tell<Traffic>(generator, 'report'),
  ]);
  const cpuMicros = after.cpuMicros - before.cpuMicros;
  return {
    busy: cpuMicros / (seconds * 1_000_000),
    cpuMicrosPerFrame: cpuMicros / traffic.framesSent,
    rssBytes: after.rssBytes,
    jitterP99Ms: traffic.jitterP99Ms,
    worstJitterP99Ms: traffic.worstJitterP99Ms,
    framesPerSecond: traffic.framesSent / seconds,
    soundPerSecond: traffic.framesReceived / seconds,
  };
}

/** Tells a process something; its answer. */
export async function tell<Answer>(child: ChildProcess, order: Order | 'live'): Promise<Answer> {
  child.send(order);
  return answerOf<Answer>(child);
}
