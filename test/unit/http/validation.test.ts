import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { phoneNumberField } from '#kernel/input/fields.js';
import { validateWithZod } from '#http/schemas/validation.js';
import type { Problem } from '#kernel/errors/errors.js';

function refuse(schema: z.ZodType, data: unknown, httpPart = 'body'): Problem {
  const check = validateWithZod({ schema, httpPart, method: 'POST', url: '/' });
  return (check(data) as { error: Problem }).error;
}

const batch = z.object({
  name: z.string().min(1),
  to_number: z.array(z.object({ phone_number: phoneNumberField() })),
});

describe('the check of a request', () => {
  it('names every bad field with its path', () => {
    const problem = refuse(batch, { to_number: [{ phone_number: '+14155550123' }, { phone_number: 5 }, {}] });
    expect(problem.code).toBe('validation_error');
    expect(problem.details).toEqual([
      { field: 'name', code: 'required', message: 'is required' },
      { field: 'to_number[1].phone_number', code: 'invalid_type', message: 'must be of type string' },
      { field: 'to_number[2].phone_number', code: 'required', message: 'is required' },
    ]);
    expect(problem.message).toContain('to_number[1].phone_number must be of type string');
  });

  it('names a field of the wrong type once, whatever else would be wrong with it', () => {
    const schema = z.object({
      events: z
        .array(z.enum(['started', 'completed']))
        .min(1)
        .max(3),
    });
    for (const events of ['started', '', 5, {}]) {
      expect(refuse(schema, { events }).details).toEqual([
        { field: 'events', code: 'invalid_type', message: 'must be of type array' },
      ]);
    }
  });

  it('names a number once that is beyond what can be counted, by the bound of the field', () => {
    const schema = z.object({ size: z.int().min(10).max(14_400), count: z.int() });
    expect(refuse(schema, { size: 1e22, count: 1e22 }).details).toEqual([
      { field: 'size', code: 'too_big', message: 'must be at most 14400' },
      { field: 'count', code: 'too_big', message: `must be at most ${Number.MAX_SAFE_INTEGER}` },
    ]);
    expect(refuse(schema, { size: -1e22, count: 1 }).details).toEqual([
      { field: 'size', code: 'too_small', message: 'must be at least 10' },
    ]);
  });

  it('is the error of the field where the field has an error of its own', () => {
    const problem = refuse(batch, { to_number: [{ phone_number: '12ab' }] });
    expect(problem.code).toBe('invalid_phone_number');
    expect(problem.details).toContainEqual({
      field: 'to_number[0].phone_number',
      code: 'invalid_phone_number',
      message:
        'is not an E.164 number such as +14155550123; numbers without a country code need DEFAULT_REGION, or the region of an agent or batch',
    });
  });

  it('speaks of types, choices and whole numbers as people do', () => {
    const schema = z.object({
      data: z.record(z.string(), z.unknown()),
      size: z.int(),
      scope: z.enum(['read', 'write', 'admin']),
      limit: z.number().multipleOf(1),
    });
    const { details } = refuse(schema, { data: [], size: 1.5, scope: 'root', limit: 1.5 });
    expect(details.map(({ field, message }) => `${field} ${message}`)).toEqual([
      'data must be of type object',
      'size must be of type integer',
      'scope must be read, write or admin',
      'limit must be a whole number',
    ]);
  });

  it('never repeats what was sent', () => {
    const problem = refuse(batch, { name: 7, to_number: [{ phone_number: 'secret-12ab' }] });
    expect(JSON.stringify([problem.message, problem.details])).not.toContain('secret');
  });

  it('says which part of the request the field is in', () => {
    expect(refuse(z.object({ limit: z.int() }), { limit: 'x' }, 'querystring').details[0]?.field).toBe(
      'query.limit',
    );
    expect(refuse(z.object({ id: z.string() }), {}, 'params').details[0]?.field).toBe('path.id');
    expect(refuse(batch, null).details[0]?.field).toBe('body');
  });

  it('names at most a hundred fields', () => {
    expect(refuse(z.array(z.string()), Array(1_000).fill(1)).details).toHaveLength(100);
  });
});
