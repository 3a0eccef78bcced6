import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CallResource } from '#calls/resources/call-resource.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Environment } from '#config/setting.js';
import type { BuiltInSpeech } from '#providers/builtin/built-in-speech.js';
import type { AgentBrief, DialogueManager, DialogueOutput } from '#dialogue/dialogue-manager.js';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';
import { createScriptedStt } from '#test/support/scripted-stt.js';
import { createScriptedTts } from '#test/support/scripted-tts.js';
import { dialogueOf } from '#test/support/dialogue-of.js';
import { createScriptedDialogue } from '#test/support/scripted-dialogue.js';
import { SocketClient } from '#test/support/socket-client.js';

const CALLED = '+14155550177';

/** Agents by what goes wrong with them. */
export const NEVER_BEGINS = 'Never begins';
export const BREAKS_OFF = 'Breaks off';
/** Says one sentence again and again for a minute, and does not let itself be interrupted. */
export const TALKS_ON = 'Talks on';
/** As it is hummed, it is fifty whole frames. */
export const SENTENCE = 'She talks on and on.';

/** The real service with a carrier that notes what it is asked, and agents of which some fail. */
export interface AttackedService extends TestService {
  wsUrl: string;
  /** Ids of calls that the carrier was asked to hang up, in order. */
  readonly hungUp: readonly string[];
  /** Resolves when the carrier was asked to hang a call up. */
  untilHungUp(providerCallId: string): Promise<void>;
  /** A call comes in at the carrier, for an agent of this name. */
  announce(agentName?: string): Promise<Announced>;
  call(callId: string): Promise<CallResource>;
}

/** A call that was announced, and where its sound may come to. */
export interface Announced {
  callId: string;
  providerCallId: string;
  token: string;
}

export async function startAttackedService(
  clock?: Clock,
  environment: Environment = {},
): Promise<AttackedService> {
  const carrier = await startCarrierApi();
  const service = await buildTestService({
    listen: true,
    environment: {
      SERVER_DOMAIN: 'voice.example.com',
      TWILIO_ACCOUNT_SID: 'AC00000000000000000000000000000001',
      TWILIO_AUTH_TOKEN: 'twilio-token-that-is-long',
      TWILIO_API_URL: carrier.url,
      ...environment,
    },
    replace: { speech: scriptedSpeech(), ...(clock ? { clock } : {}) },
  });
  const numbers = new Map<string, string>();
  let calls = 0;

  async function numberOf(agentName: string): Promise<string> {
    const known = numbers.get(agentName);
    if (known) return known;
    const phone_number = `${CALLED.slice(0, -1)}${numbers.size}`;
    const { body } = await service.request('POST', '/api/agents', { name: agentName });
    await service.request('POST', '/api/phone-numbers', {
      phone_number,
      agent_id: (body as { id: string }).id,
    });
    numbers.set(agentName, phone_number);
    return phone_number;
  }
  return {
    ...service,
    wsUrl: service.baseUrl.replace('http', 'ws'),
    hungUp: carrier.hungUp,
    untilHungUp: carrier.until,
    async announce(agentName = 'Front desk') {
      const providerCallId = `CA${String(++calls).padStart(32, '0')}`;
      const form = { CallSid: providerCallId, From: '+14155550188', To: await numberOf(agentName) };
      const { body } = await service.app.server.inject({
        method: 'POST',
        url: '/webhook/twilio/incoming',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-api-key': TEST_KEY },
        payload: new URLSearchParams(form).toString(),
      });
      const parameter = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(body)![1]!;
      return { callId: parameter('call_id'), providerCallId, token: parameter('token') };
    },
    async call(callId) {
      return (await service.request('GET', `/api/calls/${callId}`)).body as CallResource;
    },
    async close() {
      await service.close();
      await carrier.close();
    },
  };
}

/** What a carrier of Twilio's kind sends first. */
export function startMessage(token: string | null, providerCallId = 'CA-unknown'): object {
  const customParameters = token === null ? {} : { token };
  return {
    event: 'start',
    streamSid: 'MZ1',
    start: { streamSid: 'MZ1', callSid: providerCallId, customParameters },
  };
}

/** The carrier's socket of an announced call, its stream begun. */
export async function openStream(
  service: AttackedService,
  { token, providerCallId }: Announced,
): Promise<SocketClient> {
  const client = await SocketClient.open(`${service.wsUrl}/ws/stream`);
  client.say(startMessage(token, providerCallId));
  return client;
}

/** 20 ms of a caller's silence. */
export const SILENT_FRAME = JSON.stringify({
  event: 'media',
  media: { track: 'inbound', payload: Buffer.alloc(160, 0xff).toString('base64') },
});

function scriptedSpeech(): BuiltInSpeech {
  const dialogue = (brief: AgentBrief): DialogueManager => {
    if (brief.agentName === NEVER_BEGINS) throw new Error('nothing comes to mind');
    const talksOn = brief.agentName === TALKS_ON;
    const turns: DialogueOutput[][] = [
      [
        {
          kind: 'say',
          text: talksOn ? `${SENTENCE} `.repeat(50) : 'Hello, what can I do for you?',
          interruptible: !talksOn,
        },
        { kind: 'listen', hints: { kind: 'anything' } },
      ],
    ];
    const session = createScriptedDialogue(turns).open(brief);
    return brief.agentName === BREAKS_OFF ? dialogueOf({ opening: breakOff }) : session;
  };
  return {
    stt: createScriptedStt(),
    tts: createScriptedTts(),
    dialogue,
    warmUp: async () => {},
    check: async () => {},
    waiting: () => ({ hearing: 0, speaking: 0, dictation: 0 }),
    close: async () => {},
  };
}

async function* breakOff(): AsyncGenerator<DialogueOutput> {
  yield { kind: 'say', text: 'Hello.', interruptible: true };
  throw new Error('the thread is lost');
}

async function startCarrierApi() {
  const hungUp: string[] = [];
  const server = createServer((request, response) => {
    const [, providerCallId] = /\/Calls\/([^/]+)\.json$/.exec(request.url!) ?? [];
    if (request.method === 'POST' && providerCallId) hungUp.push(providerCallId);
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    server.emit('asked');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hungUp,
    async until(providerCallId: string) {
      while (!hungUp.includes(providerCallId)) await once(server, 'asked');
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
