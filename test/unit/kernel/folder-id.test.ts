import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createIds } from '#kernel/ids/ids.js';
import { folderIdOf } from '#kernel/system/folder-id.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const ids = createIds(new FakeClock());

it('is that of the folder, for every process that has it', () => {
  const [mine, other] = [temporaryFolder(), temporaryFolder()];
  const id = folderIdOf(mine, ids);
  expect(id).toMatch(/^folder_\w{26}$/);
  expect(folderIdOf(mine, ids)).toBe(id);
  expect(folderIdOf(other, ids)).not.toBe(id);
});

it('is made anew where a power cut has left the file empty', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, '.folder-id'), '');
  const id = folderIdOf(folder, ids);
  expect(readFileSync(join(folder, '.folder-id'), 'utf8')).toBe(id);
});

it('is another one each time where the folder cannot be written', () => {
  const missing = join(temporaryFolder(), 'missing');
  expect(folderIdOf(missing, ids)).not.toBe(folderIdOf(missing, ids));
});
