import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { flagQuery, metadataField, optional, optionalWithDefault, textField } from '#kernel/input/fields.js';
import { anyOf, listQuery } from '#http/answers/lists.js';
import { encodeCursor } from '#store/page.js';

describe('fields of requests', () => {
  it('parse null as absent', () => {
    const schema = z.object({ name: optional(textField(5)), size: optionalWithDefault(z.int(), 7) });
    expect(schema.parse({ name: null, size: null })).toEqual({ name: undefined, size: 7 });
    expect(schema.parse({})).toEqual({ name: undefined, size: 7 });
    expect(schema.parse({ name: 'Ada', size: 0 })).toEqual({ name: 'Ada', size: 0 });
  });

  it('keep the documentation of the wrapped schema', () => {
    const wrapped = optional(z.string().meta({ id: 'Named', description: 'A name.' }));
    expect(wrapped.meta()).toEqual({ description: 'A name.' });
  });

  it.each([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ])('read %s in a query as %s', (text, value) => {
    expect(flagQuery.parse(text)).toBe(value);
  });

  it('refuse any other word for a boolean', () => {
    expect(flagQuery.safeParse('maybe').success).toBe(false);
  });

  it('refuse metadata beyond its size', () => {
    expect(metadataField.safeParse({ note: 'x'.repeat(60_000) }).success).toBe(true);
    expect(metadataField.safeParse({ note: 'x'.repeat(70_000) }).success).toBe(false);
  });
});

describe('the query of a list', () => {
  it('has a default limit, and clamps a larger one', () => {
    expect(listQuery.parse({}).limit).toBe(50);
    expect(listQuery.parse({ limit: '20' }).limit).toBe(20);
    expect(listQuery.parse({ limit: '201' }).limit).toBe(200);
    expect(listQuery.parse({ limit: '99999999999999999999' }).limit).toBe(200);
  });

  it.each(['0', '-1', '1.5', 'ten', ''])('refuses the limit %j', (limit) => {
    expect(listQuery.safeParse({ limit }).success).toBe(false);
  });

  it('accepts only cursors of the service', () => {
    const cursor = { createdAt: 1_795_224_519_306, id: 'call_01kakb8x6te1tr7m3qf0c9w2af' };
    expect(listQuery.parse({ cursor: encodeCursor(cursor) }).cursor).toEqual(cursor);
    expect(listQuery.safeParse({ cursor: 'nonsense' }).error?.issues[0]).toMatchObject({
      path: ['cursor'],
      params: { code: 'invalid_cursor' },
    });
  });

  it('reads several values of a filter, repeated or with commas', () => {
    const status = anyOf(z.enum(['active', 'failed', 'queued']));
    expect(status.parse('active')).toEqual(['active']);
    expect(status.parse('active,failed')).toEqual(['active', 'failed']);
    expect(status.parse(['active', 'failed, queued'])).toEqual(['active', 'failed', 'queued']);
    expect(status.safeParse('active,unknown').success).toBe(false);
  });
});
