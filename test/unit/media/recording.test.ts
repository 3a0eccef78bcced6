import { mkdtemp, open, readFile, rm, truncate, writeFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDiskWriter, type DiskWriter } from '#media/recording/disk-writer.js';
import { createRecorder, repairRecording } from '#media/recording/recording.js';
import { fadeGain } from '#media/samples/audio.js';
import { readWavInfo } from '#media/samples/wav.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recording-'));
});
afterEach(() => rm(folder, { recursive: true }));

const frameOf = (value: number, samples = 160) => new Int16Array(samples).fill(value);

function start(name = 'call.wav', disk: DiskWriter = createDiskWriter()) {
  const path = join(folder, 'deep', name);
  const failures: Error[] = [];
  const recorder = createRecorder(
    { path, sampleRateHz: 8000, onFailure: (error) => failures.push(error) },
    { disk },
  );
  return { path, recorder, failures };
}

async function infoOf(path: string) {
  const file = await open(path);
  const info = await readWavInfo(file);
  await file.close();
  return info;
}

/** A file of which it is known what is done to it, and which does not grow: a full disk has no room. */
function watched(file: FileHandle, touched: PropertyKey[] = []): FileHandle {
  const write = async (bytes: Uint8Array, offset: number, length: number, at: number) => {
    if (at + length > (await file.stat()).size) throw new Error('ENOSPC: no space left on device');
    return file.write(bytes, offset, length, at);
  };
  return new Proxy(file, {
    get(_, name: keyof FileHandle) {
      touched.push(name);
      return name === 'write' ? write : (file[name] as () => unknown).bind(file);
    },
  });
}

/** A disk on which every step after `goodSteps` fails half-way, as a full one does. */
function fullDisk(goodSteps: number): DiskWriter {
  const real = createDiskWriter();
  return {
    create(path) {
      const file = real.create(path);
      let steps = 0;
      let failure: Promise<never> | null = null;
      return {
        finish: (touch) => file.finish((handle) => touch(watched(handle))),
        skip: (sizeBytes) => file.skip(sizeBytes),
        append(bytes) {
          if (steps++ < goodSteps) return file.append(bytes);
          failure ??= file.append(bytes.subarray(0, 10)).then(() => {
            throw new Error('ENOSPC: no space left on device');
          });
          return failure;
        },
      };
    },
  };
}

/** A disk that never completes a step. */
function stuckDisk() {
  const steps: unknown[] = [];
  const wait = (step: unknown) => new Promise<never>(() => steps.push(step));
  const disk: DiskWriter = { create: () => ({ append: wait, skip: wait, finish: () => wait('finish') }) };
  return { disk, steps };
}

describe('a recording', () => {
  it('has the customer left and the agent right, to the sample', async () => {
    const { path, recorder } = start();
    for (let i = 0; i < 173; i++) recorder.write(frameOf(i), frameOf(-i));
    recorder.write(frameOf(1000, 7), frameOf(-1000, 7));
    expect(recorder.positionMs).toBe(173 * 20 + 7 / 8);
    const samples = 173 * 160 + 7;
    expect(await recorder.close()).toEqual({ sizeBytes: 44 + samples * 4, durationMs: 3461 });

    const bytes = await readFile(path);
    expect(bytes.length).toBe(44 + samples * 4);
    for (let i = 0; i < samples; i++) {
      const value = i < 173 * 160 ? Math.floor(i / 160) : 1000;
      expect(bytes.readInt16LE(44 + i * 4)).toBe(value);
      expect(bytes.readInt16LE(46 + i * 4)).toBe(0 - value);
    }
    expect(await infoOf(path)).toEqual({
      sampleRateHz: 8000,
      channels: 2,
      dataBytes: samples * 4,
      sizeBytes: 44 + samples * 4,
      durationMs: 3461,
    });
    expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
    expect(bytes.readUInt32LE(28)).toBe(32_000);
  });

  it('fills the shorter side up with silence', async () => {
    const { path, recorder } = start();
    recorder.write(Int16Array.of(1, 2, 3), Int16Array.of(9));
    recorder.write(new Int16Array(0), Int16Array.of(8));
    await recorder.close();
    const bytes = await readFile(path);
    expect([...new Int16Array(bytes.buffer, bytes.byteOffset + 44, 8)]).toEqual([1, 9, 2, 0, 3, 0, 0, 8]);
  });

  it('is silent where audio was lost, and filled where it came late, up to 400 ms back', async () => {
    const { path, recorder } = start();
    const frames = 137;
    for (let i = 0; i < frames; i++) {
      recorder.write(i % 3 === 0 ? null : frameOf(i), frameOf(-i));
      const late = i - 20;
      if (late >= 0 && late % 6 === 0) recorder.insertLate(late * 160, frameOf(late));
    }
    recorder.insertLate((frames - 100) * 160, frameOf(9_999));
    await recorder.close();
    const bytes = await readFile(path);
    const customer = Array.from({ length: frames }, (_, i) => bytes.readInt16LE(44 + i * 640 + 636));
    const isRepaired = (i: number) => i % 6 === 0 && i <= frames - 21;
    expect(customer).toEqual(
      Array.from({ length: frames }, (_, i) => (i % 3 === 0 && !isRepaired(i) ? 0 : i)),
    );
    expect(bytes.readInt16LE(46 + 100 * 640)).toBe(-100);
  });

  it('contains no agent audio that was never played', async () => {
    const { path, recorder } = start();
    recorder.write(frameOf(7, 160), frameOf(5, 160));
    recorder.retract(15);
    recorder.write(frameOf(8, 160), frameOf(6, 160));
    recorder.retract(0);
    await recorder.close();
    const bytes = await readFile(path);
    const samples = new Int16Array(bytes.buffer.slice(bytes.byteOffset + 44));
    const side = (of: 0 | 1) => Array.from(samples.filter((_, at) => at % 2 === of));
    expect(side(0)).toEqual([...frameOf(7, 160), ...frameOf(8, 160)]);
    const fading = (value: number) =>
      Array.from({ length: 40 }, (_, at) => Math.round(value * fadeGain(40 - at, 40)));
    expect(side(1)).toEqual([...fading(5), ...frameOf(0, 120), ...frameOf(6, 120), ...fading(6)]);
  });

  it('contains none of it on the disk either, however far back, and all audio of the customer', async () => {
    for (const unheardFrames of [75, 100, 1_000]) {
      const { path, recorder } = start(`${unheardFrames}.wav`);
      for (let i = 1; i <= 80; i++) recorder.write(frameOf(i), frameOf(-i));
      recorder.retract(unheardFrames * 20);
      for (let i = 81; i <= 160; i++) recorder.write(frameOf(i), frameOf(-i));
      await recorder.close();
      const bytes = await readFile(path);
      const at = (i: number) => 44 + (i - 1) * 640;
      const frames = Array.from({ length: 160 }, (_, index) => index + 1);
      const isHeard = (i: number) => i > 80 || i <= 80 - unheardFrames;
      expect(frames.map((i) => bytes.readInt16LE(at(i)))).toEqual(frames);
      for (const sample of [0, 159]) {
        const agent = frames.map((i) => 0 - bytes.readInt16LE(at(i) + sample * 4 + 2));
        const isFaded = (i: number) => sample === 159 && i === 80 - unheardFrames;
        expect(agent).toEqual(frames.map((i) => (isHeard(i) && !isFaded(i) ? i : 0)));
      }
      expect(bytes.length).toBe(44 + 160 * 640);
    }
  });

  it('accepts late audio only within what was written', async () => {
    const { path, recorder } = start();
    recorder.write(null, frameOf(5, 10));
    recorder.insertLate(-4, frameOf(1, 8));
    recorder.insertLate(8, frameOf(2, 8));
    await recorder.close();
    const bytes = await readFile(path);
    const samples = new Int16Array(bytes.buffer.slice(bytes.byteOffset + 44, bytes.byteOffset + 84));
    expect(Array.from(samples.filter((_, at) => at % 2 === 0))).toEqual([1, 1, 1, 1, 0, 0, 0, 0, 2, 2]);
    expect(bytes.length).toBe(84);
  });

  it('may be empty, may be closed twice, and takes nothing after that', async () => {
    const { recorder, failures } = start();
    const closing = recorder.close();
    for (let i = 0; i < 200; i++) recorder.write(frameOf(1), frameOf(1));
    expect(recorder.positionMs).toBe(0);
    expect(await closing).toEqual({ sizeBytes: 44, durationMs: 0 });
    expect(await recorder.close()).toEqual({ sizeBytes: 44, durationMs: 0 });
    expect(failures).toEqual([]);
  });

  it('is closed when the disk has all of it', async () => {
    const touched: PropertyKey[] = [];
    const real = createDiskWriter();
    const disk: DiskWriter = {
      create(path) {
        const file = real.create(path);
        return {
          append: (bytes) => file.append(bytes),
          skip: (sizeBytes) => file.skip(sizeBytes),
          finish: (touch) => file.finish((handle) => touch(watched(handle, touched))),
        };
      },
    };
    const { recorder } = start('safe.wav', disk);
    recorder.write(frameOf(1), frameOf(1));
    await recorder.close();
    expect(touched.at(-1)).toBe('sync');
  });

  it('keeps the order of many calls that write at the same time', async () => {
    const disk = createDiskWriter();
    const calls = Array.from({ length: 20 }, (_, i) => start(`${i}.wav`, disk));
    for (let second = 0; second < 5; second++) {
      for (let frame = 0; frame < 50; frame++) {
        calls.forEach(({ recorder }, i) => recorder.write(frameOf(second * 50 + frame), frameOf(i)));
      }
    }
    await Promise.all(calls.map(({ recorder }) => recorder.close()));
    for (const [i, { path }] of calls.entries()) {
      const bytes = await readFile(path);
      const samples = new Int16Array(bytes.buffer, bytes.byteOffset + 44, 5 * 8000 * 2);
      expect(samples.every((sample, at) => sample === (at % 2 ? i : Math.floor(at / 320)))).toBe(true);
    }
  });

  it('is never written over another', async () => {
    await start('same.wav').recorder.close();
    const { recorder, failures } = start('same.wav');
    recorder.write(frameOf(1), frameOf(1));
    await expect(recorder.close()).rejects.toThrow('EEXIST');
    expect(failures.length).toBe(1);
    expect(recorder.failure).toBe(failures[0]);
  });

  it('ends where the disk is full, whole up to there, while the call goes on', async () => {
    const { path, recorder, failures } = start('full.wav', fullDisk(3));
    for (let i = 0; i < 300; i++) recorder.write(frameOf(i), frameOf(i));
    recorder.retract(5_000);
    const recorded = await recorder.close();
    expect(recorded).toEqual({ sizeBytes: 44 + 2 * 32_000, durationMs: 2_000 });
    expect(failures.map((error) => error.message)).toEqual(['ENOSPC: no space left on device']);
    expect(await infoOf(path)).toMatchObject({ ...recorded, dataBytes: 64_000 });
  });

  it('drops audio for a disk that is half a minute behind, and lists the gap', () => {
    const { disk, steps } = stuckDisk();
    const { recorder, failures } = start('stuck.wav', disk);
    for (let i = 0; i < 50 * 60; i++) recorder.write(frameOf(1), frameOf(1));
    expect([steps.length, failures.length]).toEqual([31, 0]);
    expect(recorder.gaps).toEqual([{ startMs: 30_000, endMs: 59_000 }]);
  });

  it('lists gaps in order of time, also an earlier one that is known only after a stall', () => {
    const { recorder } = start('order.wav', stuckDisk().disk);
    const pass = (frames: number) => {
      for (let i = 0; i < frames; i++) recorder.write(null, frameOf(0));
    };
    pass(1_560);
    recorder.stalled(500);
    pass(25);
    const stall = { startMs: 31_200, endMs: 31_700 };
    expect(recorder.gaps).toEqual([{ startMs: 30_000, endMs: 31_000 }, stall]);
    pass(50);
    expect(recorder.gaps).toEqual([{ startMs: 30_000, endMs: 32_000 }]);
  });

  it('goes on at the right place once such a disk has caught up', async () => {
    const real = createDiskWriter();
    const steps: Promise<void>[] = [];
    let isLate = true;
    let catchUp = () => {};
    const caughtUp = new Promise<void>((resolve) => (catchUp = resolve));
    const late: DiskWriter = {
      create(path) {
        const file = real.create(path);
        return {
          append(bytes) {
            if (!isLate) return file.append(bytes);
            const copy = bytes.slice();
            const step = caughtUp.then(() => file.append(copy));
            steps.push(step);
            return step;
          },
          skip: (sizeBytes) => file.skip(sizeBytes),
          finish: (touch) => file.finish(touch),
        };
      },
    };
    const { path, recorder, failures } = start('late.wav', late);
    for (let i = 0; i < 50 * 34; i++) recorder.write(frameOf(1), frameOf(1));
    catchUp();
    await Promise.all(steps);
    isLate = false;
    for (let i = 0; i < 50 * 5; i++) recorder.write(frameOf(2), frameOf(2));
    expect(await recorder.close()).toEqual({ sizeBytes: 44 + 39 * 32_000, durationMs: 39_000 });
    expect(recorder.gaps).toEqual([{ startMs: 30_000, endMs: 33_000 }]);
    expect(failures).toEqual([]);
    const bytes = await readFile(path);
    const at = (second: number) => bytes.readInt16LE(44 + second * 32_000);
    expect([29, 31, 33.5, 38].map(at)).toEqual([1, 0, 1, 2]);
  });

  it.each([
    [
      500,
      [
        { startMs: 1_000, endMs: 1_500 },
        { startMs: 2_000, endMs: 5_000 },
      ],
    ],
    [1_200, [{ startMs: 1_000, endMs: 5_000 }]],
  ])('lists the gaps of a stall of %d ms and of a full disk', async (stallMs, gaps) => {
    const { recorder } = start('gaps.wav', fullDisk(3));
    for (let i = 0; i < 50; i++) recorder.write(frameOf(1), frameOf(1));
    recorder.stalled(stallMs);
    for (let i = 0; i < 200; i++) recorder.write(null, frameOf(0));
    await recorder.close();
    expect(recorder.gaps).toEqual(gaps);
  });
});

describe('a recording that a crash left open', () => {
  it('is playable up to the last whole sample once repaired, and repairing twice changes nothing', async () => {
    const { path, recorder } = start();
    for (let i = 0; i < 100; i++) recorder.write(frameOf(i), frameOf(i));
    await recorder.close();
    // As the crash left it: sizes unknown, the last sample torn.
    const file = await open(path, 'r+');
    await file.write(Buffer.alloc(4, 0xff), 0, 4, 4);
    await file.write(Buffer.alloc(4, 0xff), 0, 4, 40);
    await file.close();
    await truncate(path, 44 + 50_003);
    expect(await infoOf(path)).toMatchObject({ dataBytes: 50_000, durationMs: 1563 });

    const repaired = { sizeBytes: 44 + 50_000, durationMs: 1563 };
    expect(await repairRecording(path)).toEqual(repaired);
    const bytes = await readFile(path);
    expect([bytes.length, bytes.readUInt32LE(40), bytes.readUInt32LE(4)]).toEqual([50_044, 50_000, 50_036]);
    expect(await repairRecording(path)).toEqual(repaired);
  });

  it.each([
    ['nothing', ''],
    ['half a header', 'RIFF1234WAVE'],
    ['something else', 'x'.repeat(100)],
  ])('holds no sound when it has %s', async (_what, content) => {
    const path = join(folder, 'odd.wav');
    await writeFile(path, content);
    expect(await repairRecording(path)).toEqual({ sizeBytes: content.length, durationMs: 0 });
    expect(await readFile(path, 'latin1')).toBe(content);
  });

  it('that is not there is an error', async () => {
    await expect(repairRecording(join(folder, 'none.wav'))).rejects.toThrow('ENOENT');
  });
});
