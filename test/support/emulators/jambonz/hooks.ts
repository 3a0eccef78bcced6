import { createHmac } from 'node:crypto';
import { sleep, type Clock } from '../../../../src/kernel/clock.js';
import type { EmulatorLog } from '../emulator-log.js';
import type { PendingWork } from '../pending-work.js';
import type { Faults, Purpose } from '../faults.js';
import type { ServiceAnswer, WebhookSender } from '../webhook-sender.js';

/** A webhook as the API names it. */
export interface Hook {
  url: string;
  method: 'GET' | 'POST';
}

export interface HookParts {
  clock: Clock;
  webhookSecret: string;
  sender: WebhookSender;
  log: EmulatorLog;
  pending: PendingWork;
  faults: Faults;
  /** Aborted when the carrier closes: what is on its way does not arrive any more. */
  closing: AbortSignal;
}

/** `Jambonz-Signature`. Source: jambonz, "Securing webhooks". */
export function signatureOf(secret: string, timeSeconds: number, body: string): string {
  const hex = createHmac('sha256', secret).update(`${timeSeconds}.${body}`).digest('hex');
  return `t=${timeSeconds},v1=${hex}`;
}

/**
 * The requests that are made of the service for one call: one after the other, so that without faults they arrive in
 * the order of what happened. A delayed one steps aside.
 */
export class Hooks {
  readonly #parts: HookParts;
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: HookParts) {
    this.#parts = parts;
  }

  /** Sends what is known of a call when those before it are answered; null when there is no answer. */
  send(
    purpose: Purpose,
    hook: Hook,
    payload: Readonly<Record<string, unknown>>,
  ): Promise<ServiceAnswer | null> {
    const { clock, faults, pending, closing } = this.#parts;
    const [callSid, to, status] = ['call_sid', 'to', 'call_status'].map((name) => String(payload[name]));
    const { copies, delayMs } = faults.travelOf({ purpose, callSid: callSid!, to: to!, status: status! });
    const deliver = () => this.#deliver(purpose, hook, payload, copies);
    if (delayMs > 0) return sleep(clock, delayMs, closing).then(() => pending.during(deliver()));
    const answer = pending.during(this.#last.then(deliver));
    this.#last = answer;
    return answer;
  }

  async #deliver(
    purpose: Purpose,
    hook: Hook,
    payload: Readonly<Record<string, unknown>>,
    copies: number,
  ): Promise<ServiceAnswer | null> {
    const { log } = this.#parts;
    const form = Object.fromEntries(
      Object.entries(payload).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );
    const callSid = String(payload['call_sid']);
    let answer: ServiceAnswer | null = null;
    for (let copy = 0; copy < copies && !this.#parts.closing.aborted; copy++) {
      answer = await this.#insist(hook, payload);
      log.add({ kind: 'sent', purpose, callSid, url: hook.url, form, status: answer?.status ?? null });
      // jambonz takes these three, and throws at any other.
      if (!answer || ![200, 202, 204].includes(answer.status))
        log.complain(answer?.status ?? 0, `${purpose}: the service answered ${answer?.status ?? 'nothing'}`);
    }
    return answer;
  }

  /** Tries again what has failed, as the fragment of the address asks for. */
  async #insist(hook: Hook, payload: object): Promise<ServiceAnswer | null> {
    const asked = new URLSearchParams(new URL(hook.url).hash.slice(1));
    const repeated = (asked.get('rp') ?? 'ct').split(',');
    let answer: ServiceAnswer | null = null;
    for (let tries = 0; tries <= Number(asked.get('rc') ?? 0); tries++) {
      answer = await this.#try(hook, payload);
      const failure = answer === null ? 'ct' : `${Math.floor(answer.status / 100)}xx`;
      if (!repeated.includes(failure)) break;
    }
    return answer;
  }

  async #try({ url, method }: Hook, payload: object): Promise<ServiceAnswer | null> {
    const { clock, webhookSecret, sender } = this.#parts;
    const body = JSON.stringify(payload);
    const timeSeconds = Math.floor(clock.wallMs() / 1_000);
    const headers = {
      'content-type': 'application/json',
      'jambonz-signature': signatureOf(webhookSecret, timeSeconds, body),
    };
    return sender.send({ method, url, headers, body }).catch(() => null);
  }
}
