import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createFliteSpeaking } from '../speech/flite/flite-speaking.js';
import { createPocketsphinxHearing } from '../speech/pocketsphinx/pocketsphinx-hearing.js';
import { createSpeechPool } from '../speech/threads/speech-pool.js';
import { inWords } from '../kernel/system-trouble.js';
import type { Command, Shell } from './command.js';
import { withDatabase } from './open-database.js';

interface Check {
  name: string;
  /** Resolves with what was found; a throw is what is wrong. */
  run(shell: Shell): Promise<string>;
}

const CHECKS: readonly Check[] = [
  { name: 'settings', run: async ({ config }) => `${config.environment}, reached at ${config.publicUrl}` },
  { name: 'data folder', run: canWriteData },
  { name: 'port', run: canListen },
  { name: 'database', run: (shell) => withDatabase(shell, [], async () => 'opens and is up to date') },
  { name: 'speech', run: canSpeakAndHear },
];

/** Tries what a start needs, without starting. */
export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Checks settings, folders, port, database and speech, and reports what is wrong.',
  operands: [],
  options: {},
  async run(shell) {
    let wrong = 0;
    for (const check of CHECKS) {
      try {
        shell.print(`ok     ${check.name}: ${await check.run(shell)}`);
      } catch (error) {
        wrong += 1;
        shell.print(`WRONG  ${check.name}: ${inWords(error)}`);
      }
    }
    for (const warning of shell.config.warnings) shell.print(`note   ${warning}`);
    return wrong === 0 ? 0 : 1;
  },
};

async function canWriteData({ config, ids }: Shell): Promise<string> {
  await mkdir(config.recordingsDir, { recursive: true });
  const probe = join(config.dataDir, `.doctor-${ids.secret(6).toString('hex')}`);
  await writeFile(probe, 'probe');
  await rm(probe);
  return `${config.dataDir} can be written`;
}

function canListen({ config }: Shell): Promise<string> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.port, config.host, () =>
      server.close(() => resolve(`${config.host}:${config.port} is free`)),
    );
  });
}

/** The built-in voice says a word, and the built-in ear has to understand it. */
async function canSpeakAndHear({ log }: Shell): Promise<string> {
  const pool = createSpeechPool({ threads: 1, log });
  try {
    const format = { language: 'en-US', sampleRateHz: 8000 } as const;
    const ear = await createPocketsphinxHearing({ pool }).open(format);
    ear.expect({ kind: 'yes_no' });
    for await (const samples of createFliteSpeaking({ pool }).speak({
      text: 'yes',
      voice: null,
      ...format,
    })) {
      ear.push(samples);
    }
    const { text } = await ear.finish();
    if (!/yes/i.test(text)) throw new Error(`"yes" was spoken and "${text}" understood`);
    return 'the built-in voice was understood by the built-in ear';
  } finally {
    await pool.close();
  }
}
