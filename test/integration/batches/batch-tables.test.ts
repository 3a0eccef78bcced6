import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toInstant } from '#kernel/time/clock.js';
import { later, type BatchAnswer } from '#test/support/batches.js';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';

let service: TestService;
beforeAll(async () => {
  service = await buildTestService();
});
afterAll(() => service.close());

/** Sends a table to the import. @param query of the URL, such as `dry_run=true`; may be empty */
function imported(query: string, payload: string | Buffer, headers: Record<string, string> = {}) {
  return service.app.server.inject({
    method: 'POST',
    url: `/api/batches/import${query && `?${query}`}`,
    headers: { 'x-api-key': TEST_KEY, 'content-type': 'text/csv', ...headers },
    payload,
  });
}

describe('POST /api/batches/import', () => {
  const TABLE = 'Phone;Name;Plan\n+14155550123;Ada;gold\n\nnonsense;Bob;\n+14155550123;Eve;\n';

  it('previews a table line by line', async () => {
    const answer = await imported('dry_run=true', `\uFEFF${TABLE}`);
    expect(answer.json()).toMatchObject({
      object: 'batch_preflight',
      total_numbers: 3,
      valid: 1,
      invalid: { count: 1, rows: [{ row: 2, line: 4, field: 'phone_number', value: 'nonsense' }] },
      duplicates: { count: 1, rows: [{ row: 3, message: 'has the number of row 1' }] },
      columns: ['Plan'],
    });
  });

  it.each([
    ['as a table', 'text/csv', 'phone\n+14155550123\n12ab\n+14155550123\n'],
    ['as a list', 'application/json', '{"to_number": ["+14155550123", "12ab", "+14155550123"]}'],
  ])(
    'is previewed %s like a dry run: rows count from 1, and later mentions name the first',
    async (...sent) => {
      const [, type, payload] = sent;
      const headers = { 'x-api-key': TEST_KEY, 'content-type': type };
      const ask = async (url: string) =>
        (await service.app.server.inject({ method: 'POST', url, headers, payload })).json<object>();
      const preview = await ask('/api/batches/preflight');
      expect(preview).toMatchObject({
        valid: 1,
        callable_numbers: 1,
        invalid: { rows: [{ row: 2, value: '12ab' }] },
        duplicates: { rows: [{ row: 3, message: 'has the number of row 1' }] },
      });
      if (type !== 'text/csv') return;
      const { invalid, duplicates } = preview as { invalid: object; duplicates: object };
      expect(await ask('/api/batches/import?dry_run=true')).toMatchObject({ invalid, duplicates });
    },
  );

  it.each([
    ['with a region of its own, ', '&region=gb', 2],
    ['without, ', '', 1],
  ])('%snumbers as they are dialled there are read', async (_how, query, valid) => {
    const answer = await imported(`dry_run=true${query}`, 'phone\n020 7946 0958\n+14155550123\n');
    const { invalid, ...told } = answer.json<{ valid: number; invalid: { rows: object[] } }>();
    expect(told.valid).toBe(valid);
    if (valid === 1)
      expect(invalid.rows).toMatchObject([
        { value: '020 7946 0958', message: expect.stringContaining('DEFAULT_REGION') as string },
      ]);
  });

  it('names every line that cannot be called, however many they are', async () => {
    const lines = Array.from({ length: 3_000 }, (_, i) => (i % 2 ? 'nonsense' : `+1415${1_000_000 + i}`));
    const answer = await imported('dry_run=true', `phone\n${lines.join('\n')}\n`);
    const { valid, invalid } = answer.json<{
      valid: number;
      invalid: { count: number; rows: { row: number }[] };
    }>();
    expect([valid, invalid.count]).toEqual([1_500, 1_500]);
    expect(invalid.rows.map(({ row }) => row)).toEqual(Array.from({ length: 1_500 }, (_, i) => 2 * i + 2));
  });

  it('reports an invalid line with the messages of other responses', async () => {
    const answer = await imported('dry_run=true', `phone,name\n+14155550123,${'x'.repeat(201)}\n`);
    const { invalid } = answer.json<{ invalid: { rows: object[] } }>();
    expect(invalid.rows).toEqual([
      { row: 1, line: 2, field: 'name', message: 'must have at most 200 characters', value: 'x'.repeat(64) },
    ]);
  });

  it('names a line that cannot be read among those that cannot be called, in the order of the table', async () => {
    const table = 'phone,name\n+14155550123,"Ada\n12ab,Bob\n+14155550124,"Eve\n+14155550125,Zoë"\n';
    const send = (query: string) => imported(`scheduled_time=${later()}${query}`, table);
    const errors = [
      { row: 1, line: 2, field: 'row', message: 'has a quote that is not closed where its cell ends' },
      { row: 2, line: 3, field: 'phone_number', value: '12ab' },
      { row: 3, line: 4, field: 'row' },
    ];
    expect((await send('&dry_run=true')).json()).toMatchObject({
      valid: 1,
      invalid: { count: 3, rows: errors },
    });
    expect((await send('')).json()).toMatchObject({ total_numbers: 1, skipped: 3, errors });
  });

  it.each([
    ['scheduled_time=soon', 400, 'scheduled_time'],
    ['agent_id=agent_none', 404, 'agent_id'],
  ])('tries %s out as well, though nothing is made', async (query, status, field) => {
    const answer = await imported(`dry_run=true&${query}`, TABLE);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ details: [{ field }] });
  });

  it('makes a batch of a form with a file', async () => {
    const lines = [
      '--b',
      'content-disposition: form-data; name="scheduled_time"',
      '',
      later(),
      '--b',
      'content-disposition: form-data; name="max_concurrency"',
      '',
      '3',
      '--b',
      'content-disposition: form-data; name="file"; filename="people.csv"',
      'content-type: text/csv',
      '',
      TABLE,
      '--b--',
      '',
    ];
    const answer = await imported('', lines.join('\r\n'), {
      'content-type': 'multipart/form-data; boundary=b',
    });
    expect(answer.statusCode, answer.body).toBe(201);
    const batch = answer.json<BatchAnswer>();
    expect(batch).toMatchObject({ skipped: 1, total_numbers: 2, max_concurrency: 3, skipped_calls: 1 });
    expect((await service.request('GET', `/api/calls/${batch.call_ids[0]}`)).body).toMatchObject({
      customer_data: { name: 'Ada', Plan: 'gold' },
    });
  });

  it('gives back what was sent: metadata to events and calls, and every column to the results', async () => {
    const answer = await imported(
      `scheduled_time=${later()}`,
      'phone,name,plan,status,metadata.crm_id,note\n+14155550131,Ada,gold,new,42,\n+14155550132,Alan,,=1+1,,\n' +
        '12ab,Eve,=2,,43,only here\n+14155550134,"Open,silver,,,\n',
    );
    const { id, call_ids: calls } = answer.json<BatchAnswer>();
    expect((await service.request('GET', `/api/calls/${calls[0]}`)).body).toMatchObject({
      customer_data: { name: 'Ada', plan: 'gold', status: 'new' },
      metadata: { crm_id: '42' },
    });
    const table = await service.app.server.inject({
      url: `/api/batches/${id}/results.csv`,
      headers: { 'x-api-key': TEST_KEY },
    });
    const [head, ...rows] = table.body.trim().split('\n');
    expect(head).toMatch(/,plan,customer_data\.status,note,metadata\.crm_id$/);
    expect(rows[0]).toMatch(/,gold,new,,42$/);
    expect(rows[1]).toMatch(/,,'=1\+1,,$/);
    expect(rows[2]).toMatch(/^,,12ab,Eve,rejected,,"?row 3: phone_number is not an E\.164 number/);
    expect(rows[2]).toMatch(/,'=2,,only here,43$/);
    expect(rows[3]).toMatch(/^,,'?\+14155550134,.*rejected,,"?row 4: row has a quote/);
  });

  it('passes over the empty rows that spreadsheets leave behind', async () => {
    const answer = await imported(
      'dry_run=true',
      'phone,name\r\n+14155550123,Ada\r\n,\r\n\r\n12ab,\r\n , \r\n',
    );
    expect(answer.json()).toMatchObject({ valid: 1, invalid: { rows: [{ row: 2, line: 5 }] } });
  });

  it('makes one batch of a table that is sent twice with the same key', async () => {
    const url = `/api/batches/import?scheduled_time=${later()}`;
    const send = (payload: string) =>
      service.app.server.inject({
        method: 'POST',
        url,
        headers: { 'x-api-key': TEST_KEY, 'content-type': 'text/csv', 'idempotency-key': 'table' },
        payload,
      });
    const first = await send(TABLE);
    expect(first.statusCode, first.body).toBe(201);
    expect(first.headers['location']).toBe(`/api/batches/${first.json<BatchAnswer>().id}`);
    const again = await send(TABLE);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.headers['location']).toBe(first.headers['location']);
    expect(again.json()).toEqual(first.json());
    expect((await send(`${TABLE}+14155550177;Zoë;\n`)).statusCode).toBe(422);
    expect((await send(TABLE.replace(/\d(?=\D)/, '9'))).statusCode).toBe(422);
  });

  it('says which types it takes where another was sent', async () => {
    const answer = await imported('', 'phone\n+14155550123\n', {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      415,
      { message: 'Send the body as text/csv or multipart/form-data.' },
    ]);
  });

  it.each([
    ['text/csv', 'a,b\n1,2\n', 400],
    ['text/csv', '', 400],
    ['text/csv', 'phone\nnonsense\n', 400],
    ['text/csv', 'phone,note\n+14155550123,a\u0000b\n', 400],
    ['text/csv', Buffer.from('phone,name\n+14155550123,Zoë\n', 'latin1'), 400],
    ['text/csv', 'phone\n"+14155550123\n', 400],
    ['application/pdf', 'x', 415],
    ['multipart/form-data', 'x', 400],
    ['multipart/form-data; boundary=b', '', 400],
    [
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a"',
      400,
    ],
    [
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="metadata"\r\ncontent-type: application/json\r\n\r\n{\r\n--b--\r\n',
      400,
    ],
  ])('refuses %s %j', async (type, payload, status) => {
    const answer = await imported('', payload, { 'content-type': type });
    expect(answer.statusCode, answer.body).toBe(status);
  });

  it.each([
    ['metadata.note', '{"note":"a\\u0000b"}', 'text/plain'],
    ['metadata.size', '{"size":1e400}', 'text/plain'],
    ['metadata.note', '{"note":"\\ud800"}', 'application/json'],
    ['metadata', `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, 'text/plain'],
    ['metadata', `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, 'application/json'],
    ['name', 'a\u0000b', 'text/plain'],
    ['file', 'phone\n+14155550124\n', 'text/csv'],
  ])('refuses a form and names its field %s: %.20s as %.20s', async (field, value, type) => {
    const partOf = (name: string, kind: string, content: string, file = '') =>
      `--b\r\ncontent-disposition: form-data; name="${name}"${file}\r\ncontent-type: ${kind}\r\n\r\n${content}\r\n`;
    const asFile = '; filename="a.csv"';
    const answer = await imported(
      '',
      partOf('file', 'text/csv', 'phone\n+14155550123\n', asFile) +
        partOf(field.split('.', 1)[0]!, type, value, field === 'file' ? asFile : '') +
        '--b--\r\n',
      { 'content-type': 'multipart/form-data; boundary=b' },
    );
    expect(answer.json()).toMatchObject({ status: 400, details: [{ field }] });
  });
});

describe('POST /api/batches/preflight', () => {
  it('knows no agent that the batch would not find', async () => {
    const wish = { to_number: ['+14155550123'], agent_id: 'agent_none' };
    expect(await service.request('POST', '/api/batches/preflight', wish)).toMatchObject({
      status: 404,
      body: { error: 'agent does not exist', details: [{ field: 'agent_id' }] },
    });
  });

  it('reports uncalled numbers with reasons and the finish, without creating anything', async () => {
    await service.request('POST', '/api/suppressions', { phone_number: '+14155550199', reason: 'opt_out' });
    const before = await service.request('GET', '/api/batches');
    const scheduled = later();
    const { status, body } = await service.request('POST', '/api/batches/preflight', {
      to_number: ['nonsense', '+14155550123', '+14155550123', '+14155550199', '+14155550124'],
      scheduled_time: scheduled,
      max_concurrency: 1,
    });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({
      total_numbers: 5,
      callable_numbers: 2,
      invalid: { count: 1, rows: [{ row: 1, field: 'phone_number' }] },
      duplicates: { count: 1, rows: [{ row: 3 }] },
      suppressed: { count: 1, rows: [{ row: 4, reason: 'suppressed' }] },
      first_call_at: scheduled,
      projected_finish: toInstant(Date.parse(scheduled) + 2 * 68_000),
      peak_concurrency: 1,
      // As fast as the carrier allows, since CALLS_PER_SECOND is not set: here that of the sandbox.
      assumptions: { calls_per_second: 1_000 },
    });
    expect((await service.request('GET', '/api/batches')).body).toEqual(before.body);
  });
});
