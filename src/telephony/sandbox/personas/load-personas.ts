/**
 * Loads the operator's own personas (simulated people of the sandbox network) from files (setting
 * `SANDBOX_PERSONAS_DIR`), at the start of the service and for the doctor command.
 */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, extname, join, resolve, sep } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { ZodError } from 'zod';
import { loadResampling } from '#media/samples/resampler.js';
import { SANDBOX_SAMPLE_RATE_HZ } from '#telephony/sandbox/sound/sandbox-frames.js';
import type { Persona } from './persona.js';
import { personaFile, readPersona, soundFilesOf, type SoundFiles } from './persona-file.js';
import { readSoundFile } from '#media/samples/sound-file.js';

const EXTENSIONS = new Set(['.json', '.yaml', '.yml']);
/** The largest persona file (in characters), far larger than any script needs. */
const LARGEST_BYTES = 256 * 1024;

/** Persona files are invalid. The message names the setting, and has a line with the reason for each file and field. */
export class PersonaFilesError extends Error {
  override readonly name = 'PersonaFilesError';

  constructor(problems: readonly string[]) {
    super(
      `SANDBOX_PERSONAS_DIR: personas cannot be read:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
  }
}

/**
 * Loads the personas of a folder, one per file (`.json`, `.yaml`, `.yml`; others are skipped), ordered by file name.
 * @throws PersonaFilesError that lists all problems, also two files with the same number
 */
export async function loadPersonas(folder: string): Promise<Persona[]> {
  const names = await readdir(folder).catch((error: Error) => {
    throw new PersonaFilesError([`${folder}: ${error.message}`]);
  });
  const problems: string[] = [];
  const read = async (name: string): Promise<{ name: string; persona: Persona }[]> => {
    try {
      return [{ name, persona: await readPersonaAt(join(folder, name)) }];
    } catch (error) {
      problems.push(...reasonsOf(error).map((reason) => `${name}: ${reason}`));
      return [];
    }
  };
  const files = names.filter((name) => EXTENSIONS.has(extname(name).toLowerCase())).sort();
  const loaded = (await Promise.all(files.map(read))).flat();
  for (const [index, { name, persona }] of loaded.entries()) {
    const first = loaded.slice(0, index).find((earlier) => earlier.persona.number === persona.number);
    if (first) problems.push(`${name}: number: ${persona.number} is taken by ${first.name}`);
  }
  if (problems.length > 0) throw new PersonaFilesError(problems.sort());
  return loaded.map(({ persona }) => persona);
}

/** Adds a folder's personas to the built-in ones; a persona with the same number replaces the built-in one. */
export function withOwnPersonas(builtIn: readonly Persona[], own: readonly Persona[]): Persona[] {
  const byNumber = new Map(own.map((persona) => [persona.number, persona]));
  const replaced = builtIn.map((persona) => byNumber.get(persona.number) ?? persona);
  return [...replaced, ...own.filter(({ number }) => !builtIn.some((persona) => persona.number === number))];
}

/** Reads one persona file, with its sound files. @throws Error, ZodError or AggregateError with the reasons */
async function readPersonaAt(path: string): Promise<Persona> {
  const text = await readFile(path, 'utf8');
  if (text.length > LARGEST_BYTES) throw new Error('is too large: 256 kB at most');
  // YAML would read JSON as well, but the messages of the JSON parser fit JSON files.
  const input: unknown = path.endsWith('.json') ? JSON.parse(text.replace(/^\uFEFF/, '')) : parseYaml(text);
  const file = personaFile.parse(input);
  return readPersona(input, await readSounds(dirname(path), soundFilesOf(file)));
}

/** Reads the sound files of a persona. @throws AggregateError with every problem */
async function readSounds(folder: string, files: ReturnType<typeof soundFilesOf>): Promise<SoundFiles> {
  if (files.length === 0) return new Map();
  const resampling = await loadResampling();
  const sounds = new Map<string, Int16Array>();
  const problems: Error[] = [];
  for (const { file, path: field } of files) {
    const path = resolve(folder, file);
    const subject = `${fieldAt(field)}: file "${file}"`;
    if (sounds.has(file)) continue;
    if (!path.startsWith(resolve(folder) + sep)) {
      problems.push(new Error(`${subject} must lie in the same folder`));
      continue;
    }
    try {
      sounds.set(file, await readSoundFile(path, SANDBOX_SAMPLE_RATE_HZ, resampling));
    } catch (error) {
      problems.push(new Error(`${subject}: ${(error as Error).message}`, { cause: error }));
    }
  }
  if (problems.length > 0) throw new AggregateError(problems);
  return sounds;
}

/** The reasons of an error, each with its field where that is known. */
function reasonsOf(error: unknown): string[] {
  if (error instanceof ZodError)
    return error.issues.map(({ path, message }) => `${fieldAt(path)}: ${message}`);
  if (error instanceof AggregateError) return error.errors.flatMap(reasonsOf);
  return [(error as Error).message.split('\n')[0]!];
}

/** A path as text: `script[2].text`. */
function fieldAt(path: readonly PropertyKey[]): string {
  const field = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return field.replace(/^\./, '') || 'the file';
}
