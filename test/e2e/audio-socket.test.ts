import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordingResource } from '#calls/resources/recording-resource.js';
import { createPacingTimer } from '#media/pacing/pacing-timer.js';
import { createFliteTts } from '#providers/builtin/flite/flite-tts.js';
import type { Playbook } from '#playbook/definition/playbook.js';
import { createSpeechPool } from '#providers/builtin/threads/speech-pool.js';
import { callOnce, callWithSummary, told, transcriptOf, wordsOf } from '#test/support/call-story.js';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { TalkingClient, type ClientFormat } from '#test/support/talking-client.js';
import { spoken } from '#test/support/telephone-line.js';
import { VirtualClock } from '#test/support/virtual-clock.js';

const GREETING = 'Hello, this is the front desk. Do you have a minute?';
const playbook: Playbook = {
  start: 'minute',
  steps: {
    minute: {
      kind: 'ask',
      text: '{{initial_message}}',
      expect: { kind: 'yes_no' },
      answers: { yes: 'thanks', no: 'sorry' },
      otherwise: 'sorry',
    },
    thanks: { kind: 'end', text: 'Thank you. Goodbye.', resolution_achieved: true },
    sorry: { kind: 'end', text: 'All right, another time. Goodbye.', resolution_achieved: false },
  },
};
const WIDE: ClientFormat = { sampleRateHz: 16000, encoding: 'pcm16' };
const TELEPHONE: ClientFormat = { sampleRateHz: 8000, encoding: 'mulaw' };

const { log } = createMemoryLog();
const pool = createSpeechPool({ threads: 1, log });
const speaking = createFliteTts({ pool });

/** In which the clients live as well as the service. */
const time = new VirtualClock();
/** The pace of the clients; not the service's. */
const pacingTimer = createPacingTimer({ clock: time, log });
let service: TestService;
let agentId: string;

beforeAll(async () => {
  service = await buildTestService({ time });
  const agent = { name: 'Front desk', initial_message: GREETING, playbook };
  agentId = ((await service.request('POST', '/api/agents', agent)).body as { id: string }).id;
});

afterAll(async () => {
  await service.close();
  await pool.close();
});

function connect(path: string, format: ClientFormat): Promise<TalkingClient> {
  return TalkingClient.open(`${service.baseUrl.replace('http', 'ws')}${path}`, {
    key: TEST_KEY,
    format,
    pacingTimer,
  });
}

/** Until the agent can be heard. */
function greeted({ client }: TalkingClient): Promise<void> {
  return time.during(client.until(() => client.sound.some((byte) => byte !== 0x00 && byte !== 0xff)));
}

describe.concurrent('a client with a socket of its own', () => {
  it('is greeted, understood and answered, and reads along', async () => {
    const talker = await connect(`/ws/stream/${agentId}?events=true`, WIDE);
    const { client } = talker;
    const heard = (speaker: string) =>
      client.texts.filter((event) => event['type'] === 'transcript.final' && event['speaker'] === speaker);
    await time.during(client.until(() => client.received.some((item) => 'binary' in item)));
    const startedAt = time.monotonicMs();
    const startedMs = talker.heardMs;
    await time.during(client.until(() => client.texts.some((event) => event['state'] === 'listening')));
    const lastedMs = time.monotonicMs() - startedAt;
    expect(lastedMs).toBeGreaterThan(2_000);
    expect((talker.heardMs - startedMs) / lastedMs).toBeGreaterThan(0.9);
    expect((talker.heardMs - startedMs) / lastedMs).toBeLessThan(1.1);

    const answer = await spoken(speaking, 'yes I do', { voice: 'rms', sampleRateHz: 16000 });
    await time.during(talker.say(answer));
    expect(await time.during(client.closed)).toEqual({ code: 1000, reason: 'agent_hangup' });
    const sizes = new Set(client.received.flatMap((item) => ('binary' in item ? [item.binary.length] : [])));
    expect([...sizes]).toEqual([640]);
    expect(client.texts[0]).toEqual({
      type: 'session.started',
      call_id: talker.callId,
      sample_rate: 16000,
    });
    expect(client.texts.at(-1)).toMatchObject({ type: 'call.ended', ended_reason: 'agent_hangup' });
    expect(heard('customer').map(({ text }) => wordsOf(String(text)))).toEqual(['yes i do']);
    expect(heard('agent').map(({ text }) => text)).toEqual([GREETING, 'Thank you. Goodbye.']);

    const call = await callWithSummary(service.request, talker.callId);
    expect(call).toMatchObject({ status: 'completed', direction: 'inbound', provider: 'websocket' });
    expect(call).toMatchObject({ agent_id: agentId, metrics: { resolution_achieved: true } });
    const entries = await transcriptOf(service.request, talker.callId);
    expect(entries.map(({ text }) => text)).toEqual(
      client.texts.flatMap(({ type, text }) => (type === 'transcript.final' ? [text] : [])),
    );
    const recording = await told(service.request, `/api/calls/${call.id}/recording`, recordingResource);
    expect(recording).toMatchObject({ sample_rate: 16000, channels: 2 });
  });

  it('hears nothing but telephone sound when it asks for μ-law, and ends the call by going away', async () => {
    const talker = await connect(`/ws/stream/${agentId}?encoding=mulaw`, TELEPHONE);
    await greeted(talker);
    // Long enough for whole words: of a word that was cut off nothing is written down.
    const silentMs = talker.heardMs;
    await time.during(talker.client.until(() => talker.heardMs > silentMs + 1_500));
    const live = await callOnce(service.request, talker.callId, ({ status }) => status === 'active');
    expect(live).toMatchObject({ ended_at: null, agent_id: agentId });
    expect(talker.client.received.every((item) => 'binary' in item && item.binary.length === 160)).toBe(true);
    talker.client.socket.close(1000);
    const call = await callOnce(service.request, talker.callId);
    expect(call).toMatchObject({ status: 'completed', ended_reason: 'stream_disconnected', error: null });
    const [greeting] = await transcriptOf(service.request, talker.callId);
    expect(greeting).toMatchObject({ speaker: 'agent', interrupted: true });
    expect(GREETING.startsWith(greeting!.text)).toBe(true);
  });

  it('hangs up by saying so', async () => {
    const talker = await connect('/ws/stream', WIDE);
    await greeted(talker);
    talker.client.say({ type: 'hangup' });
    expect(await time.during(talker.client.closed)).toEqual({ code: 1000, reason: 'customer_hangup' });
    const call = await callOnce(service.request, talker.callId);
    expect(call).toMatchObject({ status: 'completed', ended_reason: 'customer_hangup' });
    expect(call.agent_name).toBe('Receptionist');
  });

  it('is answered by an agent that is not saved, until its trial is over', async () => {
    const unsaved = { agent_id: agentId, name: 'Back desk', initial_message: 'Good evening.' };
    const { body } = await service.request('POST', '/api/agents/trials', unsaved);
    const talker = await connect(`${(body as { socket: string }).socket}?events=true`, WIDE);
    const { client } = talker;
    await time.during(client.until(() => client.texts.some((event) => event['text'] === 'Good evening.')));
    client.say({ type: 'hangup' });
    await time.during(client.closed);
    const call = await callOnce(service.request, talker.callId);
    expect(call).toMatchObject({ agent_id: agentId, agent_name: 'Back desk' });
    const late = await connect('/ws/stream/trial_01kakb8x6te1tr7m3qf0c9w2aa', WIDE);
    expect(await time.during(late.client.closed)).toMatchObject({ code: 4404 });
  });

  it('is let go when the call is disconnected through the API', async () => {
    const talker = await connect(`/ws/stream/${agentId}`, WIDE);
    await greeted(talker);
    const answer = await time.during(service.request('POST', `/api/calls/${talker.callId}/disconnect`));
    expect(answer).toMatchObject({
      status: 200,
      body: { already_ended: false, status: 'completed', ended_reason: 'api_disconnect' },
    });
    expect(await time.during(talker.client.closed)).toEqual({ code: 1000, reason: 'api_disconnect' });
  });

  it('that sends nothing is greeted all the same, at the pace of speech', async () => {
    const talker = await connect(`/ws/stream/${agentId}?sample_rate=8000`, {
      sampleRateHz: 8000,
      encoding: 'pcm16',
    });
    talker.mute();
    await greeted(talker);
    const startedAt = time.monotonicMs();
    const startedMs = talker.heardMs;
    await time.during(talker.client.until(() => talker.heardMs - startedMs > 2_000));
    const lastedMs = time.monotonicMs() - startedAt;
    expect(lastedMs).toBeGreaterThan(1_800);
    expect(lastedMs).toBeLessThan(2_400);
    talker.client.socket.close();
    await callOnce(service.request, talker.callId);
  });
});
