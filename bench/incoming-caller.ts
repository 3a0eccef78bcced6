import { createHmac, randomBytes } from 'node:crypto';
import { Pool } from 'undici';
import { median, quantile } from './figures.js';
import { AUTH_TOKEN, CALLED, DOMAIN } from './incoming-account.js';

export interface CallsOrder {
  origin: string;
  outstanding: number;
  seconds: number;
}

/** What the carrier saw. */
export interface CallsResult {
  perSecond: number;
  p50Ms: number;
  p95Ms: number;
  /** One of the answers. */
  document: string;
}

const FORM = 'application/x-www-form-urlencoded';

/**
 * Announces calls for some seconds, so many at a time, each on a connection of its own. When they are counted their
 * callers hang up: the next round finds an empty service.
 */
export async function callIn({ origin, outstanding, seconds }: CallsOrder): Promise<CallsResult> {
  const pool = new Pool(origin, { connections: outstanding, pipelining: 1 });
  const latenciesMs: number[] = [];
  const sids: string[] = [];
  let document = '';
  const startMs = performance.now();
  const endMs = startMs + seconds * 1_000;
  await atOnce(outstanding, async () => {
    while (performance.now() < endMs) {
      const sid = `CA${randomBytes(16).toString('hex')}`;
      sids.push(sid);
      const request = signed('/webhook/twilio/incoming', { CallSid: sid, CallStatus: 'ringing' });
      const sentMs = performance.now();
      document = await post(pool, request);
      latenciesMs.push(performance.now() - sentMs);
    }
  });
  const tookSeconds = (performance.now() - startMs) / 1_000;
  if (!document.includes('<Connect')) throw new Error(`a caller was turned away: ${document}`);
  await atOnce(outstanding, async () => {
    for (let sid = sids.pop(); sid; sid = sids.pop())
      await post(pool, signed('/webhook/twilio/status', { CallSid: sid, CallStatus: 'completed' }));
  });
  await pool.close();
  const perSecond = latenciesMs.length / tookSeconds;
  return { perSecond, p50Ms: median(latenciesMs), p95Ms: quantile(latenciesMs, 0.95), document };
}

interface Signed {
  path: string;
  body: string;
  signature: string;
}

/** A request as Twilio sends it, made before the clock starts. */
function signed(path: string, said: Record<string, string>): Signed {
  const form = { ...said, From: '+14155550188', To: CALLED, Direction: 'inbound', ApiVersion: '2010-04-01' };
  const fields = Object.entries(form).sort(([a], [b]) => (a < b ? -1 : 1));
  const message = `https://${DOMAIN}${path}${fields.flat().join('')}`;
  const signature = createHmac('sha1', AUTH_TOKEN).update(message).digest('base64');
  return { path, body: new URLSearchParams(form).toString(), signature };
}

async function post(pool: Pool, { path, body, signature }: Signed): Promise<string> {
  const headers = { 'content-type': FORM, 'x-twilio-signature': signature };
  const answer = await pool.request({ method: 'POST', path, headers, body });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
  return text;
}

async function atOnce(count: number, task: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, task));
}
