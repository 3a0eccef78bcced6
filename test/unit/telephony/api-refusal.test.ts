import { expect, it } from 'vitest';
import { requireSuccess } from '#telephony/wire/api-refusal.js';

const thrownBy = (status: number) => () => requireSuccess({ status, json: null, retryAfterMs: 2_000 });

it.each([
  [302, 'unknown', 'server_error', null],
  [400, 'not_dialled', 'refused', null],
  [408, 'unknown', 'server_error', null],
  [429, 'not_dialled', 'rate_limited', 2_000],
  [500, 'unknown', 'server_error', null],
])('an answer of a carrier with %i says that a call was %s: %s', (status, outcome, reason, retryAfterMs) => {
  expect(thrownBy(status)).toThrow(
    expect.objectContaining({ outcome, reason, code: String(status), retryAfterMs }),
  );
});

it.each([200, 201, 202, 204])('an answer with %i is a success', (status) => {
  expect(thrownBy(status)).not.toThrow();
});
