import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { describeTypes, TYPES_FILE } from '../../../tools/console-types.mjs';

const ROOT = new URL('../../../', import.meta.url);
const KILOBYTE = 1024;

const page = readFileSync(new URL('dist/console/index.html', ROOT), 'utf8');
const packed = (path: string) => gzipSync(readFileSync(new URL(`dist${path}`, ROOT))).length / KILOBYTE;

describe('the console as it is built', () => {
  it('is there after 40 kB, with its call page after 60 more', () => {
    const first = [...page.matchAll(/(?:src|href)="(\/console\/[^"]+\.(?:js|css))"/g)].map(
      ([, path]) => path!,
    );
    const sizes = first.map(packed);
    const call = readdirSync(new URL('dist/console/parts', ROOT)).filter((name) =>
      name.startsWith('call-page-'),
    );

    expect(first.length).toBeGreaterThan(2);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(40);
    expect(packed(`/console/parts/${call[0]}`)).toBeLessThan(60);
  });

  it('has nothing inline, so that its policy may forbid it', () => {
    expect(page).not.toMatch(/<script(?![^>]*src=)|<style|style=|\son\w+=/);
  });

  it('is typed by the document of the interface as it stands', () => {
    const document = JSON.parse(readFileSync(new URL('openapi.json', ROOT), 'utf8')) as object;
    expect(readFileSync(TYPES_FILE, 'utf8')).toBe(describeTypes(document));
  });
});
