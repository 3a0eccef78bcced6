import { describe, expect, it } from 'vitest';
import { SuppressionService } from '#test/support/suppression-service.js';

const list = SuppressionService.forThisFile();
const freshNumber = () => list.freshNumber();
const add = (body: object) => list.add(body);
const importList = (...asked: Parameters<SuppressionService['importList']>) => list.importList(...asked);

describe('the rows of an imported list', () => {
  it('may have a note over two lines', async () => {
    const [first, second] = [freshNumber(), freshNumber()];
    const table = `phone_number,note\n${first},"called on Monday\nvery angry"\n${second},fine\n`;
    expect((await importList(table, 'text/csv')).body).toMatchObject({ valid: 2, errors: [] });
  });

  it('have their numbers in the same columns as tables of callees', async () => {
    const number = freshNumber();
    const table = `Number,Name,Phone\n2125550177,Ada,${number}\n`;
    expect((await importList(table, 'text/csv', '?region=US')).body).toMatchObject({ valid: 1 });
    expect(
      (await list.service.request('GET', `/api/suppressions/${encodeURIComponent(number)}`)).status,
    ).toBe(200);
  });

  it.each([
    ['phone,note', (number: string) => `${number},"said so`],
    ['note,phone,expires_at', (number: string) => `so,${number},"2020-01-01T00:00:00Z`],
    ['phone,note', (number: string) => `${number},${'x'.repeat(200_000)}`],
  ])('under "%s" are imported by a number before an unreadable cell', async (head, stray) => {
    const [number, other] = [freshNumber(), freshNumber()];
    const table = `${head}\n${stray(number)}\n${head.startsWith('note') ? ',' : ''}${other}`;
    const counts = { valid: 2, invalid: 0, added: 2, unchanged: 0, errors: [] };
    const warnings = [
      { row: 2, field: 'row', message: expect.stringContaining('only its number') as string },
    ];
    expect((await importList(table, 'text/csv', '?dry_run=true')).body).toMatchObject({
      ...counts,
      warnings,
    });
    expect((await importList(table, 'text/csv')).body).toMatchObject({ ...counts, warnings });
    const { body } = await list.service.request('GET', `/api/suppressions/${number}`);
    expect(body).toMatchObject({ phone_number: number, note: null, expires_at: null });
  });

  it.each([
    ['phone,note', (number: string) => `${number},"said so`],
    ['phone,note', (number: string) => `${number},said so"`],
    ['phone,note', (number: string) => `${number},"said "so`],
    ['name,phone', (number: string) => `"Ada,${number}`],
    ['name,phone', (number: string) => `"Ada,${number},"`],
    ['phone', (number: string) => `"${number}`],
    ['', (number: string) => `"${number}`],
  ])('under "%s" are all imported or reported after a stray quote', async (head, stray) => {
    const numbers = Array.from({ length: 5 }, freshNumber);
    const rowOf = (number: string) => (head.startsWith('name') ? `Eve,${number}` : `${number},""`);
    const rows = numbers.map((number, at) => (at === 1 || at === 3 ? stray(number) : rowOf(number)));
    const answer = await importList([head, ...rows].join('\n'), 'text/csv');

    expect(answer.status).toBe(200);
    const named = (answer.body['errors'] as { row: number }[]).map(({ row }) => numbers[row - 2]);
    for (const number of numbers) {
      const { status } = await list.service.request('GET', `/api/suppressions/${number}`);
      expect([number, status === 200, named.includes(number)]).toEqual([
        number,
        !named.includes(number),
        named.includes(number),
      ]);
    }
    expect(answer.body).toMatchObject({ valid: 5 - named.length, invalid: named.length });
    expect(named).not.toContain(numbers[2]);
    expect(named).not.toContain(numbers[4]);
  });

  it('are refused when the first line cannot be parsed', async () => {
    const number = freshNumber();
    const answer = await importList(`phone,"note\n${number},a"\n`, 'text/csv');
    expect(answer).toMatchObject({
      status: 400,
      body: { details: [{ field: 'body', message: expect.stringContaining('line 1 has a quote') }] },
    });
  });

  it.each(['\n', '\r\n', '\r'])('may end with %j', async (end) => {
    const numbers = [freshNumber(), freshNumber()];
    const rows = ['phone,note', ...numbers.map((number) => `${number},so`), ''];
    expect((await importList(rows.join(end), 'text/csv')).body).toMatchObject({ added: 2, invalid: 0 });
  });

  it.each([
    ['for ever on a later line', ['2026-12-01T00:00:00Z', ''], null],
    ['for ever on an earlier line', ['', '2026-12-01T00:00:00Z'], null],
    ['longer on a later line', ['2026-12-01T00:00:00Z', '2027-06-01T00:00:00Z'], '2027-06-01T00:00:00.000Z'],
    [
      'longer on an earlier line',
      ['2027-06-01T00:00:00Z', '2026-12-01T00:00:00Z'],
      '2027-06-01T00:00:00.000Z',
    ],
  ])('use the latest expiry of a repeated number: %s', async (_where, ends, end) => {
    const [number, other] = [freshNumber(), freshNumber()];
    // The two lines of the number are in different slices.
    const between = Array.from({ length: 250 }, () => other);
    const rows = [`${number},${ends[0]}`, ...between.map((row) => `${row},`), `${number},${ends[1]}`];
    const table = ['phone,expires_at', ...rows].join('\n');
    const counts = { valid: 252, invalid: 0, added: 2, unchanged: 250 };
    expect((await importList(table, 'text/csv', '?dry_run=true')).body).toMatchObject(counts);
    expect((await importList(table, 'text/csv')).body).toMatchObject(counts);
    const path = `/api/suppressions/${number}`;
    expect((await list.service.request('GET', path)).body).toMatchObject({ expires_at: end });
  });

  it('never make the expiry of an entry earlier', async () => {
    const number = freshNumber();
    await add({ phone_number: number });
    const table = `phone,expires_at\n${number},2027-06-01T00:00:00Z\n`;
    const counts = { added: 0, unchanged: 1 };
    expect((await importList(table, 'text/csv', '?dry_run=true')).body).toMatchObject(counts);
    expect((await importList(table, 'text/csv')).body).toMatchObject(counts);
    await add({ phone_number: number, expires_at: '2027-06-01T00:00:00Z' });
    expect((await list.service.request('GET', `/api/suppressions/${number}`)).body).toMatchObject({
      expires_at: null,
    });
  });
});
