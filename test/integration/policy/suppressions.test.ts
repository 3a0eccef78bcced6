import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../support/fake-clock.js';
import { buildTestHouse, TEST_KEY, type TestHouse } from '../../support/house.js';

const START = Date.parse('2026-11-25T11:00:00Z');
let house: TestHouse;
let clock: FakeClock;
let serial = 0;
/** A number that no other test uses. */
const freshNumber = () => `+1415555${String((serial += 1)).padStart(4, '0')}`;

beforeAll(async () => {
  clock = new FakeClock(START);
  house = await buildTestHouse({ replace: { clock } });
});
afterAll(() => house.close());

type Entry = Record<string, unknown> & { id: string };
interface Failure {
  code: string;
  details: { field: string }[];
}

async function add(body: object, headers: Record<string, string> = {}) {
  const answer = await house.app.server.inject({
    method: 'POST',
    url: '/api/suppressions',
    headers: { 'x-api-key': TEST_KEY, ...headers },
    payload: body,
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json<Entry>() };
}

async function importList(payload: string, type: string, query = '', headers: Record<string, string> = {}) {
  const answer = await house.app.server.inject({
    method: 'POST',
    url: `/api/suppressions/import${query}`,
    headers: { 'x-api-key': TEST_KEY, 'content-type': type, ...headers },
    payload,
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json<Record<string, unknown>>() };
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
      const found = await house.request('GET', `/api/suppressions/${key}`);
      expect(found).toEqual({ status: 200, body: added.body });
    }
    const list = await house.request('GET', `/api/suppressions?phone_number=${encodeURIComponent(number)}`);
    expect(list.body).toMatchObject({ object: 'list', data: [added.body], has_more: false });

    const removed = await house.request('DELETE', `/api/suppressions/${encodeURIComponent(number)}`);
    expect(removed).toEqual({ status: 200, body: { ...added.body, deleted: true } });
    expect((await house.request('DELETE', `/api/suppressions/${added.body.id}`)).status).toBe(404);
  });

  it('that is there stays; only a later end counts', async () => {
    const first = await add({ phone_number: number, reason: 'opt_out', expires_at: '2026-12-01T00:00:00Z' });
    const shorter = await add({ phone_number: number, expires_at: '2026-11-26T00:00:00Z' });
    const forEver = await add({ phone_number: number });

    expect(shorter).toMatchObject({
      status: 200,
      body: { id: first.body.id, reason: 'opt_out', expires_at: '2026-12-01T00:00:00.000Z' },
    });
    expect(forEver).toMatchObject({ status: 200, body: { id: first.body.id, expires_at: null } });
  });

  it('that has ended is gone, and can be made anew', async () => {
    const first = await add({ phone_number: number, expires_at: '2026-11-25T12:00:00Z' });
    await clock.advance(3_600_000);

    expect((await house.request('GET', `/api/suppressions/${first.body.id}`)).status).toBe(404);
    const second = await add({ phone_number: number, reason: 'opt_out' });
    expect(second).toMatchObject({ status: 201, body: { reason: 'opt_out' } });
    expect(second.body.id).not.toBe(first.body.id);
  });

  it('is made once for one idempotency key', async () => {
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
    const first = await house.request('GET', '/api/suppressions?reason=deceased&limit=2');
    const page = first.body as { data: Entry[]; next_cursor: string };
    const rest = await house.request(
      'GET',
      `/api/suppressions?reason=deceased&limit=2&cursor=${page.next_cursor}`,
    );

    expect(page.data.map((entry) => entry['phone_number'])).toEqual([numbers[2], numbers[1]]);
    expect(rest.body).toMatchObject({ data: [{ phone_number: numbers[0] }], has_more: false });
  });

  it.each([
    'reason=whim',
    'source=dream',
    'phone_number=nobody',
    'limit=0',
    'cursor=x',
    'created_after=soon',
  ])('?%s is refused', async (query) => {
    const answer = await house.request('GET', `/api/suppressions?${query}`);

    expect(answer.status).toBe(400);
    expect((answer.body as Failure).details[0]?.field).toContain(`query.${query.split('=')[0]}`);
  });

  it('answers which of some numbers are on it', async () => {
    const [on, off] = [freshNumber(), freshNumber()];
    await add({ phone_number: on });
    const answer = await house.request('POST', '/api/suppressions/check', { phone_numbers: [off, on, on] });

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
      expect((await house.request('POST', '/api/suppressions/check', { phone_numbers })).status).toBe(400);
    }
  });
});

describe('an imported list', () => {
  it('is a table; every wrong row is named and left out', async () => {
    const [one, two, three] = [freshNumber(), freshNumber(), freshNumber()];
    await add({ phone_number: two });
    const table = [
      'Name;Phone;Reason;Expires_At',
      `Ada;${one};opt_out;`,
      `Alan;${two};;`,
      'Bob;12ab;;',
      `Eve;${three};whim;`,
      `Eve;;opt_out;`,
      `Mallory;${three};;not a time`,
    ].join('\r\n');
    const expected = {
      valid: 2,
      invalid: 4,
      added: 1,
      unchanged: 1,
      errors: [
        { row: 4, field: 'phone_number', message: 'is not an E.164 number such as +14155550123' },
        { row: 5, field: 'reason', message: expect.stringContaining('must be one of opt_out') },
        { row: 6, field: 'phone_number', message: 'is required' },
        { row: 7, field: 'expires_at', message: expect.stringContaining('is not a time') },
      ],
    };

    const dry = await importList(table, 'text/csv', '?dry_run=true');
    expect(dry).toMatchObject({ status: 200, body: { dry_run: true, ...expected } });
    expect((await house.request('GET', `/api/suppressions/${one}`)).status).toBe(404);

    const wet = await importList(table, 'text/csv');
    expect(wet).toMatchObject({ status: 200, body: { dry_run: false, ...expected } });
    expect((await house.request('GET', `/api/suppressions/${one}`)).body).toMatchObject({
      reason: 'opt_out',
      source: 'import',
    });
    expect((await importList(table, 'text/csv')).body).toMatchObject({ added: 0, unchanged: 2 });
  });

  it('is plain lines, or JSON', async () => {
    const [one, two, three] = [freshNumber(), freshNumber(), freshNumber()];
    const lines = await importList(
      `${one}\n${two}\n\n${one}\n`,
      'text/plain',
      '?reason=do_not_call_registry',
    );
    const json = await house.request('POST', '/api/suppressions/import', {
      phone_numbers: [three, { phone_number: two }, '12ab', { reason: 'opt_out' }],
      reason: 'complaint',
    });

    expect(lines.body).toMatchObject({ valid: 3, added: 2, unchanged: 1, invalid: 0 });
    expect((await house.request('GET', `/api/suppressions/${two}`)).body).toMatchObject({
      reason: 'do_not_call_registry',
    });
    expect(json.body).toMatchObject({
      valid: 2,
      added: 1,
      errors: [
        { row: 3, field: 'phone_number' },
        { row: 4, field: 'phone_number', message: 'is required' },
      ],
    });
    expect((await house.request('GET', `/api/suppressions/${three}`)).body).toMatchObject({
      reason: 'complaint',
    });
  });

  it('is a form, with a file', async () => {
    const number = freshNumber();
    const form = (rows: string, more = '') =>
      `--b\r\ncontent-disposition: form-data; name="reason"\r\n\r\ndeceased\r\n${more}` +
      `--b\r\ncontent-disposition: form-data; name="file"; filename="list.csv"\r\n` +
      `content-type: text/csv\r\n\r\n${rows}\r\n--b--\r\n`;
    const type = 'multipart/form-data; boundary=b';
    const dry = '--b\r\ncontent-disposition: form-data; name="dry_run"\r\n\r\ntrue\r\n';

    expect(await importList(form(number, dry), type)).toMatchObject({ status: 200, body: { dry_run: true } });
    const answer = await importList(form(`phone\n${number}\n12ab`), type);
    expect(answer.body).toMatchObject({ added: 1, invalid: 1, errors: [{ row: 3, field: 'phone_number' }] });
    expect((await house.request('GET', `/api/suppressions/${number}`)).body).toMatchObject({
      reason: 'deceased',
    });
    expect((await importList(form('+1415\n'.repeat(1_800_000)), type)).status).toBe(413);
  });

  it('of several slices is imported whole', async () => {
    const numbers = Array.from({ length: 1_001 }, (_, at) => `+4930${String(1_000_000 + at)}`);
    const answer = await importList(numbers.join('\n'), 'text/plain');

    expect(answer.body).toMatchObject({ valid: 1_001, added: 1_001, invalid: 0 });
  });

  it('forgives quotes, and names a line that has no end', async () => {
    const rows = [`${freshNumber()},"a" b`, `${freshNumber()},c`, `${freshNumber()},"open`];
    const answer = await importList(`phone_number,note\n${rows.join('\n')}\n`, 'text/csv');

    expect(answer.body).toMatchObject({ added: 2, invalid: 1, errors: [{ field: 'row' }] });
  });

  it('is done once for one idempotency key', async () => {
    const headers = { 'idempotency-key': 'import-1' };
    const number = freshNumber();
    const first = await importList(number, 'text/plain', '', headers);
    const again = await importList(number, 'text/plain', '', headers);

    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body).toEqual(first.body);
  });

  it.each([
    ['', 'text/csv', 400],
    ['name,age\nAda,36\n', 'text/csv', 400],
    ['{}', 'application/json', 400],
    ['{"phone_numbers": []}', 'application/json', 400],
    ['{"phone_numbers": "all"}', 'application/json', 400],
    ['{"phone_numbers": [5]}', 'application/json', 400],
    ['<numbers/>', 'application/xml', 415],
    ['+1415\n'.repeat(1_800_000), 'text/plain', 413],
  ])('%.20s as %s is refused with %i', async (payload, type, status) => {
    expect((await importList(payload, type)).status).toBe(status);
  });
});
