import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { decodeUlaw } from '#media/samples/g711.js';
import { loadResampling } from '#media/samples/resampler.js';

/** Debian's recogniser and its language model: independent of the service in program and vocabulary. */
const PROGRAM = '/usr/bin/pocketsphinx_continuous';
const MODEL = '/usr/share/pocketsphinx/model/en-us';
/** Debian's acoustic model fails on telephone audio (58 % word errors and more); this one was trained for it. */
const TELEPHONE_MODEL = fileURLToPath(new URL('./model/en-us', import.meta.resolve('soundswallower')));
/** The model's training parameters; its own settings file has a format that Debian's program does not read. */
const MODEL_SETTINGS = (
  '-lowerf 130 -upperf 3700 -nfilt 20 -transform dct -lifter 22 -feat 1s_c_d_dd -svspec 0-12/13-25/26-38 ' +
  `-agc none -cmn current -varnorm no -fdict ${join(TELEPHONE_MODEL, 'noisedict.txt')}`
).split(' ');
const JUDGE_RATE_HZ = 8_000;
const WAV_PCM = 1;
const WAV_ULAW = 7;

/** True if this machine has the recogniser; otherwise the tests that need it are skipped. */
export const hasJudge = existsSync(PROGRAM) && existsSync(join(MODEL, 'en-us.lm.bin'));

/**
 * What an independent recogniser with an open vocabulary understands in a WAV file (PCM 16 bit or G.711 μ-law, any
 * rate). Null if the machine lacks it.
 * @param options.channel counted from 0; in a recording, 0 is the customer and 1 the agent
 */
export async function hearWav(path: string, options: { channel?: number } = {}): Promise<string | null> {
  if (!hasJudge) return null;
  const { samples, rateHz } = readChannel(await readFile(path), options.channel ?? 0);
  return hearSamples(samples, rateHz);
}

/** {@link hearWav} for audio in memory. */
export async function hearSamples(samples: Int16Array, rateHz: number): Promise<string | null> {
  if (!hasJudge) return null;
  const folder = await mkdtemp(join(tmpdir(), 'judge-'));
  try {
    const input = join(folder, 'channel.wav');
    await writeFile(input, toWav(await atJudgeRate(samples, rateHz)));
    const { stdout } = await promisify(execFile)(PROGRAM, [
      '-infile',
      input,
      '-samprate',
      String(JUDGE_RATE_HZ),
      '-hmm',
      TELEPHONE_MODEL,
      '-lm',
      join(MODEL, 'en-us.lm.bin'),
      '-dict',
      join(MODEL, 'cmudict-en-us.dict'),
      ...MODEL_SETTINGS,
      '-remove_noise',
      'no',
      '-logfn',
      '/dev/null',
    ]);
    return stdout.split('\n').join(' ').replace(/\s+/g, ' ').trim();
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Inserted, omitted and replaced words, as a fraction of the words said. */
export function wordErrorRate(said: string, heard: string): number {
  const wanted = words(said);
  const got = words(heard);
  let row = Array.from({ length: got.length + 1 }, (_, index) => index);
  for (const [i, word] of wanted.entries()) {
    const next = [i + 1];
    for (const [j, other] of got.entries()) {
      next.push(Math.min(row[j]! + (word === other ? 0 : 1), row[j + 1]! + 1, next[j]! + 1));
    }
    row = next;
  }
  return row.at(-1)! / Math.max(1, wanted.length);
}

function words(text: string): string[] {
  return text.toLowerCase().match(/[a-z']+/g) ?? [];
}

async function atJudgeRate(samples: Int16Array, rateHz: number): Promise<Int16Array> {
  if (rateHz === JUDGE_RATE_HZ) return samples;
  const stream = (await loadResampling()).open({ fromHz: rateHz, toHz: JUDGE_RATE_HZ });
  const narrow = stream.process(samples).slice();
  stream.free();
  return narrow;
}

interface WavFormat {
  encoding: number;
  channels: number;
  rateHz: number;
}

function readChannel(wav: Buffer, channel: number): { samples: Int16Array; rateHz: number } {
  const chunks = chunksOf(wav);
  const fmt = chunks.get('fmt ')!;
  const format: WavFormat = {
    encoding: fmt.readUInt16LE(0),
    channels: fmt.readUInt16LE(2),
    rateHz: fmt.readUInt32LE(4),
  };
  const interleaved = decode(chunks.get('data')!, format);
  const samples = interleaved.filter((_, index) => index % format.channels === channel);
  return { samples, rateHz: format.rateHz };
}

function chunksOf(wav: Buffer): Map<string, Buffer> {
  const chunks = new Map<string, Buffer>();
  for (let at = 12; at + 8 <= wav.length;) {
    const sizeBytes = wav.readUInt32LE(at + 4);
    chunks.set(wav.toString('latin1', at, at + 4), wav.subarray(at + 8, at + 8 + sizeBytes));
    at += 8 + sizeBytes + (sizeBytes % 2);
  }
  return chunks;
}

function decode(data: Buffer, { encoding }: WavFormat): Int16Array {
  if (encoding === WAV_ULAW) {
    const samples = new Int16Array(data.length);
    decodeUlaw(data, samples);
    return samples;
  }
  if (encoding !== WAV_PCM) throw new Error(`WAV encoding ${encoding} is not known`);
  return Int16Array.from({ length: data.length >> 1 }, (_, index) => data.readInt16LE(index * 2));
}

function toWav(samples: Int16Array): Buffer {
  const header = Buffer.alloc(44);
  const dataBytes = samples.length * 2;
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + dataBytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(WAV_PCM, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(JUDGE_RATE_HZ, 24);
  header.writeUInt32LE(JUDGE_RATE_HZ * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(dataBytes, 40);
  return Buffer.concat([header, Buffer.from(samples.buffer, samples.byteOffset, dataBytes)]);
}
