import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { once, placeCall, told, transcriptOf } from '#test/support/call-story.js';
import { recordingResource } from '#calls/resources/recording-resource.js';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';

/** Answers, and says nothing. */
const NUMBER = '+15550100003';

let service: TestService;
let callPath: string;
let path: string;
let sizeBytes: number;

beforeAll(async () => {
  service = await buildTestService({ listen: true });
  const callId = await placeCall(service.request, { to_number: NUMBER });
  // A call that ends before its first sound has no recording.
  await once(async () => expect(await transcriptOf(service.request, callId)).not.toEqual([]));
  callPath = `/api/calls/${callId}`;
  await service.request('POST', `${callPath}/disconnect`);
  path = `${callPath}/recording`;
  ({ size_bytes: sizeBytes } = await once(() => told(service.request, path, recordingResource)));
});
afterAll(() => service?.close());

describe('the file of a recording', () => {
  const answerTo = async (header: string, value: string) => {
    const answer = await fetch(`${service.baseUrl}${path}/audio`, {
      headers: { 'x-api-key': TEST_KEY, [header]: value },
    });
    const sound = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, range: answer.headers.get('content-range'), sound, answer };
  };

  it('is shown beside its call when it is asked for', async () => {
    const { body } = await service.request('GET', `${callPath}?expand=recording`);
    expect(body).toMatchObject({ recording: { size_bytes: sizeBytes } });
  });

  it('is whole for whoever wants more of its end than there is', async () => {
    const { status, range, sound } = await answerTo('range', `bytes=-${sizeBytes + 1}`);
    expect([status, range]).toEqual([206, `bytes 0-${sizeBytes - 1}/${sizeBytes}`]);
    expect(sound).toHaveLength(sizeBytes);
  });

  it('is not sent again to whoever has it', async () => {
    const { answer } = await answerTo('range', 'bytes=0-0');
    // `fetch` has caches on the way pass such a question on, and what is passed on is to be answered in full.
    const headers = { 'x-api-key': TEST_KEY, 'if-none-match': answer.headers.get('etag')! };
    const again = await service.app.server.inject({ url: `${path}/audio`, headers });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it.each([
    ['if-match', '"another"'],
    ['if-unmodified-since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ])('is not sent to whoever wants another one: %s', async (header, value) => {
    const { status, sound } = await answerTo(header, value);
    expect(status).toBe(412);
    expect(JSON.parse(sound.toString())).toMatchObject({ code: 'precondition_failed', status: 412 });
  });

  it.each(['person', 'agent', 'mono'])('has a channel by itself: %s', async (channel) => {
    const bytesOf = async (range?: string) => {
      const answer = await fetch(`${service.baseUrl}${path}/audio?channel=${channel}`, {
        headers: { 'x-api-key': TEST_KEY, ...(range && { range }) },
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      return { status: answer.status, range: answer.headers.get('content-range'), bytes };
    };
    const whole = await bytesOf();
    const monoBytes = 44 + (sizeBytes - 44) / 2;
    expect([whole.status, whole.bytes.length, whole.bytes.readUInt16LE(22)]).toEqual([200, monoBytes, 1]);
    const { sound } = await answerTo('range', 'bytes=0-');
    const expected = { person: [1, 0], agent: [0, 1], mono: [1, 1] }[channel]!;
    for (let frame = 0; frame < (sizeBytes - 44) / 4; frame += 997) {
      const [left, right] = [sound.readInt16LE(44 + frame * 4), sound.readInt16LE(46 + frame * 4)];
      const mixed = left * expected[0]! + right * expected[1]!;
      expect(whole.bytes.readInt16LE(44 + frame * 2)).toBe(Math.max(-32_768, Math.min(32_767, mixed)));
    }
    const odd = await bytesOf('bytes=45-1000');
    expect([odd.status, odd.range]).toEqual([206, `bytes 45-1000/${monoBytes}`]);
    expect(odd.bytes.equals(whole.bytes.subarray(45, 1001))).toBe(true);
    const end = await bytesOf('bytes=-10');
    expect(end.bytes.equals(whole.bytes.subarray(-10))).toBe(true);
    const beyond = await bytesOf(`bytes=${monoBytes}-`);
    expect([beyond.status, beyond.range]).toEqual([416, `bytes */${monoBytes}`]);
  });

  it('is shown as loud as both sides are', async () => {
    const { body } = await service.request('GET', `${callPath}/waveform?buckets=20`);
    const wave = body as { duration_ms: number; person: number[]; agent: number[] };
    expect([wave.person.length, wave.agent.length]).toEqual([20, 20]);
    expect(Math.max(...wave.agent)).toBeGreaterThan(0.05);
    expect(wave.duration_ms).toBeGreaterThan(0);
    expect((await service.request('GET', `${callPath}/waveform?buckets=0`)).status).toBe(400);
  });

  it('may have been cleared away, and is missed by its name', async () => {
    await rm(join(service.dataDir, 'recordings'), { recursive: true });
    expect(await service.request('GET', `${path}/audio`)).toMatchObject({
      status: 404,
      body: { code: 'recording_not_found' },
    });
  });
});
