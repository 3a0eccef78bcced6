import { expect, it } from 'vitest';
import { MessageRateLimit } from '#ws/limits/rate-limits.js';
import { FakeClock } from '#test/support/fake-clock.js';

function start() {
  const clock = new FakeClock();
  const source = { isPaused: false, pause: () => {}, resume: () => {} };
  source.pause = () => (source.isPaused = true);
  source.resume = () => (source.isPaused = false);
  const limit = new MessageRateLimit(source, clock);
  const send = (messages: number) => {
    for (let sent = 0; sent < messages; sent++) limit.count();
  };
  return { clock, source, limit, send };
}

it('pauses a peer that sends more than audio needs, until the limit recovers', async () => {
  const { clock, source, send } = start();
  send(2_000);
  expect(source.isPaused).toBe(false);
  send(4_000);
  expect(source.isPaused).toBe(true);
  await clock.advance(999);
  expect(source.isPaused).toBe(true);
  await clock.advance(1);
  expect(source.isPaused).toBe(false);
  send(1);
  expect(source.isPaused).toBe(true);
});

it('never pauses a peer with a thousand messages a second', async () => {
  const { clock, source, send } = start();
  for (let second = 0; second < 60; second++) {
    send(1_000);
    expect(source.isPaused).toBe(false);
    await clock.advance(1_000);
  }
  expect(clock.armed).toBe(0);
});

it('leaves no timer behind', () => {
  const { clock, limit, send } = start();
  send(10_000);
  expect(clock.armed).toBe(1);
  limit.cancelResume();
  expect(clock.armed).toBe(0);
});
