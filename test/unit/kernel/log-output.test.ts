import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bufferedOutput } from '#kernel/log/log.js';

function openOutput() {
  const folder = mkdtempSync(join(tmpdir(), 'log-output-'));
  const path = join(folder, 'log');
  const descriptor = openSync(path, 'w');
  onTestFinished(() => {
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  });
  const output = bufferedOutput(descriptor);
  const flushed = () => new Promise<void>((resolve) => output.flush(resolve));
  return { output, flushed, read: () => readFileSync(path, 'utf8') };
}

const lines = (count: number) => Array.from({ length: count }, (_, i) => `{"line":${i},"of":"ü"}\n`);

describe('the buffered output', () => {
  it.each([1, 3, 5_000])('writes %d lines in order on a flush', async (count) => {
    const { output, flushed, read } = openOutput();
    for (const line of lines(count)) output.write(line);

    await flushed();

    expect(read()).toBe(lines(count).join(''));
  });

  it('writes a line soon without a flush', async () => {
    const { output, read } = openOutput();
    output.write('{"alone":true}\n');

    await expect.poll(read).toBe('{"alone":true}\n');
  });

  it('writes buffered lines before the process exits', () => {
    const { output, read } = openOutput();
    for (const line of lines(200)) output.write(line);

    output.flushSync();

    expect(read()).toBe(lines(200).join(''));
  });

  it('calls back at once when nothing is buffered', async () => {
    const { flushed, read } = openOutput();
    await flushed();
    expect(read()).toBe('');
  });
});
