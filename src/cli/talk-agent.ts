import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { CountryCode } from 'libphonenumber-js';
import { agentCreate } from '#agents/definitions/agent-input.js';
import { agentTransactions } from '#agents/definitions/agent-store.js';
import { DEFAULT_WORKSPACE } from '#access/keys/principal.js';
import { asError } from '#kernel/errors/as-error.js';
import { fieldOf, messageOf } from '#kernel/input/issue-message.js';
import type { Playbook } from '#playbook/definition/playbook.js';
import { UsageError, type CommandArguments, type CommandContext } from './command.js';
import { requireDatabase, requireUpToDate, withDatabase } from './open-database.js';

// Finds the agent for the command `talk`: in a file, in the database, or at a running service.

const DEFAULT_LANGUAGE = 'en-US';
const DEFAULT_OPENING = 'Hello {{name}}, this is {{agent_name}}.';
/** The timeout of the request for an agent. */
const SERVICE_TIMEOUT_MS = 10_000;

/** The fields of an agent that a talk in the terminal needs. */
export interface TalkAgent {
  name: string;
  initial_message: string;
  system_prompt: string | null;
  language: string;
  ai_provider: string;
  voice: string | null;
  region: CountryCode | null;
  playbook: Playbook | null;
}

/**
 * The agent that the operand of `talk` names: in a file, in the database, or at a running service (`--service`).
 * @throws UsageError for invalid options; Error or Problem if there is no valid agent
 */
export async function findTalkAgent(
  context: CommandContext,
  { operands, options }: CommandArguments,
): Promise<TalkAgent> {
  const [named = ''] = operands;
  // Anything else names a file.
  const isId = /^agent_[0-9a-z]+$/.test(named);
  if (options['service'] !== undefined) {
    if (!isId)
      throw new UsageError('--service has agents by their ids, such as agent_01kakb8x6te1tr7m3qf0c9w2aa');
    return agentOfService(named, options);
  }
  if (!isId) return agentInFile(resolve(context.folder, named), named);
  const workspace = String(options['workspace'] ?? DEFAULT_WORKSPACE);
  await requireDatabase(context);
  await requireUpToDate(context);
  return withDatabase(
    context,
    async (store) => (await store.read(agentTransactions.get, { workspace, id: named })).agent,
  );
}

/** Requests the agent from a running service, whose SQLite database no other process may open. */
async function agentOfService(id: string, { service, key }: CommandArguments['options']): Promise<TalkAgent> {
  if (key === undefined) throw new UsageError('--service needs --key');
  const url = `${String(service).replace(/\/+$/, '')}/api/agents/${id}`;
  if (!URL.canParse(url)) throw new UsageError('--service: is no URL such as http://localhost:8010');
  const { isOk, body } = await askService(url, String(key));
  if (!isOk) throw new Error(`${String(service)} did not give the agent: ${String(body['message'])}`);
  return body as unknown as TalkAgent;
}

/** Requests a URL of a service. @throws Error if no Callwright answers there */
async function askService(
  url: string,
  key: string,
): Promise<{ isOk: boolean; body: Record<string, unknown> }> {
  try {
    const signal = AbortSignal.timeout(SERVICE_TIMEOUT_MS);
    const answer = await fetch(url, { headers: { 'x-api-key': key }, signal });
    return { isOk: answer.ok, body: (await answer.json()) as Record<string, unknown> };
  } catch (cause) {
    const { message, cause: innerCause } = asError(cause);
    const reason = innerCause instanceof Error ? innerCause.message : message;
    throw new Error(`${new URL(url).origin} does not answer as Callwright does: ${reason}`, { cause });
  }
}

/** The agent in a JSON file, with defaults for omitted fields. @throws Error that names the file's mistakes */
async function agentInFile(file: string, named: string): Promise<TalkAgent> {
  const text = await readFile(file, 'utf8');
  const read = agentCreate.safeParse(jsonOf(text, named));
  if (!read.success) {
    const flaws = read.error.issues.map((issue) => `${fieldOf(issue.path)} ${messageOf(issue)}`);
    throw new Error(`${named}: ${flaws.join('; ')}`);
  }
  const { name, initial_message, system_prompt, language, ai_provider, voice, playbook, region } = read.data;
  return {
    name,
    initial_message: initial_message ?? DEFAULT_OPENING,
    system_prompt: system_prompt ?? null,
    language: language ?? DEFAULT_LANGUAGE,
    ai_provider: ai_provider ?? 'builtin',
    voice: voice ?? null,
    playbook: playbook ?? null,
    region: region ?? null,
  };
}

function jsonOf(text: string, named: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${named} is not valid JSON`, { cause });
  }
}
