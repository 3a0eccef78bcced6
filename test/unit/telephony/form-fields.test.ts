import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyKindOf, fieldsOf, formFields, queryFields } from '#telephony/wire/form-fields.js';
import { carrierRequest } from '#test/support/carrier-request.js';

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

describe('fields of a carrier’s request', () => {
  it('are decoded once, with plus as a blank', () => {
    const fields = fieldsOf(carrierRequest({ body: 'From=%2B1415+555&Token=%257B%2B&City=S%C3%A3o+Paulo' }));
    expect(fields.entries()).toEqual([
      ['From', '+1415 555'],
      ['Token', '%7B+'],
      ['City', 'São Paulo'],
    ]);
  });

  it('keep empty values, names without a value, repeated names and a leading question mark', () => {
    const fields = fieldsOf(carrierRequest({ body: '?a=1&b=&c&d=2&d=1&d=2' }));
    expect(fields.get('?a')).toBe('1');
    expect(fields.get('b')).toBe('');
    expect(fields.get('c')).toBe('');
    expect(fields.entries().filter(([name]) => name === 'd')).toEqual([
      ['d', '2'],
      ['d', '1'],
      ['d', '2'],
    ]);
    expect(fields.get('e')).toBeUndefined();
  });

  it('of the body come before those of the query', () => {
    const request = carrierRequest({ url: 'https://calls.test/hook?To=evil&x=1#To=worse', body: 'To=good' });
    expect(fieldsOf(request).get('To')).toBe('good');
    expect(fieldsOf(request).get('x')).toBe('1');
    expect(fieldsOf(request).entries()).toEqual([
      ['To', 'good'],
      ['To', 'evil'],
      ['x', '1'],
    ]);
    expect(queryFields(request.url)).toEqual([
      ['To', 'evil'],
      ['x', '1'],
    ]);
  });

  it('of a GET are those of its query, whatever its body is', () => {
    const request = carrierRequest({ method: 'GET', url: 'https://calls.test/hook?a=%2B1', body: 'a=2' });
    expect(fieldsOf(request).entries()).toEqual([['a', '+1']]);
    expect(formFields(request)).toEqual([]);
  });

  it('of JSON are its top-level scalars, and the whole can be had too', () => {
    const body =
      '{"a":"x","n":1.5,"yes":true,"no":false,"nil":null,"deep":{"a":1},"list":[1],"__proto__":"p"}';
    const fields = fieldsOf(carrierRequest({ body, headers: JSON_TYPE }));
    expect(fields.entries()).toEqual([
      ['a', 'x'],
      ['n', '1.5'],
      ['yes', 'true'],
      ['no', 'false'],
      ['__proto__', 'p'],
    ]);
    expect(fields.json()).toEqual(JSON.parse(body));
  });

  it('are not read from a body of another kind', () => {
    const request = carrierRequest({ body: 'a=1', headers: { 'content-type': 'text/plain' } });
    expect(fieldsOf(request).entries()).toEqual([]);
    expect(fieldsOf(request).json()).toBeUndefined();
  });

  it('never fail', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 60 }),
        fc.string(),
        fc.constantFrom(
          undefined,
          'application/json',
          'application/x-www-form-urlencoded',
          '',
          ';',
          'x/y+json',
        ),
        (bytes, url, type) => {
          const headers = type === undefined ? {} : { 'content-type': type };
          const fields = fieldsOf(carrierRequest({ url, body: Buffer.from(bytes), headers }));
          for (const [name] of fields.entries()) expect(fields.get(name)).toBeDefined();
          fields.json();
        },
      ),
    );
  });

  it('come back as they were sent', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }))),
        (sent) => {
          const body = sent.map(
            ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
          );
          const nonEmpty = sent.filter(([name, value]) => `${name}${value}` !== '');
          const read = formFields(carrierRequest({ body: body.join('&') }));
          expect(read.filter(([name, value]) => `${name}${value}` !== '')).toEqual(nonEmpty);
        },
      ),
    );
  });

  it('are none where there are more than anybody sends', () => {
    const bodyOf = (count: number) => Array.from({ length: count }, (_, i) => `f${i}=${i}`).join('&');
    expect(formFields(carrierRequest({ body: bodyOf(1_000) }))).toHaveLength(1_000);
    expect(formFields(carrierRequest({ body: bodyOf(1_001) }))).toEqual([]);
    expect(bodyKindOf(carrierRequest({ body: bodyOf(1_001), headers: {} }))).toBe('other');
  });
});
