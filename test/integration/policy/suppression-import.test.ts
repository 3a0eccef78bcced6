import { describe, expect, it } from 'vitest';
import { later } from '#test/support/batches.js';
import { SuppressionService } from '#test/support/suppression-service.js';

const list = SuppressionService.forThisFile();
const freshNumber = () => list.freshNumber();
const add = (body: object) => list.add(body);
const importList = (...asked: Parameters<SuppressionService['importList']>) => list.importList(...asked);

describe('an imported list', () => {
  it('as JSON of many slices reports rows by position, and counts numbers across slices', async () => {
    const numbers = Array.from({ length: 450 }, () => freshNumber());
    const phone_numbers: unknown[] = [...numbers];
    phone_numbers[200] = '12ab';
    phone_numbers[449] = { phone_number: numbers[0] };
    const json = await list.service.request('POST', '/api/suppressions/import', { phone_numbers });

    expect(json.body).toMatchObject({
      valid: 449,
      added: 448,
      unchanged: 1,
      errors: [{ row: 201, field: 'phone_number' }],
    });
  });

  it('is refused when compressed', async () => {
    const headers = { 'content-encoding': 'gzip' };
    const body = JSON.stringify({ phone_numbers: [freshNumber()] });

    expect(await importList(body, 'application/json', '', headers)).toMatchObject({
      status: 415,
      body: { message: 'Send the body without a content-encoding.' },
    });
  });

  it('may be a table; invalid rows are reported and left out', async () => {
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
    expect((await list.service.request('GET', `/api/suppressions/${one}`)).status).toBe(404);

    const wet = await importList(table, 'text/csv');
    expect(wet).toMatchObject({ status: 200, body: { dry_run: false, ...expected } });
    expect((await list.service.request('GET', `/api/suppressions/${one}`)).body).toMatchObject({
      reason: 'opt_out',
      source: 'import',
    });
    expect((await importList(table, 'text/csv')).body).toMatchObject({ added: 0, unchanged: 2 });
  });

  it('may be plain lines, or JSON', async () => {
    const [one, two, three] = [freshNumber(), freshNumber(), freshNumber()];
    const lines = await importList(
      `${one}\n${two}\n\n${one}\n`,
      'text/plain',
      '?reason=do_not_call_registry',
    );
    const json = await list.service.request('POST', '/api/suppressions/import', {
      phone_numbers: [three, { phone_number: two }, '12ab', { reason: 'opt_out' }],
      reason: 'complaint',
    });

    expect(lines.body).toMatchObject({ valid: 3, added: 2, unchanged: 1, invalid: 0 });
    expect((await list.service.request('GET', `/api/suppressions/${two}`)).body).toMatchObject({
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
    expect((await list.service.request('GET', `/api/suppressions/${three}`)).body).toMatchObject({
      reason: 'complaint',
    });
  });

  it('takes the reason of the query for rows that give none, whatever its format', async () => {
    const [inJson, inForm, ofItsOwn] = [freshNumber(), freshNumber(), freshNumber()];
    const entryOf = async (number: string) =>
      (await list.service.request('GET', `/api/suppressions/${number}`)).body;
    const rows = [inJson, { phone_number: ofItsOwn, reason: 'opt_out' }];
    await importList(JSON.stringify({ phone_numbers: rows }), 'application/json', '?reason=deceased');
    const form =
      `--b\r\ncontent-disposition: form-data; name="file"; filename="list.csv"\r\n` +
      `content-type: text/csv\r\n\r\n${inForm}\r\n--b--\r\n`;
    await importList(form, 'multipart/form-data; boundary=b', '?reason=complaint');

    expect(await entryOf(inJson)).toMatchObject({ reason: 'deceased' });
    expect(await entryOf(ofItsOwn)).toMatchObject({ reason: 'opt_out' });
    expect(await entryOf(inForm)).toMatchObject({ reason: 'complaint' });
  });

  it('as JSON may be a dry run, too', async () => {
    const number = freshNumber();
    const asJson = (dryRun: unknown) =>
      importList(JSON.stringify({ phone_numbers: [number], dry_run: dryRun }), 'application/json');
    expect(await asJson(true)).toMatchObject({ status: 200, body: { dry_run: true, added: 1 } });
    expect((await list.service.request('GET', `/api/suppressions/${number}`)).status).toBe(404);
    expect(await asJson('yes')).toMatchObject({ status: 400, body: { details: [{ field: 'dry_run' }] } });
    expect(await asJson(null)).toMatchObject({ status: 200, body: { dry_run: false, added: 1 } });
  });

  it('may be a form with a file', async () => {
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
    expect((await list.service.request('GET', `/api/suppressions/${number}`)).body).toMatchObject({
      reason: 'deceased',
    });
    expect((await importList(form('+1415\n'.repeat(1_800_000)), type)).status).toBe(413);
    const long = await importList(form(`phone\n${number}${'\n'.repeat(2_000_000)}`, dry), type);
    expect(long).toMatchObject({ status: 200, body: { dry_run: true } });
  });

  it('of several slices is imported whole', async () => {
    const numbers = Array.from({ length: 1_001 }, (_, at) => `+4930${String(1_000_000 + at)}`);
    const answer = await importList(numbers.join('\n'), 'text/plain');

    expect(answer.body).toMatchObject({ valid: 1_001, added: 1_001, invalid: 0 });
  });

  it('accepts quotes, and reports a line with an open one', async () => {
    const rows = [`${freshNumber()},"a" b`, `${freshNumber()},c`, `${freshNumber()},"open`];
    const answer = await importList(`phone_number,note\n${rows.join('\n')}\n`, 'text/csv');

    expect(answer.body).toMatchObject({ added: 3, invalid: 0, warnings: [{ row: 4, field: 'row' }] });
  });

  it('is refused with U+0000 in any row', async () => {
    const answer = await importList(`phone,note\n${freshNumber()},a\0b\n`, 'text/csv');
    expect(answer).toMatchObject({ status: 400, body: { details: [{ field: 'body' }] } });
  });

  it('may be in UTF-16, as spreadsheets save it', async () => {
    const number = freshNumber();
    const table = Buffer.from(`\uFEFFphone\tnote\n${number}\tsaid so, ändern\n`, 'utf16le');
    expect((await importList(table, 'text/plain')).body).toMatchObject({ added: 1, invalid: 0 });
    expect((await list.service.request('GET', `/api/suppressions/${number}`)).body).toMatchObject({
      note: 'said so, ändern',
    });
  });

  it('in an unknown encoding is refused with the name of its field', async () => {
    const number = freshNumber();
    const table = Buffer.from(`phone,note\n${number},für immer\n`, 'latin1');
    const asFile = Buffer.concat([
      Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="list.csv"\r\n\r\n'),
      table,
      Buffer.from('\r\n--b--\r\n'),
    ]);
    const message = expect.stringContaining('is not UTF-8') as string;
    expect(await importList(table, 'text/csv')).toMatchObject({
      status: 400,
      body: { details: [{ field: 'body', message }] },
    });
    expect(await importList(asFile, 'multipart/form-data; boundary=b')).toMatchObject({
      status: 400,
      body: { details: [{ field: 'file', message }] },
    });
    expect((await list.service.request('GET', `/api/suppressions/${number}`)).status).toBe(404);
  });

  it('without a column of numbers is refused with the name of its field', async () => {
    const table = 'name,note\nAda,no\n';
    const form =
      '--b\r\ncontent-disposition: form-data; name="file"; filename="list.csv"\r\n\r\n' +
      `${table}\r\n--b--\r\n`;
    expect(await importList(table, 'text/csv')).toMatchObject({
      status: 400,
      body: { details: [{ field: 'body' }] },
    });
    expect(await importList(form, 'multipart/form-data; boundary=b')).toMatchObject({
      status: 400,
      body: { details: [{ field: 'file' }] },
    });
  });

  it('is reported for expired entries', async () => {
    const [one, two] = [freshNumber(), freshNumber()];
    const past = '2026-01-01T00:00:00Z';
    const table = await importList(`phone,expires_at\n${one},${past}\n${two},\n`, 'text/csv');
    expect(table.body).toMatchObject({
      added: 1,
      invalid: 1,
      errors: [{ row: 2, field: 'expires_at', message: 'must be in the future' }],
    });
    const json = await list.service.request('POST', '/api/suppressions/import', {
      phone_numbers: [one],
      expires_at: past,
    });
    expect(json).toMatchObject({ status: 400, body: { details: [{ field: 'expires_at' }] } });
    expect((await list.service.request('GET', `/api/suppressions/${one}`)).status).toBe(404);
  });

  it('reports in a dry run what it would add, also for a repeated number', async () => {
    const [one, two] = [freshNumber(), freshNumber()];
    const list = [one, two, one].join('\n');
    const expected = { valid: 3, added: 2, unchanged: 1 };
    expect((await importList(list, 'text/plain', '?dry_run=true')).body).toMatchObject(expected);
    expect((await importList(list, 'text/plain')).body).toMatchObject(expected);
  });

  it('cancels waiting calls to its numbers', async () => {
    const number = freshNumber();
    const call = await list.service.request('POST', '/outbound-call', {
      to_number: number,
      scheduled_time: later(),
    });
    const path = `/api/calls/${(call.body as { id: string }).id}`;
    expect((await list.service.request('GET', path)).body).toMatchObject({ status: 'scheduled' });
    await importList(number, 'text/plain');
    expect((await list.service.request('GET', path)).body).toMatchObject({
      status: 'failed',
      ended_reason: 'suppressed',
    });
  });

  it('is imported once for an idempotency key', async () => {
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
    ['-,age\n+14155550001,36\n', 'text/csv', 400],
    ['{}', 'application/json', 400],
    ['{"phone_numbers": []}', 'application/json', 400],
    ['{"phone_numbers": "all"}', 'application/json', 400],
    ['{"phone_numbers": [5]}', 'application/json', 400],
    ['x', 'multipart/form-data', 400],
    ['--b', 'multipart/form-data; boundary=b', 400],
    ['<numbers/>', 'application/xml', 415],
  ])('%s as %s is refused with %i', async (payload, type, status) => {
    expect((await importList(payload, type)).status).toBe(status);
  });

  it('of more than 10 MB is refused with 413', async () => {
    expect((await importList('+1415\n'.repeat(1_800_000), 'text/plain')).status).toBe(413);
  });
});
