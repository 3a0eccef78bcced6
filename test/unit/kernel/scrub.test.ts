import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskPhone, scrub } from '#kernel/log/scrub.js';
import { createMemoryLog } from '#test/support/memory-log.js';

const NUMBER = '+14155552671';
const KEY = `cw_live_${'a1B2'.repeat(8)}`;
const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl';

describe('a scrubbed value', () => {
  it.each([
    ['a number in running text', `no answer from ${NUMBER}.`, 'no answer from +1415***2671.'],
    ['a number of ten digits', 'no answer from +4712345678.', 'no answer from +47***78.'],
    ['the shortest number', 'no answer from +2901234.', 'no answer from +29***34.'],
    ['the longest number', '+123456789012345', '+1234***2345'],
    ['a key', `bad key ${KEY}`, 'bad key [scrubbed]'],
    ['a token of the identity provider', `Bearer ${JWT}`, 'Bearer [scrubbed]'],
    ['a token in an address', 'GET /a?token=abc&x=1', 'GET /a?token=[scrubbed]&x=1'],
    ['a stream token', 'st_0123456789abcdef', '[scrubbed]'],
  ])('never holds %s', (_what, text, written) => expect(scrub(text)).toBe(written));

  it('keeps ids, times and counts readable', () => {
    const facts = {
      call_id: 'call_01kakb8x6te1tr7m3qf0c9w2af',
      at: '2026-11-21T00:00:00.000Z',
      count: 14_155_552_671,
    };
    expect(scrub(facts)).toEqual(facts);
  });

  it('has no secrets, however deep they are nested', () => {
    const secret = fc.constantFrom(NUMBER, KEY, JWT);
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ depthSize: 'small' }, secret, fc.array(tie('tree'), { maxLength: 3 }), tie('object')),
      object: fc.dictionary(fc.constantFrom('reason', 'err', 'detail', 'to'), tie('tree'), { maxKeys: 3 }),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const written = JSON.stringify(scrub(value)) ?? '';
        for (const hidden of [NUMBER, KEY, JWT]) expect(written).not.toContain(hidden);
      }),
    );
  });

  it('has no names and words of people, in any spelling of the field', () => {
    const fields = {
      customerName: 'Ada',
      customer_data: { x: 1 },
      'X-API-Key': 'k',
      transcript: 'Hi',
      Summary: 's',
    };
    expect(Object.values(scrub(fields) as object)).toEqual(Array(5).fill('[scrubbed]'));
  });

  it('has errors with their causes, scrubbed', () => {
    const error = new Error(`cannot reach ${NUMBER}`, { cause: new Error(`key ${KEY}`) });
    const written = JSON.stringify(scrub({ err: error }));
    expect(written).toContain('+1415***2671');
    expect(written).not.toContain(KEY);
  });

  it('may have circles, big integers and bytes', () => {
    const circle: Record<string, unknown> = { sizeBytes: 12n, sound: new Int16Array(4) };
    circle['self'] = circle;
    expect(() => JSON.stringify(scrub(circle))).not.toThrow();
    expect(scrub({ sound: new Int16Array(4) })).toEqual({ sound: '[8 bytes]' });
  });

  it('is used for fields, messages and child loggers', () => {
    const { log, lines } = createMemoryLog();
    log.child({ to: NUMBER }).info({ nested: { from: NUMBER } }, `calling ${NUMBER}`);
    expect(JSON.stringify(lines)).not.toContain(NUMBER);
    expect(lines[0]).toMatchObject({ to: '+1415***2671', msg: 'calling +1415***2671', level: 'info' });
  });

  it('shows a phone number masked', () => {
    expect(maskPhone(NUMBER)).toBe('+1415***2671');
    expect(maskPhone('+12345')).toBe('***');
  });
});
