import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeUlaw } from '#media/samples/g711.js';
import {
  loadPersonas,
  PersonaFilesError,
  withOwnPersonas,
} from '#telephony/sandbox/personas/load-personas.js';
import type { Action } from '#telephony/sandbox/personas/persona.js';
import { PERSONAS } from '#telephony/sandbox/personas/personas.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'personas-'));
});
afterEach(() => rm(folder, { recursive: true }));

const put = (name: string, content: string | Buffer) => writeFile(join(folder, name), content);
const named = (number: string, name: string) => JSON.stringify({ number, name });

/** A WAV file with an odd chunk in front, as editors leave them. */
function wav(options: {
  encoding: number;
  channels: number;
  rateHz: number;
  bits: number;
  data: Buffer;
}): Buffer {
  const { encoding, channels, rateHz, bits, data } = options;
  const format = Buffer.alloc(16);
  format.writeUInt16LE(encoding, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(rateHz, 4);
  format.writeUInt16LE(bits, 14);
  const chunk = (name: string, bytes: Buffer) => {
    const head = Buffer.alloc(8);
    head.write(name, 0, 'latin1');
    head.writeUInt32LE(bytes.length, 4);
    return Buffer.concat([head, bytes, Buffer.alloc(bytes.length % 2)]);
  };
  const chunks = Buffer.concat([
    chunk('LIST', Buffer.from('odd')),
    chunk('fmt ', format),
    chunk('data', data),
  ]);
  return Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE', 'latin1'), chunks]);
}

/** One second of 440 Hz. */
function tone(rateHz: number, channels = 1): Int16Array {
  return Int16Array.from({ length: rateHz * channels }, (_, i) =>
    i % channels === 0 ? 8_000 * Math.sin((2 * Math.PI * 440 * Math.floor(i / channels)) / rateHz) : 31_000,
  );
}

async function playedFile(): Promise<Int16Array> {
  const file = { number: '+15550100200', name: 'Plays', script: [{ do: 'play_file', file: 'sound.wav' }] };
  await put('plays.json', JSON.stringify(file));
  const [persona] = await loadPersonas(folder);
  const action = persona!.script.steps[0]!.action as Action & { kind: 'play' };
  if (action.sound.kind !== 'recorded') throw new Error('not what was recorded');
  return action.sound.samples;
}

describe('personas in a folder', () => {
  it('are read from JSON and YAML in the order of the files; other files are passed over', async () => {
    await put(
      'b.yaml',
      "number: '+15550100202'\nname: Yaml # a comment\nscript:\n  - do: say\n    text: hello\n",
    );
    await put('a.json', named('+15550100201', 'Json'));
    await put('c.yml', "{ number: '+15550100203', name: Yml }");
    await put('notes.txt', 'no persona');
    const personas = await loadPersonas(folder);
    expect(personas.map(({ name }) => name)).toEqual(['Json', 'Yaml', 'Yml']);
    expect(personas[1]!.script.steps).toMatchObject([{ action: { kind: 'say', text: 'hello' } }]);
  });

  it('join the built-in ones, and take the place of one whose number they have', async () => {
    await put('a.json', named('+15550100005', 'Not busy any more'));
    await put('b.json', named('+15550100200', 'New in town'));
    const everybody = withOwnPersonas(PERSONAS, await loadPersonas(folder));
    expect(everybody).toHaveLength(PERSONAS.length + 1);
    expect(everybody[4]).toMatchObject({ number: '+15550100005', pickup: { kind: 'answers' } });
    expect(everybody.at(-1)!.name).toBe('New in town');
    expect(everybody[0]).toBe(PERSONAS[0]);
  });

  it('are all named at once when they are wrong, with file and field', async () => {
    await put('a.json', JSON.stringify({ number: '5', name: 'A', script: [{ do: 'say', text: '' }] }));
    await put('b.yaml', 'number: "+15550100201"\nname: [');
    await put('c.json', named('+15550100203', 'C'));
    await put('d.json', named('+15550100203', 'D'));
    await put(
      'e.json',
      JSON.stringify({ number: '+15550100205', name: 'E', script: [{ do: 'play_file', file: '../x.wav' }] }),
    );
    await put(
      'f.json',
      JSON.stringify({ number: '+15550100206', name: 'F', script: [{ do: 'play_file', file: 'no.wav' }] }),
    );
    const failure = (await loadPersonas(folder).catch((error: unknown) => error)) as Error;
    expect(failure).toBeInstanceOf(PersonaFilesError);
    expect(
      failure.message
        .split('\n')
        .slice(1)
        .map((line) => line.slice(4, 50)),
    ).toEqual([
      expect.stringMatching(/^a\.json: number: must be a number such as/),
      expect.stringMatching(/^a\.json: script\[0\]\.text: /),
      expect.stringMatching(/^b\.yaml: /),
      expect.stringMatching(/^d\.json: number: \+15550100203 is taken by c\.jso/),
      expect.stringMatching(/^e\.json: script\[0\]\.file: file "\.\.\/x\.wav" must l/),
      expect.stringMatching(/^f\.json: script\[0\]\.file: file "no\.wav": ENOENT/),
    ]);
  });

  it('are told of every sound that cannot be played, not of the first alone', async () => {
    await put('empty.wav', wav({ encoding: 1, channels: 1, rateHz: 8_000, bits: 16, data: Buffer.alloc(0) }));
    const script = ['no.wav', 'empty.wav', '../x.wav'].map((file) => ({ do: 'play_file', file }));
    await put('a.json', JSON.stringify({ number: '+15550100201', name: 'A', script }));
    const failure = (await loadPersonas(folder).catch((error: unknown) => error)) as Error;
    expect(failure.message).toContain('a.json: script[0].file: file "no.wav": ENOENT');
    expect(failure.message).toContain(
      'a.json: script[1].file: file "empty.wav": is a WAV file without sound',
    );
    expect(failure.message).toContain('a.json: script[2].file: file "../x.wav" must lie in the same folder');
  });

  it('may begin with the mark that editors put before a text', async () => {
    await put('a.json', `\uFEFF${named('+15550100201', 'Json')}`);
    await put('b.yaml', "\uFEFF{ number: '+15550100202', name: Yaml }");
    expect((await loadPersonas(folder)).map(({ name }) => name)).toEqual(['Json', 'Yaml']);
  });

  it('are read as the documentation shows one', async () => {
    const page = readFileSync(new URL('../../../docs/sandbox.md', import.meta.url), 'utf8');
    const example = /```yaml\n([\s\S]*?)```/.exec(page)?.[1];
    const samples = Buffer.from(tone(8_000).buffer);
    await put('example.yaml', example ?? '');
    await put('por-favor.wav', wav({ encoding: 1, channels: 1, rateHz: 8_000, bits: 16, data: samples }));
    const [persona] = await loadPersonas(folder);
    expect(persona).toMatchObject({ name: 'Hard of hearing in a noisy kitchen', voice: 'awb' });
    expect(persona!.script.thereafter).toMatchObject({ action: { kind: 'hang_up' } });
  });

  it('need a folder that is there', async () => {
    await expect(loadPersonas(join(folder, 'nowhere'))).rejects.toThrow(/nowhere: ENOENT/);
  });
});

describe('a sound file of a persona', () => {
  it.each([
    ['PCM at the rate of the line', 8_000, 1],
    ['PCM in stereo, of which the first channel is taken', 8_000, 2],
    ['PCM of a compact disc', 44_100, 1],
  ])('is played at the rate of the line: %s', async (_name, rateHz, channels) => {
    const samples = tone(rateHz, channels);
    await put(
      'sound.wav',
      wav({ encoding: 1, channels, rateHz, bits: 16, data: Buffer.from(samples.buffer) }),
    );
    const played = await playedFile();
    expect(Math.abs(played.length - 8_000)).toBeLessThanOrEqual(2);
    expect(Math.max(...played)).toBeGreaterThan(7_500);
    expect(Math.max(...played)).toBeLessThan(8_500);
  });

  it('may be μ-law', async () => {
    const bytes = Buffer.alloc(8_000);
    encodeUlaw(tone(8_000), bytes);
    await put('sound.wav', wav({ encoding: 7, channels: 1, rateHz: 8_000, bits: 8, data: bytes }));
    expect(Math.max(...(await playedFile()))).toBeGreaterThan(7_500);
  });

  it.each([
    ['is no WAV file', Buffer.from('hello')],
    ['is a WAV file without sound', Buffer.from('RIFF\0\0\0\0WAVE', 'latin1')],
    [
      'must hold 16-bit PCM',
      wav({ encoding: 1, channels: 1, rateHz: 8_000, bits: 8, data: Buffer.alloc(80) }),
    ],
    [
      'must have a rate of 4000 to',
      wav({ encoding: 1, channels: 1, rateHz: 100, bits: 16, data: Buffer.alloc(80) }),
    ],
  ])('is refused: it %s', async (why, file) => {
    await put('sound.wav', file);
    await expect(playedFile()).rejects.toThrow(`sound.wav": ${why}`);
  });
});
