import { expect, it } from 'vitest';
import { readCells, recipientsOf } from '../../../console/src/pages/batches/recipients.js';

it.each([
  [
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a;b\r\n1;"x;y"\r\n',
    [
      ['a', 'b'],
      ['1', 'x;y'],
    ],
  ],
  [
    'a\tb\n"two\nlines"\t"say ""hi"""',
    [
      ['a', 'b'],
      ['two\nlines', 'say "hi"'],
    ],
  ],
  [
    'a,b\n\n , \n1,',
    [
      ['a', 'b'],
      ['1', ''],
    ],
  ],
  ['', []],
])('reads the cells of %j', (text, cells) => {
  expect(readCells(text)).toEqual(cells);
});

it('gives the agent all columns but the number and the name', () => {
  expect(recipientsOf('\uFEFFname,Phone,order\nAda,+15550100001,"cakes, two"\n,12,\n')).toEqual([
    { phone_number: '+15550100001', name: 'Ada', customer_data: { order: 'cakes, two' } },
    { phone_number: '12' },
  ]);
});

it('says that there is no column of numbers', () => {
  expect(recipientsOf('name\nAda')).toBeNull();
});
