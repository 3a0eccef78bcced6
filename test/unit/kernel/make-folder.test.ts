import { existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '#kernel/system/folders.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

describe('making a folder', () => {
  const root = temporaryFolder();

  it('creates its parents, too, and is idempotent', () => {
    const path = join(root, 'one', 'two', 'three');
    makeFolder(path);
    makeFolder(path);
    expect(statSync(path).isDirectory()).toBe(true);
  });

  it('is readable by the user of the process alone', () => {
    makeFolder(join(root, 'ours', 'within'));
    for (const path of ['ours', 'ours/within']) expect(statSync(join(root, path)).mode & 0o777).toBe(0o700);
  });

  it('follows a link to a folder', () => {
    const link = join(root, 'link');
    symlinkSync(root, link);
    makeFolder(link);
    makeFolder(join(link, 'below'));
    expect(existsSync(join(root, 'below'))).toBe(true);
  });

  it('fails when a file is in its place', () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    expect(() => makeFolder(file)).toThrow(expect.objectContaining({ code: 'EEXIST', path: file }));
    expect(() => makeFolder(join(file, 'below'))).toThrow(expect.objectContaining({ code: 'ENOTDIR' }));
  });

  it.skipIf(!existsSync('/proc/self'))('comes to an end where the system makes none', () => {
    for (const path of ['/proc/nowhere', '/proc/nowhere/below'])
      expect(() => makeFolder(path)).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  });
});
