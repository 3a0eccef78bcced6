import { openObjectStorage } from '#app/open-object-storage.js';
import { createServer } from 'node:net';
import { z } from 'zod';
import { hostInUrl } from '#app/addresses.js';
import { createFliteTts } from '#providers/builtin/flite/flite-tts.js';
import { createPocketsphinxStt } from '#providers/builtin/pocketsphinx/pocketsphinx-stt.js';
import { createSpeechPool } from '#providers/builtin/threads/speech-pool.js';
import { PROVIDERS } from '#providers/registry.js';
import { Voices } from '#providers/voices/voices.js';
import { createSocketOpener } from '#outbound-http/socket.js';
import { openModels } from '#providers/models.js';
import { createFetch } from '#outbound-http/fetch.js';
import { openHttpPool } from '#outbound-http/pool.js';
import { asError } from '#kernel/errors/as-error.js';
import { requireFreeSpace, requireWritableFolder } from '#kernel/system/folders.js';
import { describeSystemError } from '#kernel/errors/system-error.js';
import type { Command, CommandContext } from './command.js';
import { readLanguages } from '#language/languages/languages-folder.js';
import { loadPersonas } from '#telephony/sandbox/personas/load-personas.js';
import { readCertificates } from '#webhooks/receiver-certificates.js';
import { inspectDatabase, waitingMigrations } from '#store/inspect-database.js';
import { migrationsFolder } from '#kernel/system/installation.js';

/** The free disk space that the check demands: 100 MB, which about an hour of recording takes. */
const MIN_FREE_BYTES = 100 * 2 ** 20;

/** The timeout of the health request to the program that uses the port. */
const HEALTH_TIMEOUT_MS = 2_000;
const Health = z.object({ service: z.literal('callwright') });

/** One check of the command. */
interface Check {
  name: string;
  /** Resolves with the result; a thrown error says what is wrong. */
  run(context: CommandContext): Promise<string>;
}

const CHECKS: readonly Check[] = [
  { name: 'settings', run: async ({ config }) => `${config.environment}, reached at ${config.publicUrl}` },
  { name: 'files', run: checkFiles },
  { name: 'data folder', run: checkFolders },
  { name: 'port', run: checkPort },
  { name: 'database', run: checkDatabase },
  { name: 'speech', run: checkSpeech },
  { name: 'language models', run: checkModels },
  { name: 'voices', run: checkVoices },
  { name: 'object storage', run: checkObjectStorage },
];

/**
 * The command `doctor`: checks what the service needs, before its start or beside it. It changes nothing that stays:
 * the check of the object storage writes a small object and deletes it again.
 */
export const doctorCommand: Command = {
  name: 'doctor',
  summary:
    'Checks settings, files, folders, port, database, speech, language models, voices and object storage, and reports what is wrong.',
  operands: [],
  options: {},
  async run(context) {
    let failedChecks = 0;
    for (const check of CHECKS) {
      try {
        context.print(`ok     ${check.name}: ${await check.run(context)}`);
      } catch (error) {
        failedChecks += 1;
        context.print(`WRONG  ${check.name}: ${describeSystemError(error)}`);
      }
    }
    for (const warning of context.config.warnings) context.print(`note   ${warning}`);
    return failedChecks === 0 ? 0 : 1;
  },
};

/** Reads the certificates, personas and languages that settings name, as a start does. */
async function checkFiles({ config }: CommandContext): Promise<string> {
  const { webhookCaFile, sandboxPersonasDir, languagesDir } = config;
  if (webhookCaFile !== null) await readCertificates(webhookCaFile);
  if (sandboxPersonasDir !== null) await loadPersonas(sandboxPersonasDir);
  await readLanguages(languagesDir);
  const paths = [webhookCaFile, sandboxPersonasDir, languagesDir].filter((path) => path !== null);
  return paths.length === 0 ? 'no setting names any' : `${paths.join(' and ')} can be used`;
}

/**
 * Requires that the data folder and its recordings can be written, or made by the first start. Also requires free disk
 * space if the data folder exists.
 */
async function checkFolders({ config }: CommandContext): Promise<string> {
  const isThere = requireWritableFolder(config.dataDir);
  requireWritableFolder(config.recordingsDir);
  if (!isThere) return `there is no ${config.dataDir} yet; the first start makes it`;
  requireFreeSpace(config.dataDir, MIN_FREE_BYTES);
  return `${config.dataDir} can be written`;
}

/** Reports the database and its pending migrations; applies none. */
async function checkDatabase({ config }: CommandContext): Promise<string> {
  const state = await inspectDatabase(config.databaseUrl, migrationsFolder);
  const { name, kind, pending } = state;
  if (kind === 'missing') return `there is no database yet at ${name}; the first start makes it`;
  if (pending.length === 0) return `${name} is up to date`;
  return `${name}: ${waitingMigrations(state)}; the next start applies ${pending.length === 1 ? 'it' : 'them'}`;
}

/** Requires that the port is free, or in use by a running Callwright, such as the service itself. */
async function checkPort({ config: { port, host } }: CommandContext): Promise<string> {
  const server = createServer();
  const listening = new Promise<string>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => server.close(() => resolve(`${host}:${port} is free`)));
  });
  try {
    return await listening;
  } catch (error) {
    if (!(await isServed(host, port))) throw error;
    return `a Callwright that is running has ${host}:${port}`;
  }
}

/** Writes, reads and deletes a small object, if an object storage is configured. */
async function checkObjectStorage({ config, clock }: CommandContext): Promise<string> {
  const { storage, close } = openObjectStorage(config, { clock });
  try {
    if (storage === null) return 'not set up; recordings are kept on the disk';
    await storage.probe();
    return `${config.objectStorage!.bucket} can be written, read and deleted from`;
  } finally {
    await close();
  }
}

/** True if this service listens on a port, by its health answer. */
async function isServed(host: string, port: number): Promise<boolean> {
  const listensEverywhere = host === '0.0.0.0' || host === '::';
  try {
    const response = await fetch(
      `http://${listensEverywhere ? 'localhost' : hostInUrl(host)}:${port}/health`,
      {
        signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS),
      },
    );
    return Health.safeParse(await response.json()).success;
  } catch {
    return false;
  }
}

/** Requires that the built-in recogniser understands a word that the built-in voice speaks. */
async function checkSpeech({ log }: CommandContext): Promise<string> {
  const pool = createSpeechPool({ threads: 1, log });
  try {
    const format = { language: 'en-US', sampleRateHz: 8000 } as const;
    const session = await createPocketsphinxStt({ pool }).open(format);
    session.expect({ kind: 'yes_no' });
    for await (const samples of createFliteTts({ pool }).speak({
      text: 'yes',
      voice: null,
      ...format,
    })) {
      session.push(samples);
    }
    const { text } = await session.finish();
    if (!/yes/i.test(text)) throw new Error(`"yes" was spoken and "${text}" understood`);
    return 'the built-in voice was understood by the built-in recogniser';
  } finally {
    await pool.close();
  }
}

/** Lists the voices of each configured provider, which is free and verifies the key. */
async function checkVoices({ config, clock, log }: CommandContext): Promise<string> {
  const pool = openHttpPool({ clock });
  const threads = createSpeechPool({ threads: 1, log });
  const voices = new Voices(PROVIDERS, config.providers, {
    clock,
    log,
    fetch: createFetch({ pool }),
    openSocket: createSocketOpener({ clock }),
    builtIn: createFliteTts({ pool: threads }),
  });
  try {
    const configured = voices.listings().filter((provider) => provider.configured);
    if (configured.length === 0) return 'no setting names a provider of voices; the built-in voice speaks';
    const results = await Promise.allSettled(configured.map(({ name }) => voices.list(name)));
    const wrong = results.flatMap((result, at) =>
      result.status === 'rejected' ? [`${configured[at]!.name}: ${asError(result.reason).message}`] : [],
    );
    if (wrong.length > 0) throw new Error(wrong.join('; '));
    return configured.map(({ name }) => `${name} answers`).join(', ');
  } finally {
    await voices.close();
    await Promise.all([threads.close(), pool.close()]);
  }
}

/** Lists the models of each provider with a key, which is free and verifies the key and the default model. */
async function checkModels({ config, clock, ids, log }: CommandContext): Promise<string> {
  const pool = openHttpPool({ clock });
  const fetch = createFetch({ pool });
  const settings = { settings: config.providers, packages: config.aiSdkPackages };
  const models = openModels(settings, { clock, ids, log, fetch, guardedFetch: fetch });
  try {
    const configured = models.listingsWithKey();
    if (configured.length === 0) return 'no setting names a key; agents follow playbooks';
    const results = await Promise.allSettled(configured.map(({ name }) => models.check(name)));
    const wrong = results.flatMap((result) =>
      result.status === 'rejected' ? [asError(result.reason).message] : [],
    );
    if (wrong.length > 0) throw new Error(wrong.join('; '));
    return configured
      .map(({ name, defaultModel }) => `${name} answers${defaultModel === null ? '' : ` (${defaultModel})`}`)
      .join(', ');
  } finally {
    models.close();
    await pool.close();
  }
}
