import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { requireFreeSpace } from '#kernel/system/folders.js';

it('throws with the free space when there is too little', () => {
  expect(() => requireFreeSpace(tmpdir(), 2 ** 60)).toThrow(
    /^\/.*: its disk has \d+ MB free, and should have 1099511627776 MB at least$/,
  );
  expect(() => requireFreeSpace(tmpdir(), 1)).not.toThrow();
});
