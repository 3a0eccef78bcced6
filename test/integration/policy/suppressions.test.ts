import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '#test/support/fake-clock.js';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';

const START = Date.parse('2026-11-25T11:00:00Z');
let service: TestService;
let clock: FakeClock;
let serial = 0;
const freshNumber = () => `+1415555${String((serial += 1)).padStart(4, '0')}`;

beforeAll(async () => {
  clock = new FakeClock(START);
  service = await buildTestService({ replace: { clock } });
});
afterAll(() => service.close());

type Entry = Record<string, unknown> & { id: string };
interface Failure {
  code: string;
  details: { field: string }[];
}

async function add(body: object, headers: Record<string, string> = {}) {
  const answer = await service.app.server.inject({
    method: 'POST',
    url: '/api/suppressions',
    headers: { 'x-api-key': TEST_KEY, ...headers },
    payload: body,
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json<Entry>() };
}

describe('an entry', () => {
  let number: string;
  beforeEach(() => {
    number = freshNumber();
  });

  it('is added, read by id and by number, found in the list, and removed', async () => {
    const added = await add({ phone_number: number, reason: 'complaint', note: 'by e-mail' });

    expect(added.status).toBe(201);
    expect(added.headers['location']).toBe(`/api/suppressions/${added.body.id}`);
    expect(added.body).toMatchObject({
      suppression_id: added.body.id,
      object: 'suppression',
      phone_number: number,
      reason: 'complaint',
      source: 'api',
      note: 'by e-mail',
      call_id: null,
      expires_at: null,
    });
    for (const key of [added.body.id, encodeURIComponent(number), number.slice(1)]) {
      const found = await service.request('GET', `/api/suppressions/${key}`);
      expect(found).toEqual({ status: 200, body: added.body });
    }
    const list = await service.request('GET', `/api/suppressions?phone_number=${encodeURIComponent(number)}`);
    expect(list.body).toMatchObject({ object: 'list', data: [added.body], has_more: false });

    const removed = await service.request('DELETE', `/api/suppressions/${encodeURIComponent(number)}`);
    expect(removed).toEqual({ status: 200, body: { ...added.body, deleted: true } });
    expect((await service.request('DELETE', `/api/suppressions/${added.body.id}`)).status).toBe(404);
  });

  it('that exists stays; only a later expiry counts', async () => {
    const first = await add({ phone_number: number, reason: 'opt_out', expires_at: '2026-12-01T00:00:00Z' });
    const shorter = await add({ phone_number: number, expires_at: '2026-11-26T00:00:00Z' });
    const forEver = await add({ phone_number: number });

    expect(shorter).toMatchObject({
      status: 200,
      body: { id: first.body.id, reason: 'opt_out', expires_at: '2026-12-01T00:00:00.000Z' },
    });
    expect(forEver).toMatchObject({ status: 200, body: { id: first.body.id, expires_at: null } });
  });

  it('that has expired is gone, and can be created again', async () => {
    const first = await add({ phone_number: number, expires_at: '2026-11-25T12:00:00Z' });
    await clock.advance(3_600_000);

    expect((await service.request('GET', `/api/suppressions/${first.body.id}`)).status).toBe(404);
    const second = await add({ phone_number: number, reason: 'opt_out' });
    expect(second).toMatchObject({ status: 201, body: { reason: 'opt_out' } });
    expect(second.body.id).not.toBe(first.body.id);
  });

  it('cancels calls that wait to dial the number before it expires, and no others', async () => {
    const wish = { to_number: number, scheduled_time: '2026-11-25T18:00:00Z' };
    const statusAfter = async (expires: string) => {
      const { body } = await service.request('POST', '/outbound-call', wish);
      await add({ phone_number: number, expires_at: expires });
      const call = await service.request('GET', `/api/calls/${(body as { id: string }).id}`);
      return (call.body as { status: string }).status;
    };
    expect(await statusAfter('2026-11-25T17:00:00Z')).toBe('scheduled');
    expect(await statusAfter('2026-11-25T19:00:00Z')).toBe('failed');
  });

  it('is created once for an idempotency key', async () => {
    const headers = { 'idempotency-key': `key-${number}` };
    const first = await add({ phone_number: number }, headers);
    const again = await add({ phone_number: number }, headers);

    expect(again.status).toBe(201);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.headers['location']).toBe(first.headers['location']);
    expect(again.body).toEqual(first.body);
    expect((await add({ phone_number: freshNumber() }, headers)).status).toBe(422);
  });

  it.each([
    [{}, 'phone_number', 'invalid_phone_number'],
    [{ phone_number: '12ab' }, 'phone_number', 'invalid_phone_number'],
    [{ phone_number: 5 }, 'phone_number', 'validation_error'],
    [{ phone_number: '+14155550123', reason: 'whim' }, 'reason', 'validation_error'],
    [{ phone_number: '+14155550123', note: 'x'.repeat(501) }, 'note', 'validation_error'],
    [{ phone_number: '+14155550123', expires_at: 'tomorrow' }, 'expires_at', 'invalid_time'],
    [{ phone_number: '+14155550123', expires_at: '2026-01-01T00:00:00Z' }, 'expires_at', 'validation_error'],
  ])('%j is refused, naming %s', async (body, field, code) => {
    const answer = await add(body);
    const failure = answer.body as unknown as Failure;

    expect(answer.status).toBe(400);
    expect(failure.details.map((detail) => detail.field)).toEqual([field]);
    if (Object.keys(body).length > 0) expect(failure.code).toBe(code);
  });
});

describe('the list', () => {
  it('is filtered and paged, newest first', async () => {
    const numbers = [freshNumber(), freshNumber(), freshNumber()];
    for (const phone_number of numbers) await add({ phone_number, reason: 'deceased' });
    const first = await service.request('GET', '/api/suppressions?reason=deceased&limit=2');
    const page = first.body as { data: Entry[]; next_cursor: string };
    const rest = await service.request(
      'GET',
      `/api/suppressions?reason=deceased&limit=2&cursor=${page.next_cursor}`,
    );

    expect(page.data.map((entry) => entry['phone_number'])).toEqual([numbers[2], numbers[1]]);
    expect(rest.body).toMatchObject({ data: [{ phone_number: numbers[0] }], has_more: false });
  });

  it('is filtered by a number with an unencoded plus sign, whatever the region', async () => {
    const german = await buildTestService({ environment: { DEFAULT_REGION: 'DE' } });
    try {
      await german.request('POST', '/api/suppressions', { phone_number: '+14155550123' });
      const found = async (number: string) => {
        const answer = await german.request('GET', `/api/suppressions?phone_number=${number}`);
        return (answer.body as { data: Entry[] }).data.map((entry) => entry['phone_number']);
      };

      expect(await found('+14155550123')).toEqual(['+14155550123']);
      expect(await found('+493012345,+14155550123')).toEqual(['+14155550123']);
    } finally {
      await german.close();
    }
  });

  it.each([
    'reason=whim',
    'source=dream',
    'phone_number=nobody',
    'limit=0',
    'cursor=x',
    'created_after=soon',
  ])('?%s is refused', async (query) => {
    const answer = await service.request('GET', `/api/suppressions?${query}`);

    expect(answer.status).toBe(400);
    expect((answer.body as Failure).details[0]?.field).toContain(`query.${query.split('=')[0]}`);
  });

  it('reports which of the numbers are on it', async () => {
    const [on, off] = [freshNumber(), freshNumber()];
    await add({ phone_number: on });
    const answer = await service.request('POST', '/api/suppressions/check', { phone_numbers: [off, on, on] });

    expect(answer).toMatchObject({
      status: 200,
      body: {
        suppressed: 1,
        results: [
          { phone_number: off, suppressed: false, suppression: null },
          { phone_number: on, suppressed: true, suppression: { phone_number: on } },
          { phone_number: on, suppressed: true },
        ],
      },
    });
    for (const phone_numbers of [[], ['12ab'], 'all', Array(1_001).fill(on)]) {
      expect((await service.request('POST', '/api/suppressions/check', { phone_numbers })).status).toBe(400);
    }
  });
});
