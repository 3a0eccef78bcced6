import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { describe, expect, it } from 'vitest';
import { readTable } from '#batches/intake/recipient-table.js';
import { answersCell, escapeFormula } from '#batches/results/results-csv.js';

const read = (text: string) => readTable(new TextEncoder().encode(text));

describe('a table of callees', () => {
  it.each([
    ['commas', 'phone_number,name,city\n+14155550123,Ada,Rome\n'],
    ['semicolons', 'Name;Phone Number;city\nAda;+14155550123;Rome\n'],
    ['tabs', 'to\tname\tcity\n+14155550123\tAda\tRome'],
    [
      'a byte order mark, and lines as Windows ends them',
      '\uFEFFNUMBER,Name,city\r\n+14155550123,Ada,Rome\r\n',
    ],
    ['blanks and empty lines', '\n phone , name , city \n\n +14155550123 , Ada , Rome \n\n'],
    ['quotes', '"phone","name","city"\n"+14155550123","Ada","Rome"\n'],
  ])('is understood with %s', (_how, text) => {
    expect(read(text)).toMatchObject({
      recipients: [{ phone_number: '+14155550123', name: 'Ada', customer_data: { city: 'Rome' } }],
      columns: ['city'],
    });
  });

  it.each(['little', 'big'])('is understood as spreadsheets write "Unicode text", %s end first', (end) => {
    const bytes = Buffer.from('\uFEFFphone\tname\tcity\r\n+14155550123\tZoë\tŁódź\r\n', 'utf16le');
    expect(readTable(end === 'big' ? bytes.swap16() : bytes)).toMatchObject({
      recipients: [{ phone_number: '+14155550123', name: 'Zoë', customer_data: { city: 'Łódź' } }],
      columns: ['city'],
    });
  });

  it('of another encoding says how to save it', () => {
    expect(readTable(Buffer.from('phone,name\n+14155550123,Zoë\n', 'latin1'))).toEqual({
      message: 'is not UTF-8: save the table as CSV in UTF-8',
    });
  });

  it('takes other separators than that of its heading for text', () => {
    expect(read('phone,note\n+14155550123,tea; no milk\n')).toMatchObject({
      recipients: [{ customer_data: { note: 'tea; no milk' } }],
    });
    expect(read('phone;"a,b";price\n+14155550123;x;1,50\n')).toMatchObject({
      recipients: [{ customer_data: { 'a,b': 'x', price: '1,50' } }],
    });
  });

  it('counts lines as an editor does, over texts of several lines', () => {
    const table = read('phone,note\n1,"one\ntwo\nthree"\n\n2,\n3,short,too,long\n4\n');
    expect(table).toMatchObject({ places: [4, 6, 7, 8].map((line, i) => ({ row: i + 1, line })) });
  });

  it('loses one line to a quote that was left open, and names it', () => {
    const table = [
      'phone,name,note',
      '+14155550123,"Ada,',
      '+14155550124,Alan,5" screen',
      '+14155550125,"Bob" Dylan,',
      '+14155550126,"Zoë',
      '+14155550127,Eve"',
      `+14155550128,${'x'.repeat(200_000)}`,
      '+14155550129,Mallory,"one',
      'two"',
    ].join('\n');
    expect(read(table)).toMatchObject({
      recipients: [
        { phone_number: '+14155550124', customer_data: { note: '5" screen' } },
        { phone_number: '+14155550125', name: '"Bob" Dylan' },
        { phone_number: '+14155550127', name: 'Eve"' },
        { phone_number: '+14155550129', customer_data: { note: 'one\ntwo' } },
      ],
      places: [
        [2, 3],
        [3, 4],
        [5, 6],
        [7, 9],
      ].map(([row, line]) => ({ row, line })),
      flaws: [
        { line: 2, flaw: 'has a quote that is not closed where its cell ends' },
        { line: 5, flaw: 'has a quote that is not closed where its cell ends' },
        { line: 7, flaw: 'is longer than 131072 characters' },
      ],
    });
  });

  it('recognises a national number inside an open quote', () => {
    const text = new TextEncoder().encode('name,phone\n"Ada,0151 23456789\nBob,0151 23456788"\n');
    expect(readTable(text, 'DE')).toMatchObject({
      recipients: [{ phone_number: '0151 23456788"', name: 'Bob' }],
      flaws: [{ line: 2 }],
    });
  });

  it('keeps any text', () => {
    const cell = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '').trim());
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 20 }), (rows) => {
        const given = [['phone', 'name', 'note'], ...rows.map((row) => ['+1', ...row])];
        const table = read(stringify(given, { quoted_match: /\r/ }));
        if (!('recipients' in table)) throw new Error(table.message);
        expect(table.recipients.map((recipient) => recipient.customer_data['note'] ?? '')).toEqual(
          rows.map(([, note]) => note),
        );
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['nothing', '', 'must have a column with one of these names: phone_number'],
    ['no column of numbers', 'a,b\n1,2\n', 'must have a column'],
    ['a heading with an open quote', 'phone,"open\n1,2\n', 'line 1 has a quote that is not closed'],
    ['a NUL', 'phone\n1\0\n', 'U+0000'],
    ['a heading without end', `phone${'e'.repeat(200_000)}\n`, 'can be read'],
  ])('is refused: %s', (_what, text, why) => {
    expect(read(text)).toMatchObject({ message: expect.stringContaining(why) });
  });
});

describe('a text in a table', () => {
  it.each([
    '=1+1',
    '+1',
    '-1',
    '@sum',
    ' =1',
    '\t=1',
    '\n=1',
    '＝1',
    '\r',
    '\u200b=1',
    '\u00ad@sum',
    '\u2800+1',
    '\u3164-1',
    '\ufe0f=1',
    '\u202e=1',
    '\u0007=1',
  ])('cannot be a formula: %j', (text) => {
    expect(escapeFormula(text)).toBe(`'${text}`);
  });

  it.each(['Ada', '', '1=1', 'a+b', null])('stays as it is: %j', (text) => {
    expect(escapeFormula(text)).toBe(text);
  });

  it('comes out of it as it went in', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 2 })),
        (rows) => {
          expect(parse(stringify(rows), { bom: false })).toEqual(rows);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('a table of results', () => {
  it('holds the answers of a call as JSON, and an empty cell for a call without any', () => {
    expect(answersCell({ day: '2026-12-01', guests: '3' })).toBe('{"day":"2026-12-01","guests":"3"}');
    expect(answersCell({})).toBeNull();
  });
});
