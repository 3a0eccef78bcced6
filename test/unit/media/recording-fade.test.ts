import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDiskWriter } from '#media/recording/disk-writer.js';
import { createRecorder } from '#media/recording/recording.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recording-fade-'));
});
afterEach(() => rm(folder, { recursive: true }));

const frameOf = (value: number) => new Int16Array(160).fill(value);

describe('a recording of an agent that is cut', () => {
  it('fades within the 5 ms before the agent falls silent, in memory and on the disk alike', async () => {
    // The sound of 1.4 s is in memory; behind it, 400 ms are.
    for (const [frames, unheardMs] of [
      [40, 0],
      [40, 100],
      [71, 398],
      [71, 418],
      [71, 700],
    ] as const) {
      const path = join(folder, `${frames}-${unheardMs}.wav`);
      const recorder = createRecorder({ path, sampleRateHz: 8000 }, { disk: createDiskWriter() });
      for (let i = 0; i < frames; i++) recorder.write(frameOf(500), frameOf(4_000));
      recorder.retract(unheardMs);
      for (let i = 0; i < 80; i++) recorder.write(frameOf(500), frameOf(0));
      await recorder.close();
      const bytes = await readFile(path);
      const samples = new Int16Array(bytes.buffer.slice(bytes.byteOffset + 44));
      const agent = samples.filter((_, at) => at % 2 === 1);
      const end = frames * 160 - unheardMs * 8;
      const steps = agent.slice(1).map((sample, at) => agent[at]! - sample);
      expect([frames, unheardMs, Math.max(...steps) < 250, Math.min(...steps)]).toEqual([
        frames,
        unheardMs,
        true,
        0,
      ]);
      expect(agent.subarray(0, end - 40).every((sample) => sample === 4_000)).toBe(true);
      expect(agent.subarray(end).every((sample) => sample === 0)).toBe(true);
      expect(samples.every((sample, at) => at % 2 === 1 || sample === 500)).toBe(true);
    }
  });
});
