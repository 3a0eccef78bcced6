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

  it('may have been cleared away, and is missed by its name', async () => {
    await rm(join(service.dataDir, 'recordings'), { recursive: true });
    expect(await service.request('GET', `${path}/audio`)).toMatchObject({
      status: 404,
      body: { code: 'recording_not_found' },
    });
  });
});
