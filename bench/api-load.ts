import { Pool } from 'undici';
import { median, quantile } from './figures.js';

/** Where load goes to, and what it says. */
export interface Target {
  origin: string;
  path: string;
  apiKey: string;
  /** The body of every request, as text with `{{number}}` where each has a number of its own. */
  body: string;
}

export interface LoadOrder {
  target: Target;
  outstanding: number;
  seconds: number;
}

/** What the client saw. */
export interface LoadResult {
  answered: number;
  seconds: number;
  latencyP50Ms: number;
  latencyP99Ms: number;
  /** Share of the time in which the client itself was not idle: near 1 it was the client that set the pace. */
  clientUtilization: number;
}

/** Keeps `outstanding` requests under way for some seconds, each on a connection of its own, and waits for the last. */
export async function load({ target, outstanding, seconds }: LoadOrder): Promise<LoadResult> {
  const pool = new Pool(target.origin, { connections: outstanding, pipelining: 1 });
  const latenciesMs: number[] = [];
  const idleBefore = performance.eventLoopUtilization();
  const startMs = performance.now();
  const endMs = startMs + seconds * 1_000;
  let sent = 0;
  const keepAsking = async () => {
    while (performance.now() < endMs) {
      const sentMs = performance.now();
      await post(pool, target, sent++);
      latenciesMs.push(performance.now() - sentMs);
    }
  };
  await Promise.all(Array.from({ length: outstanding }, keepAsking));
  const clientUtilization = performance.eventLoopUtilization(idleBefore).utilization;
  const tookSeconds = (performance.now() - startMs) / 1_000;
  await pool.close();
  return {
    answered: latenciesMs.length,
    seconds: tookSeconds,
    clientUtilization,
    latencyP50Ms: median(latenciesMs),
    latencyP99Ms: quantile(latenciesMs, 0.99),
  };
}

/**
 * One request by undici's leanest way, so that the client takes little of the machine; anything but 201 is a failure.
 */
function post(pool: Pool, { path, apiKey, body }: Target, number: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let status = 0;
    const parts: Buffer[] = [];
    pool.dispatch(
      {
        method: 'POST',
        path,
        headers: ['content-type', 'application/json', 'x-api-key', apiKey],
        body: body.replace('{{number}}', subscriberOf(number)),
      },
      {
        onRequestStart() {},
        onResponseStart(_controller, statusCode) {
          status = statusCode;
        },
        onResponseData(_controller, part) {
          if (status !== 201) parts.push(part);
        },
        onResponseEnd() {
          if (status === 201) resolve();
          else reject(new Error(`${path} answered ${status}: ${Buffer.concat(parts).toString()}`));
        },
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}

/** Seven digits as the North American plan assigns them: none begins with 0 or 1. */
function subscriberOf(number: number): string {
  return String(2_000_000 + (number % 8_000_000));
}
