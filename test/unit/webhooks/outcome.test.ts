import { describe, expect, it } from 'vitest';
import { OUTCOMES, outcomeOfError, outcomeOfStatus } from '#webhooks/deliveries/outcome.js';

describe('an attempt', () => {
  it.each([
    [200, 'delivered'],
    [201, 'delivered'],
    [202, 'delivered'],
    [204, 'delivered'],
    [299, 'delivered'],
    [301, 'give_up'],
    [307, 'give_up'],
    [400, 'give_up'],
    [401, 'give_up'],
    [403, 'give_up'],
    [404, 'give_up'],
    [408, 'retry'],
    [410, 'switch_off'],
    [425, 'retry'],
    [429, 'retry'],
    [500, 'retry'],
    [503, 'retry'],
    [599, 'retry'],
    [600, 'retry'],
  ] as const)('of %i means %s', (status, consequence) => {
    expect(OUTCOMES[outcomeOfStatus(status)]).toBe(consequence);
  });
});

it('takes the outcome of a host with several addresses from the error of the first', () => {
  const each = ['ECONNREFUSED', 'ENETUNREACH'].map((code) => Object.assign(new Error(code), { code }));
  expect(outcomeOfError(Object.assign(new AggregateError(each), { code: 'ETIMEDOUT' }))).toBe('unreachable');
});
