import { expect, it } from 'vitest';
import type { SendAttempt, AttemptResult } from '#webhooks/deliveries/http-attempt.js';
import { createLookUp } from '#webhooks/synchronous-lookup.js';
import { FakeClock } from '#test/support/fake-clock.js';

const LOOKUP = {
  id: 'call_1',
  type: 'call.incoming',
  url: 'https://example.com/',
  secret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
  facts: { call_from: '+14155550188' },
};
const ANSWER: AttemptResult = { outcome: 'success', statusCode: 200, responseBody: '{}', retryAfter: null };

it('a lookup ends after two seconds, even if the request cannot be aborted', async () => {
  const clock = new FakeClock();
  const stopped: AbortSignal[] = [];
  const send: SendAttempt = (_request, stop) => {
    stopped.push(stop);
    return new Promise(() => {});
  };
  const answer = createLookUp({ send, clock })(LOOKUP);
  let isOver = false;
  void answer.then(() => (isOver = true));
  await clock.advance(1_999);
  expect(isOver).toBe(false);
  await clock.advance(1);

  expect(await answer).toEqual({ failure: 'timeout' });
  expect(stopped.map(({ aborted }) => aborted)).toEqual([true]);
  expect(clock.armed).toBe(0);
});

it.each<[Partial<AttemptResult>, object]>([
  [{}, { body: '{}' }],
  [{ responseBody: null }, { body: null }],
  [{ outcome: 'stopped' }, { failure: 'timeout' }],
  [{ outcome: 'blocked_address' }, { failure: 'blocked_address' }],
])('an attempt with %j gives %j', async (result, answer) => {
  const clock = new FakeClock();
  const send: SendAttempt = async () => ({ ...ANSWER, ...result });

  expect(await createLookUp({ send, clock })(LOOKUP)).toEqual(answer);
  expect(clock.armed).toBe(0);
});
