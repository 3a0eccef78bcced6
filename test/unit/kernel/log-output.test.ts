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

describe('where lines of the log are gathered', () => {
  it.each([1, 3, 5_000])('%d lines are all there, in order, once they are flushed', async (count) => {
    const { output, flushed, read } = openOutput();
    for (const line of lines(count)) output.write(line);

    await flushed();

    expect(read()).toBe(lines(count).join(''));
  });

  it('a line that nobody flushes is written soon', async () => {
    const { output, read } = openOutput();
    output.write('{"alone":true}\n');

    await expect.poll(read).toBe('{"alone":true}\n');
  });

  it('what is gathered is written before the process ends', () => {
    const { output, read } = openOutput();
    for (const line of lines(200)) output.write(line);

    output.flushSync();

    expect(read()).toBe(lines(200).join(''));
  });

  it('a flush of nothing is done at once', async () => {
    const { flushed, read } = openOutput();
    await flushed();
    expect(read()).toBe('');
  });
});
