import { expect, it } from 'vitest';
import { toE164 } from '#telephony/wire/e164.js';

it.each([
  ['+14155550100', '+14155550100'],
  ['14155550100', '+14155550100'],
  [' 14155550100', '+14155550100'],
  ['0014155550100', '+14155550100'],
  ['+1 (415) 555-0100', '+14155550100'],
  ['sip:+14155550100@trunk.example.com;user=phone', '+14155550100'],
  ['SIPS:+14155550100:secret@trunk.example.com', null],
  ['sips:+14155550100@trunk.example.com', '+14155550100'],
  ['tel:+1-415-555-0100;phone-context=example.com', '+14155550100'],
])('%s is the number %s', (written, number) => {
  expect(toE164(written)).toBe(number);
});

it.each([
  undefined,
  null,
  '',
  'anonymous',
  'Restricted',
  '+',
  '0000000000',
  '04155550100',
  '+0014155550100',
  '+0155550100',
  'sip:alice@example.com',
  'sip:5550100@pbx.example.com',
  'sip:+@example.com',
  'client:+14155550100',
  '+1415555010012345',
  '+266696687',
  '266696687',
  '+7378742833',
  '+2562533',
  '+8656696',
  '+86282452253',
])('%s is no number', (written) => {
  expect(toE164(written)).toBeNull();
});
