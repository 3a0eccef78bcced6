import { expect, it } from 'vitest';
import { Waitlist } from '#store/threads/waitlist.js';

const somebody = () => ({ resolve() {}, reject() {} });

it('gives everybody who waits a number of their own, and a number again only once it is free', () => {
  const list = new Waitlist();
  const [first, second, third] = [somebody(), somebody(), somebody()];
  const [a, b] = [list.add(first), list.add(second)];
  expect(list.size).toBe(2);
  expect(list.take(a)).toBe(first);
  const c = list.add(third);
  expect(c).not.toBe(b);
  expect(list.take(b)).toBe(second);
  expect(list.take(c)).toBe(third);
  expect(list.size).toBe(0);
});

it('has nobody under a number that was answered or never given', () => {
  const list = new Waitlist();
  const id = list.add(somebody());
  list.take(id);
  expect(list.take(id)).toBeUndefined();
  expect(list.take(99)).toBeUndefined();
  expect(list.size).toBe(0);
});

it('lets everybody go at once', () => {
  const list = new Waitlist();
  const everybody = [somebody(), somebody(), somebody()];
  const ids = everybody.map((one) => list.add(one));
  list.take(ids[1]!);
  expect(list.takeAll()).toEqual([everybody[0], everybody[2]]);
  expect(list.size).toBe(0);
});
