import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/time/clock.js';
import { createIds } from '#kernel/ids/ids.js';
import { encodeUlaw, decodeUlaw } from '#media/samples/g711.js';
import type { Carrier, CarrierReport } from '#telephony/port/carrier.js';
import type { Persona, ScriptStep } from '#telephony/sandbox/personas/persona.js';
import { PERSONAS } from '#telephony/sandbox/personas/personas.js';
import { createSandboxCarrier } from '#telephony/sandbox/sandbox-carrier.js';
import {
  createRecordingHost,
  createStreamService,
  type GatewayConnection,
  type GatewayMessage,
  type RecordingHost,
  type StreamService,
} from '#test/support/carrier-host.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { createScriptedTts, toneMs } from '#test/support/scripted-tts.js';
import { slowedClock } from '#test/support/slowed-clock.js';

const FRAME_BYTES = 160;
const SILENT_PAYLOAD = Buffer.alloc(FRAME_BYTES, 0xff).toString('base64');
const TALKER = '+15550100101';
const PRESSER = '+15550100102';
const LINE = 'yes please';
const SPEAKS: ScriptStep = { when: 'agent_stopped', afterMs: 100, action: { kind: 'say', text: LINE } };

/** People for these tests, beside those of the network. */
const NEIGHBOURS: readonly Persona[] = [
  ...PERSONAS,
  person(TALKER, { steps: [SPEAKS], thereafter: null }),
  person(PRESSER, {
    steps: [{ when: 'agent_stopped', afterMs: 0, action: { kind: 'press', digit: '5' } }],
    thereafter: null,
  }),
];

function person(number: string, script: Persona['script'] = { steps: [], thereafter: null }): Persona {
  return { number, name: number, description: '', pickup: { kind: 'answers', ringMs: 0 }, script };
}

describe('the media gateway of the sandbox network', () => {
  let service: StreamService;
  let host: RecordingHost;
  let carrier: Carrier;
  /** What the machine stands still for is not waited for. */
  const clock = slowedClock(systemClock, 1);

  beforeEach(async () => {
    service = await createStreamService();
    host = createRecordingHost();
    host.instruct(async () => ({ url: service.url, parameters: { token: 'st_abc', call_id: 'call_1' } }));
    const { log } = createMemoryLog();
    const parts = {
      host,
      clock,
      ids: createIds(clock),
      log,
      tts: createScriptedTts(),
    };
    carrier = createSandboxCarrier({ ringMs: 10, personas: NEIGHBOURS }, parts);
  });
  afterEach(async () => {
    await carrier.close();
    await service.close();
  });

  async function call(to: string) {
    const connecting = service.connection();
    const placed = await carrier.place(
      {
        dialRef: 'dial_1',
        to,
        from: '+15550000000',
        ringTimeoutSeconds: 5,
        sendBefore: Number.MAX_SAFE_INTEGER,
      },
      new AbortController().signal,
    );
    const connection = await connecting;
    const start = await connection.message('start');
    return { ...placed, connection, streamSid: start.streamSid as string, start };
  }

  function mediaOf(connection: GatewayConnection): GatewayMessage[] {
    return connection.messages.filter((message) => message.event === 'media');
  }

  /** Time as the network counts it, whatever the machine has to do: frames of 20 ms that came between two messages. */
  function framesBetween({ messages }: GatewayConnection, from: GatewayMessage, to: GatewayMessage): number {
    const between = messages.slice(messages.indexOf(from), messages.indexOf(to));
    return between.filter(({ event }) => event === 'media').length;
  }

  /** Speaks to the callee for so long, all at once, as services do that let the carrier buffer. */
  function speak(connection: GatewayConnection, streamSid: string, durationMs: number) {
    const sound = Buffer.alloc(durationMs * 8);
    encodeUlaw(
      Int16Array.from({ length: sound.length }, (_, at) => Math.round(8_000 * Math.sin(at / 3))),
      sound,
    );
    connection.send({ event: 'media', streamSid, media: { payload: sound.toString('base64') } });
  }

  it('begins as a carrier does: connected, then start with what it was told to hand over', async () => {
    const { connection, providerCallId, streamSid } = await call('+15550100003');
    const [connected, start, media] = await Promise.all(
      ['connected', 'start', 'media'].map((event) => connection.message(event)),
    );
    expect(connection.messages.indexOf(connected!)).toBe(0);
    expect(connected).toMatchObject({ protocol: 'Call', version: '1.0.0' });
    expect(connection.messages.indexOf(start!)).toBe(1);
    expect(start).toMatchObject({
      sequenceNumber: '1',
      streamSid,
      start: {
        streamSid,
        callSid: providerCallId,
        tracks: ['inbound'],
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
        customParameters: { token: 'st_abc', call_id: 'call_1' },
      },
    });
    expect(streamSid).toMatch(/^MZ[0-9a-f]{32}$/);
    expect(providerCallId).toMatch(/^CA[0-9a-f]{32}$/);
    expect(media).toMatchObject({
      sequenceNumber: '2',
      streamSid,
      media: { track: 'inbound', chunk: '1', timestamp: '0', payload: SILENT_PAYLOAD },
    });
  });

  it('sends fifty frames of 20 ms in a second, numbered without a gap', async () => {
    const { connection } = await call('+15550100003');
    const numbered = (chunk: string) =>
      connection.message('media', ({ media }) => (media as { chunk: string }).chunk === chunk);
    await numbered('1');
    const startedMs = clock.monotonicMs();
    await numbered('101');
    const frames = mediaOf(connection).slice(0, 101);
    // A busy machine is late with some of them; what matters is whose pace it is.
    const elapsedMs = clock.monotonicMs() - startedMs;
    expect(elapsedMs).toBeGreaterThan(1_500);
    expect(elapsedMs).toBeLessThan(4_000);
    for (const [index, frame] of frames.entries()) {
      const media = frame.media as Record<string, string>;
      expect(media).toMatchObject({ chunk: String(index + 1), timestamp: String(index * 20) });
      expect(frame.sequenceNumber).toBe(String(index + 2));
      expect(Buffer.from(media.payload!, 'base64')).toHaveLength(FRAME_BYTES);
    }
  });

  it('lets its callee answer with real sound once the agent has stopped', async () => {
    const { connection, streamSid } = await call(TALKER);
    speak(connection, streamSid, 400);
    connection.send({ event: 'mark', streamSid, mark: { name: 'end' } });
    const mark = await connection.message('mark');
    const isSound = ({ media }: GatewayMessage) => (media as { payload: string }).payload !== SILENT_PAYLOAD;
    const answer = await connection.message('media', isSound);
    expect(framesBetween(connection, mark, answer)).toBeGreaterThan(30);
    expect(framesBetween(connection, mark, answer)).toBeLessThan(45);

    const lineFrames = toneMs(LINE) / 20;
    const last = Number((answer.media as { chunk: string }).chunk) + lineFrames;
    await connection.message('media', ({ media }) => (media as { chunk: string }).chunk === String(last));
    const spoken = mediaOf(connection).filter(isSound);
    expect(spoken).toHaveLength(lineFrames);
    const samples = new Int16Array(FRAME_BYTES);
    decodeUlaw(Buffer.from((spoken[5]!.media as { payload: string }).payload, 'base64'), samples);
    expect(Math.max(...samples)).toBeGreaterThan(5_000);
  });

  it('presses keys', async () => {
    const { connection, streamSid } = await call(PRESSER);
    speak(connection, streamSid, 100);
    expect(await connection.message('dtmf')).toMatchObject({
      streamSid,
      dtmf: { track: 'inbound_track', digit: '5' },
    });
  });

  it('gives marks back as it plays, and all at once when cleared', async () => {
    const { connection, streamSid } = await call('+15550100003');
    const before = await connection.message('media');
    speak(connection, streamSid, 300);
    connection.send({ event: 'mark', streamSid, mark: { name: 'first' } });
    const first = await connection.message('mark');
    expect(first).toMatchObject({ streamSid, mark: { name: 'first' } });
    expect(framesBetween(connection, before, first)).toBeGreaterThanOrEqual(300 / 20 - 1);

    speak(connection, streamSid, 60_000);
    connection.send({ event: 'mark', streamSid, mark: { name: 'second' } });
    connection.send({ event: 'clear', streamSid });
    await connection.message('mark', ({ mark }) => (mark as { name: string }).name === 'second');
  });

  it('says stop and closes when the service hangs up through the carrier', async () => {
    const { connection, providerCallId, streamSid } = await call('+15550100003');
    await connection.message('media');
    await carrier.hangUp(providerCallId);
    expect(await connection.message('stop')).toMatchObject({ streamSid, stop: { callSid: providerCallId } });
    expect(await connection.closed).toBe(1000);
    expect(await host.reported('dial_1')).toMatchObject({ status: 'completed', hungUpBy: 'agent' });
  });

  it('says stop and closes when the callee hangs up in mid-sentence', async () => {
    const { connection, streamSid } = await call('+15550100004');
    speak(connection, streamSid, 200);
    const isSound = ({ media }: GatewayMessage) => (media as { payload: string }).payload !== SILENT_PAYLOAD;
    await connection.message('media', isSound);
    speak(connection, streamSid, 4_000);
    connection.send({ event: 'mark', streamSid, mark: { name: 'never played' } });
    await connection.message('stop');
    expect(await host.reported('dial_1')).toMatchObject({ status: 'completed', hungUpBy: 'customer' });
    expect(connection.messages.filter((message) => message.event === 'mark')).toEqual([]);
    expect(connection.messages.at(-1)?.event).toBe('stop');
  });

  it.each([
    [1000, 'agent'],
    [1011, 'agent'],
  ] as const)('hangs up when the service closes the socket with %d', async (code, hungUpBy) => {
    const { connection } = await call('+15550100003');
    connection.socket.close(code);
    const end = await host.reported('dial_1');
    expect(end).toMatchObject({ status: 'completed', hungUpBy, code: String(code) });
  });

  it('hangs up when the socket breaks, and blames nobody', async () => {
    const { connection } = await call('+15550100003');
    connection.socket.terminate();
    expect(await host.reported('dial_1')).toMatchObject({
      status: 'completed',
      hungUpBy: null,
      code: '1006',
    });
  });

  it.each([
    ['that is no JSON', 'hello'],
    ['of an unknown event', '{"event":"stop","streamSid":"STREAM"}'],
    ['of another stream', '{"event":"clear","streamSid":"MZ0"}'],
    ['with sound that is not base64', '{"event":"media","streamSid":"STREAM","media":{"payload":"§"}}'],
    ['that is binary', Buffer.alloc(320)],
  ])('tears the stream down on a message %s, as carriers do', async (_name, message) => {
    const { connection, streamSid } = await call('+15550100003');
    connection.socket.send(typeof message === 'string' ? message.replace('STREAM', streamSid) : message);
    const end: CarrierReport = await host.reported('dial_1');
    expect(end).toMatchObject({ status: 'completed', hungUpBy: null, code: '31924' });
    await connection.closed;
  });
});
