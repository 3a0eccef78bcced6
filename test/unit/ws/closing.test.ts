import { expect, it } from 'vitest';
import { Problem, type ProblemCode } from '#kernel/errors/errors.js';
import { closingFor } from '#ws/limits/closing.js';

it.each<[ProblemCode, number]>([
  ['agent_not_found', 4404],
  ['unauthorized', 1008],
  ['forbidden', 1008],
  ['rate_limited', 1013],
  ['unavailable', 1013],
  ['internal_error', 1011],
])('a call that cannot be opened because of %s closes its socket with %i', (code, closing) => {
  expect(closingFor(new Problem(code, 'why it is so')).code).toBe(closing);
});
