import { DEFAULT_LANGUAGES } from '#language/languages/languages.js';
import type { Authenticator } from '#access/authenticator.js';
import { RefusedCarrierRequests } from '#http/admission/refused-carrier-requests.js';
import { carrierWebhookRoutes } from '#http/routes/carrier-webhooks.js';
import { systemClock } from '#kernel/time/clock.js';
import { Problem } from '#kernel/errors/errors.js';
import { Counters } from '#metrics/counters.js';
import { CarrierPool } from '#telephony/carrier-pool.js';
import { codecOf } from '#telephony/remote-carriers.js';
import type { RemoteCarrierHost } from '#telephony/port/remote-host.js';
import { CarrierWebhookDispatcher } from '#telephony/carrier-webhook-dispatcher.js';
import { createRecordingHost } from '#test/support/carrier-host.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { ScriptedCarrier } from '#test/support/scripted-carrier.js';
import { startTestServer } from '#test/support/server.js';

const NOBODY: Authenticator['authenticate'] = async () => {
  throw new Problem('unauthorized', 'Nobody knows them.');
};

export interface CarrierRouteOptions {
  /** Who asks; nobody whom we know, unless it is given. */
  authenticate?: Authenticator['authenticate'];
  host?: Partial<RemoteCarrierHost>;
  allowsUnsigned?: boolean;
  perMinute?: number;
  /** What is done to the dispatcher before it is asked. */
  spoil?: (dispatcher: CarrierWebhookDispatcher) => void;
}

/** The addresses of carriers, without the service behind them: only what is given here is there, or goes wrong. */
export async function openCarrierRoutes(options: CarrierRouteOptions) {
  const clock = new FakeClock();
  const { log, lines: logLines } = createMemoryLog();
  const counters = new Counters();
  const publicUrl = () => 'https://voice.example.com';
  const dispatcher = new CarrierWebhookDispatcher({
    carriers: new CarrierPool([new ScriptedCarrier()], { outbound: 'scripted' }),
    codecOf,
    publicUrl,
    languages: DEFAULT_LANGUAGES,
    host: {
      ...createRecordingHost(),
      receive: async () => ({ kind: 'no_room' }),
      acceptDetection: async () => {},
      acceptPrice: async () => {},
      streamFailed: async () => {},
      streamEnded: async () => null,
      ...options.host,
    },
    clock,
    log,
    greets: true,
  });
  options.spoil?.(dispatcher);
  const authenticator = { authenticate: options.authenticate ?? NOBODY };
  const { allowsUnsigned = false, perMinute = null } = options;
  const refused = new RefusedCarrierRequests({ clock, log, counters, carriers: ['scripted'] });
  const parts = { dispatcher, authenticator, clock: systemClock, publicUrl, refused, allowsUnsigned };
  const { server, close } = await startTestServer({
    rateLimitPerMinute: perMinute,
    routes: (app) => void app.register(carrierWebhookRoutes, parts),
  });
  const ask = async (url: string, credential: Record<string, string> = {}) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...credential };
    const payload =
      'CallSid=CA1&uuid=v1&CallUUID=p1&CallStatus=completed&RecordingSid=RE1&RecordingStatus=absent';
    const answer = await server.inject({ method: 'POST', url, headers, payload });
    return { status: answer.statusCode, body: answer.body };
  };
  return { ask, logLines, counters, clock, close, server, drain: () => server.drain() };
}
