import { expect } from 'vitest';
import { z } from 'zod';
import type { CallResource } from '#calls/resources/call-resource.js';
import { callEventResource } from '#calls/resources/talk-resource.js';
import { callOnce, once, told } from '#test/support/call-story.js';
import type {
  TestedCarrier,
  TestedCarrierDefinition,
  EmulatedLine,
  Surroundings,
} from '#test/support/emulators/tested-carrier.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';
import { Receiver, trustedCertificate } from '#test/support/receiver.js';
import { VirtualClock } from '#test/support/virtual-clock.js';

const DOMAIN = 'voice.example.com';
const FINAL = ['completed', 'failed', 'missed', 'cancelled'];
/** The events that end a call; whoever is told of two of them counts it twice. */
const ENDS = ['call.completed', 'call.failed', 'call.missed'];

const events = z.object({ data: z.array(callEventResource) });
const notification = z.object({ event_type: z.string(), data: z.object({ id: z.string() }) });

/**
 * A whole service with real sockets in virtual time, whose carrier is one emulated carrier, and a receiver of what it
 * tells.
 */
export interface OneCarrierService {
  time: VirtualClock;
  carrier: TestedCarrier;
  request: TestService['request'];
  /** The call's line at the carrier, as it is now. */
  lineTo(number: string): EmulatedLine;
  /** How often a phone has rung. */
  rings(number: string): number;
  /** Resolves when somebody talks with the agent. */
  untilTalking(callId: string): Promise<void>;
  /** The call ends like that, once: in its own log, and for those who are told. */
  expectEnd(callId: string, expected: Partial<CallResource>): Promise<CallResource>;
  close(): Promise<void>;
}

export async function buildOneCarrierService(
  { name, open }: TestedCarrierDefinition,
  phones: Surroundings['phones'],
): Promise<OneCarrierService> {
  const { certificate, caFile } = await trustedCertificate();
  const receiver = await Receiver.open(certificate);
  const time = new VirtualClock();
  let baseUrl = '';
  const carrier = await open({
    clock: time,
    phones,
    publicUrl: `https://${DOMAIN}`,
    // The service is told that the world knows it under its domain; this is the way to it.
    reach: (url) => url.replace(/^(http|ws)s:\/\/voice\.example\.com/, (_, s) => baseUrl.replace('http', s)),
  });
  const service = await buildTestService({
    time,
    environment: {
      ...carrier.environment,
      SERVER_DOMAIN: DOMAIN,
      CARRIER: name,
      CALLS_PER_SECOND: '50',
      // Whatever is uncertain is settled after a second.
      DIAL_DEADLINE_SECONDS: '6',
      WEBHOOK_CA_FILE: caFile,
    },
  });
  baseUrl = service.baseUrl;
  const { request } = service;
  await request('POST', '/v1/webhooks', { url: receiver.url });

  const endsTold = (callId: string) =>
    receiver.received
      .map(({ body }) => notification.parse(JSON.parse(body)))
      .filter(({ event_type, data }) => data.id === callId && ENDS.includes(event_type));
  return {
    time,
    carrier,
    request,
    lineTo(number) {
      const line = carrier.lines().find(({ to }) => to === number);
      if (!line) throw new Error('the carrier has no such call');
      return line;
    },
    rings: (number) => carrier.network.reached.filter((phone) => phone.number === number).length,
    async untilTalking(callId) {
      await callOnce(request, callId, ({ status }) => status === 'active');
    },
    async expectEnd(callId, expected) {
      const call = await callOnce(request, callId);
      expect(call).toMatchObject(expected);
      // Whatever is on its way yet must not end it again.
      await time.during(carrier.idle());
      const { data } = await told(request, `/api/calls/${callId}/events`, events);
      expect(data.filter(({ to }) => FINAL.includes(to ?? ''))).toHaveLength(1);
      await once(async () => expect(endsTold(callId)).toHaveLength(1), time);
      return call;
    },
    async close() {
      await service.close();
      await carrier.close();
      await receiver.close();
    },
  };
}
