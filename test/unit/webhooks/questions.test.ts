import { expect, it } from 'vitest';
import type { Post, PostResult } from '#webhooks/deliveries/post.js';
import { createAsk } from '#webhooks/questions.js';
import { FakeClock } from '#test/support/fake-clock.js';

const QUESTION = {
  id: 'call_1',
  type: 'call.incoming',
  url: 'https://example.com/',
  secret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
  facts: { call_from: '+14155550188' },
};
const ANSWER: PostResult = { outcome: 'success', statusCode: 200, responseBody: '{}', retryAfter: null };

it('a question is over after two seconds, even where the request cannot be called off', async () => {
  const clock = new FakeClock();
  const stopped: AbortSignal[] = [];
  const post: Post = (_request, stop) => {
    stopped.push(stop);
    return new Promise(() => {});
  };
  const answer = createAsk({ post, clock })(QUESTION);
  let isOver = false;
  void answer.then(() => (isOver = true));
  await clock.advance(1_999);
  expect(isOver).toBe(false);
  await clock.advance(1);

  expect(await answer).toEqual({ failure: 'timeout' });
  expect(stopped.map(({ aborted }) => aborted)).toEqual([true]);
  expect(clock.armed).toBe(0);
});

it.each<[Partial<PostResult>, object]>([
  [{}, { body: '{}' }],
  [{ responseBody: null }, { body: null }],
  [{ outcome: 'stopped' }, { failure: 'timeout' }],
  [{ outcome: 'blocked_address' }, { failure: 'blocked_address' }],
])('an attempt that ended with %j answers %j', async (result, answer) => {
  const clock = new FakeClock();
  const post: Post = async () => ({ ...ANSWER, ...result });

  expect(await createAsk({ post, clock })(QUESTION)).toEqual(answer);
  expect(clock.armed).toBe(0);
});
