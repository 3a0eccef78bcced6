import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PERSONAS } from '#telephony/sandbox/personas/personas.js';
import type { Persona } from '#telephony/sandbox/personas/persona.js';
import { soundOf } from '#test/support/emulators/speech/spoken-words.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';
import { drawn } from '#test/support/tier.js';
import { SAID, VENDOR_PAIRS, VendorTalk } from '#test/support/vendor-talk.js';
import { VirtualClock } from '#test/support/virtual-clock.js';

/** Voices close a socket that was idle for so long, which is sooner than any of the vendors. */
const VOICE_IDLE_MS = 15_000;
/** Recognisers end a session that has lasted for so long: several times in a call. */
const SESSION_MS = 10_000;
const LONG_PAUSE_MS = 25_000;

/** Somebody who hums what the emulators of recognisers hear; before the last words there is a long silence. */
const persona: Persona = {
  number: '+15550100921',
  name: 'Hums',
  description: 'Hums the words that the emulator of a recogniser hears.',
  pickup: { kind: 'answers', ringMs: 100 },
  script: {
    steps: SAID.map((text, at) => ({
      when: 'agent_stopped' as const,
      afterMs: at === SAID.length - 1 ? LONG_PAUSE_MS : 400,
      action: { kind: 'play' as const, sound: { kind: 'recorded' as const, samples: soundOf(text) } },
    })),
    thereafter: null,
  },
};

describe.each(drawn(1, VENDOR_PAIRS))('a call spoken by %s and heard by %s', (...pair) => {
  const time = new VirtualClock();
  let talk: VendorTalk;
  let service: TestService;

  beforeAll(async () => {
    talk = await VendorTalk.open(pair, time);
    talk.voice.idleMs = VOICE_IDLE_MS;
    talk.recogniser.sockets.limit.afterMs = SESSION_MS;
    service = await buildTestService({
      time,
      environment: talk.environment,
      replace: {
        connectSocket: talk.recogniser.sockets.connect,
        sandbox: { personas: [persona, ...PERSONAS] },
      },
    });
  });
  afterAll(async () => {
    await service.close();
    await talk.close();
  });

  it('goes to its end by both of them, across the limits of their sockets and sessions', async () => {
    const { body } = await service.request('POST', '/api/agents', talk.agent);
    const placed = await service.request('POST', '/api/calls', {
      agent_id: (body as { id: string }).id,
      to_phone: persona.number,
      silence_timeout_seconds: 60,
    });
    await talk.expectHeard(service, time, (placed.body as { id: string }).id);
    const { urls, openCount } = talk.recogniser.sockets;
    if (urls.length > 0) expect(urls.length).toBeGreaterThan(1);
    expect(openCount).toBe(0);
  });
});
