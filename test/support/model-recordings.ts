import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The expected result of a recording (`index.json` in the folder). */
export interface ExpectedAnswer {
  text: string | { length: number; sha256: string };
  toolCalls: { id: string | null; name: string; arguments: unknown }[];
  finishReason: string;
  usage: Record<string, unknown> | null;
}

/** One recorded answer of a model, as sent by its service. */
export interface ModelRecording {
  file: string;
  /** The folder, which names the service. */
  service: string;
  /** Server-sent events, each with its terminating blank line. */
  events: string[];
  expect: ExpectedAnswer;
}

/** A recorded error body. */
export interface RecordedRefusal {
  file: string;
  service: string;
  body: string;
  status: number;
}

/** Services with an adapter in this project. */
const SERVICES = /^(anthropic|google|openai-chat|openai-compatible|deepseek|groq|mistral|xai)\//;

/** The folder of recordings from the environment; null if not set. The recordings are no part of the project. */
export const RECORDINGS_FOLDER = folderOf(process.env['PROVIDER_RECORDINGS']);

function folderOf(given: string | undefined): string | null {
  if (!given) return null;
  if (!existsSync(join(given, 'index.json')))
    throw new Error(`PROVIDER_RECORDINGS: ${given} has no index.json`);
  return given;
}

interface IndexEntry {
  file: string;
  expect: ExpectedAnswer & { error?: { status: number } };
}

function entries(): IndexEntry[] {
  if (RECORDINGS_FOLDER === null) return [];
  const index = JSON.parse(readFileSync(join(RECORDINGS_FOLDER, 'index.json'), 'utf8')) as {
    files: IndexEntry[];
  };
  return index.files.filter(({ file }) => SERVICES.test(file));
}

const textOf = (file: string) => readFileSync(join(RECORDINGS_FOLDER ?? '', file), 'utf8');
const serviceOf = (file: string) => file.split('/')[0]!;

export function modelRecordings(): ModelRecording[] {
  return entries()
    .filter(({ expect }) => expect.error === undefined)
    .map(({ file, expect }) => ({ file, service: serviceOf(file), events: eventsOf(file), expect }));
}

export function recordedRefusals(): RecordedRefusal[] {
  return entries().flatMap(({ file, expect: { error } }) =>
    error === undefined ? [] : [{ file, service: serviceOf(file), body: textOf(file), status: error.status }],
  );
}

function eventsOf(file: string): string[] {
  const text = textOf(file);
  const service = serviceOf(file);
  if (file.endsWith('.sse')) return text.split(/(?<=\r?\n\r?\n)/).filter((block) => block.trim() !== '');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (service === 'anthropic')
    return lines.map((line) => `event: ${(JSON.parse(line) as { type: string }).type}\ndata: ${line}\n\n`);
  const events = lines.map((line) => `data: ${line}\n\n`);
  return service === 'google' ? events : [...events, 'data: [DONE]\n\n'];
}

/** A text in the form of the index: long ones by length and digest. */
export function textAsIn(expected: ExpectedAnswer['text'], text: string): ExpectedAnswer['text'] {
  if (typeof expected === 'string') return text;
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { ...expected, length: text.length, sha256 };
}
