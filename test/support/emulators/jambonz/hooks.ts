import { createHmac } from 'node:crypto';
import type { Purpose } from '#test/support/emulators/faults.js';
import { RequestTurns, type RequestParts } from '#test/support/emulators/request-turns.js';
import type { ServiceAnswer, WebhookSender } from '#test/support/emulators/webhook-sender.js';

/** A webhook in the form of the API. */
export interface Hook {
  url: string;
  method: 'GET' | 'POST';
}

export interface HookParts extends RequestParts {
  webhookSecret: string;
  sender: WebhookSender;
}

/** `Jambonz-Signature`. Source: jambonz, "Securing webhooks". */
export function signatureOf(secret: string, timeSeconds: number, body: string): string {
  const hex = createHmac('sha256', secret).update(`${timeSeconds}.${body}`).digest('hex');
  return `t=${timeSeconds},v1=${hex}`;
}

/** The requests to the service for one call. */
export class Hooks {
  readonly #parts: HookParts;
  readonly #turns: RequestTurns;

  constructor(parts: HookParts) {
    this.#parts = parts;
    this.#turns = new RequestTurns(parts);
  }

  /** Sends the state of a call after earlier requests were answered; null if there is no answer. */
  send(
    purpose: Purpose,
    hook: Hook,
    payload: Readonly<Record<string, unknown>>,
  ): Promise<ServiceAnswer | null> {
    const [callSid, to, status] = ['call_sid', 'to', 'call_status'].map((name) => String(payload[name]));
    const about = { purpose, callSid: callSid!, to: to!, status: status! };
    const travel = this.#parts.faults.travelOf(about);
    return this.#turns.take(travel, () => this.#exchange(purpose, hook, payload));
  }

  async #exchange(
    purpose: Purpose,
    hook: Hook,
    payload: Readonly<Record<string, unknown>>,
  ): Promise<ServiceAnswer | null> {
    const { log } = this.#parts;
    const form = Object.fromEntries(
      Object.entries(payload).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );
    const callSid = String(payload['call_sid']);
    const answer = await this.#insist(hook, payload);
    log.add({ kind: 'sent', purpose, callSid, url: hook.url, form, status: answer?.status ?? null });
    // jambonz accepts only these three.
    if (!answer || ![200, 202, 204].includes(answer.status))
      log.complain(answer?.status ?? 0, `${purpose}: the service answered ${answer?.status ?? 'nothing'}`);
    return answer;
  }

  /** Retries failures as the URL's fragment says. */
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
