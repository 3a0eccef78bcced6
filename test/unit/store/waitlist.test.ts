import { expect, it } from 'vitest';
import { Waitlist } from '#store/threads/waitlist.js';

const request = () => ({ resolve() {}, reject() {} });

it('gives each pending request its own id, and reuses an id only after its answer', () => {
  const list = new Waitlist();
  const [first, second, third] = [request(), request(), request()];
  const [a, b] = [list.add(first), list.add(second)];
  expect(list.size).toBe(2);
  expect(list.take(a)).toBe(first);
  const c = list.add(third);
  expect(c).not.toBe(b);
  expect(list.take(b)).toBe(second);
  expect(list.take(c)).toBe(third);
  expect(list.size).toBe(0);
});

it('finds nothing under an id that was answered or never given', () => {
  const list = new Waitlist();
  const id = list.add(request());
  list.take(id);
  expect(list.take(id)).toBeUndefined();
  expect(list.take(99)).toBeUndefined();
  expect(list.size).toBe(0);
});

it('takes all pending requests at once', () => {
  const list = new Waitlist();
  const requests = [request(), request(), request()];
  const ids = requests.map((one) => list.add(one));
  list.take(ids[1]!);
  expect(list.takeAll()).toEqual([requests[0], requests[2]]);
  expect(list.size).toBe(0);
});
