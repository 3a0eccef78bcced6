import { expect } from 'vitest';
import { callList } from '#http/routes/call-list.js';
import type { CallResource } from '#calls/resources/call-resource.js';
import { readPersona, type PersonaFile } from '#telephony/sandbox/personas/persona-file.js';
import { PERSONAS } from '#telephony/sandbox/personas/personas.js';
import { callOnce, once, placeCall, told, transcriptOf, wordsOf } from '#test/support/call-story.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';
import { VirtualClock } from '#test/support/virtual-clock.js';

/** Waits for one turn of the agent. */
const LISTENS = { do: 'wait', duration_ms: 20 } as const;
export const BUSY = '+15550100005';
export const NO_ANSWER = '+15550100006';
export const VOICEMAIL = '+15550100019';
export const PREMIUM = '+19005550100';
/** Stays silent. */
const PATIENT = '+15550100003';

export const PEOPLE = {
  caller: {
    number: '+15550109000',
    name: 'Wants a person',
    script: [{ do: 'say', text: 'yes please' }, LISTENS, { do: 'say', text: 'I have time' }],
  },
  hurried: {
    number: '+15550109001',
    name: 'Hangs up when they wait',
    script: [
      { do: 'say', text: 'yes please' },
      { after_ms: 6_000, do: 'hang_up' },
    ],
  },
  parting: {
    number: '+15550109002',
    name: 'Hangs up when they have talked',
    script: [
      { do: 'say', text: 'yes please' },
      LISTENS,
      { do: 'say', text: 'I have time' },
      { do: 'hang_up' },
    ],
  },
  presses: {
    number: '+15550109010',
    name: 'Takes calls by a key',
    script: [
      { do: 'press', digits: '1' },
      LISTENS,
      { when: 'at_once', after_ms: 900, do: 'say', text: 'thank you for calling' },
      { when: 'at_once', after_ms: 4_000, do: 'hang_up' },
    ],
  },
  agrees: {
    number: '+15550109011',
    name: 'Takes calls in words',
    script: [
      { do: 'say', text: 'yes' },
      LISTENS,
      { when: 'at_once', after_ms: 900, do: 'say', text: 'thank you for calling' },
      { do: 'say', text: 'thank you' },
    ],
  },
  refuses: {
    number: '+15550109012',
    name: 'Takes no calls',
    script: [{ do: 'say', text: 'no' }],
  },
} as const satisfies Record<string, PersonaFile>;

const AGENT = {
  name: 'Front desk',
  voice: 'rms',
  initial_message: 'Hello. Shall I connect you?',
  playbook: {
    start: 'wish',
    steps: {
      wish: {
        kind: 'ask',
        text: '{{initial_message}}',
        expect: { kind: 'yes_no' },
        answers: { yes: 'desk', no: 'goodbye' },
        otherwise: 'goodbye',
      },
      desk: {
        kind: 'transfer',
        mode: 'warm',
        text: 'One moment please.',
        to: '{{desk}}',
        briefing: '{{name}} wants to talk about a visit.',
        ring_seconds: 10,
        otherwise: 'goodbye',
      },
      goodbye: { kind: 'end', text: 'Goodbye.' },
    },
  },
};

/** A service with personas who take calls, and an agent that transfers callers to `desk`. */
export class TransferRig {
  readonly time: VirtualClock;
  readonly service: TestService;
  readonly agentId: string;

  private constructor(parts: { time: VirtualClock; service: TestService; agentId: string }) {
    this.time = parts.time;
    this.service = parts.service;
    this.agentId = parts.agentId;
  }

  static async open(): Promise<TransferRig> {
    const time = new VirtualClock();
    const personas = [...PERSONAS, ...Object.values(PEOPLE).map((file) => readPersona(file))];
    const service = await buildTestService({
      time,
      environment: { HOLD_SOUND: 'silence', HOLD_LIMIT_SECONDS: '60' },
      replace: { sandbox: { personas } },
    });
    const { status, body } = await service.request('POST', '/api/agents', AGENT);
    expect(status, JSON.stringify(body)).toBe(201);
    return new TransferRig({ time, service, agentId: (body as { id: string }).id });
  }

  /** Places a call whose agent transfers the callee to `desk`. */
  begin(who: { number: string }, desk: string): Promise<string> {
    const wish = { to_number: who.number, agent_id: this.agentId, customer_data: { name: 'Anna', desk } };
    return placeCall(this.service.request, wish);
  }

  /** A call whose agent has asked a question without an answer yet. */
  async asked(): Promise<string> {
    const id = await this.begin({ number: PATIENT }, BUSY);
    await this.hears(id, /connect you/);
    return id;
  }

  async legOf(parentId: string): Promise<CallResource> {
    const { data } = await told(this.service.request, `/api/calls?parent_call_id=${parentId}`, callList);
    expect(data).toHaveLength(1);
    return data[0]!;
  }

  legOnce(parentId: string, status: CallResource['status']): Promise<CallResource> {
    return once(async () => {
      const leg = await this.legOf(parentId);
      if (leg.status !== status) throw new Error(`the leg is ${leg.status}`);
      return leg;
    }, this.time);
  }

  /** Both calls once they are over. */
  async bothOf(parentId: string): Promise<{ parent: CallResource; leg: CallResource }> {
    const parent = await callOnce(this.service.request, parentId);
    const leg = await callOnce(this.service.request, (await this.legOf(parentId)).id);
    return { parent, leg };
  }

  /** Waits until words occur in a call's transcript. */
  hears(id: string, words: RegExp): Promise<CallResource> {
    return callOnce(this.service.request, id, ({ transcript }) => words.test(transcript));
  }

  async saidIn(callId: string): Promise<string[]> {
    const entries = await transcriptOf(this.service.request, callId);
    return entries.map(({ speaker, by, text }) => `${by ?? speaker}: ${wordsOf(text)}`);
  }

  steer(id: string, act: string, body?: object) {
    return this.service.request('POST', `/api/calls/${id}/${act}`, body);
  }
}
