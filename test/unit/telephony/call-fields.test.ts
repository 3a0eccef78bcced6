import { expect, it } from 'vitest';
import { callIdIn, numbersIn } from '#telephony/wire/call-fields.js';
import { fieldsOf } from '#telephony/wire/form-fields.js';
import { carrierRequest } from '#test/support/carrier-request.js';

const read = (body: string, url?: string) => fieldsOf(carrierRequest({ body, ...(url && { url }) }));

it.each([
  ['the interface', 'From=%2B14155550188&To=%2B14155550177&CallSid=c-1'],
  ['a carrier', 'from=14155550188&to=14155550177&call_sid=c-1'],
  ['one who tells it twice', 'From=&Caller=%2B14155550188&To=&Called=%2B14155550177&CallSid=&CallUUID=c-1'],
])('a call is told in the words of %s', (_whose, body) => {
  const fields = read(body);

  expect(callIdIn(fields)).toBe('c-1');
  expect(numbersIn(fields)).toEqual({ from: '+14155550188', to: '+14155550177' });
});

it('a query, which not every carrier signs, does not say otherwise than the body', () => {
  const url = 'https://voice.example.com/webhook/vonage/incoming?From=%2B14155550999&To=%2B14155550998';

  expect(numbersIn(read('from=14155550188&to=14155550177', url))).toEqual({
    from: '+14155550188',
    to: '+14155550177',
  });
});

it('a call of nobody has no id and no numbers', () => {
  expect(callIdIn(read(''))).toBeNull();
  expect(numbersIn(read('From=anonymous'))).toEqual({ from: null, to: null });
});
