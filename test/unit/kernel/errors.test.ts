import { describe, expect, it } from 'vitest';
import { Problem, PROBLEMS } from '#kernel/errors/errors.js';

describe('problems', () => {
  it('have fixed sentences', () => {
    expect(PROBLEMS.invalid_phone_number.sentence).toBe('invalid phone number format');
    expect(PROBLEMS.agent_not_found.sentence).toBe('agent does not exist');
  });

  it('have an error status each', () => {
    for (const [code, { status, sentence }] of Object.entries(PROBLEMS)) {
      expect(status, code).toBeGreaterThanOrEqual(400);
      expect(sentence, code).toMatch(/^[a-z]/);
    }
  });

  it('keep what the renderer needs', () => {
    const details = [{ field: 'name', code: 'too_short', message: 'is empty' }];
    const problem = new Problem('validation_error', 'name: is empty.', { details, retryAfterSeconds: 3 });
    expect(problem).toMatchObject({
      code: 'validation_error',
      details,
      retryAfterSeconds: 3,
      message: 'name: is empty.',
    });
  });
});
