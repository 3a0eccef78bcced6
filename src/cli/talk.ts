import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { agentCreate } from '#agents/definitions/agent-input.js';
import { agentTransactions } from '#agents/definitions/agent-store.js';
import { DEFAULT_WORKSPACE } from '#access/keys/principal.js';
import type { AgentBrief, DialogueManager, DialogueOutput, TurnInput } from '#dialogue/dialogue-manager.js';
import { knownVariables } from '#dialogue/known-variables.js';
import { readPhoneNumber } from '#kernel/input/phone-number.js';
import { fieldOf, messageOf } from '#kernel/input/issue-message.js';
import type { Playbook } from '#playbook/book/playbook.js';
import { createPlaybookDialogue } from '#playbook/playbook-dialogue.js';
import { UsageError, type Command, type CommandContext, type CommandArguments } from './command.js';
import { requireDatabase, requireUpToDate, withDatabase } from './open-database.js';

const USUAL_LANGUAGE = 'en-US';
const USUAL_OPENING = 'Hello {{name}}, this is {{agent_name}}.';
/** Typed text has full confidence. */
const CERTAIN = 1;
const NOTHING_SAID = /^\s*$/;

/** The fields of an agent that a conversation along its playbook needs. */
interface TalkingAgent {
  name: string;
  initial_message: string;
  system_prompt: string | null;
  language: string;
  ai_provider: string;
  playbook: Playbook | null;
}

/** A typed conversation with an agent: shows its texts, the step it is at, and the answers it has understood. */
export const talkCommand: Command = {
  name: 'talk',
  summary: 'Talks with an agent in the terminal, typed, without a call or a service.',
  operands: ['<agent.json | agent id>'],
  options: {
    number: { type: 'string', docs: 'Number of the other end; hidden, if omitted.' },
    workspace: {
      type: 'string',
      docs: `The workspace of an agent that is named by its id (default: ${DEFAULT_WORKSPACE}).`,
    },
    service: {
      type: 'string',
      docs: 'URL of a running service that has the agent, such as http://localhost:8010.',
    },
    key: { type: 'string', docs: 'API key for --service.' },
  },
  otherOptions: '--<variable> <text> fills {{variable}}, such as --name Ada.',
  async run(context, args) {
    const { print, readLine } = context;
    const agent = await agentOf(context, args);
    const talk = new TypedTalk(agent, context, args);
    for (const variable of talk.variables) print(variable);
    if (agent.ai_provider !== 'builtin')
      print(`(${agent.ai_provider} is not asked here: the playbook is followed alone)`);
    await talk.turn({ kind: 'opening' });
    while (!talk.isOver) {
      const text = await readLine('You:   ');
      if (text === null) break;
      if (NOTHING_SAID.test(text)) await talk.silence();
      else await talk.turn({ kind: 'heard', transcript: { text, confidence: CERTAIN } });
    }
    talk.sumUp();
    return 0;
  },
};

/** One conversation in a terminal. */
class TypedTalk {
  /** The variables known at the start, one line each. */
  readonly variables: readonly string[];
  isOver = false;
  readonly #print: CommandContext['print'];
  readonly #dialogue: DialogueManager;
  #step = '';
  #silences = 0;
  #known: Readonly<Record<string, string>> = {};

  constructor(agent: TalkingAgent, { config, clock, print }: CommandContext, { options }: CommandArguments) {
    const { number, workspace: _workspace, service: _service, key: _key, ...given } = options;
    const told = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
    const theirs = numberOf(number, config.defaultRegion ?? undefined);
    const timeZone = config.defaultTimezone;
    const call = { callId: 'call_talk', agentId: null, direction: 'outbound', callerNumber: null } as const;
    const known = knownVariables(
      agent.name,
      { ...call, calledNumber: theirs },
      { at: clock.wallMs(), timeZone },
    );
    const brief: AgentBrief = {
      agentName: agent.name,
      initialMessage: agent.initial_message,
      systemPrompt: agent.system_prompt,
      language: agent.language,
      timeZone,
      isReachable: theirs !== null,
      variables: { ...known, ...told },
    };
    this.variables = Object.entries(told).map(([name, value]) => `{{${name}}} = ${value}`);
    this.#print = print;
    const region = config.defaultRegion ?? undefined;
    this.#dialogue = createPlaybookDialogue({ clock, timeZone, region })(brief, agent.playbook, {
      onStep: (step) => (this.#step = step),
    });
  }

  async turn(input: TurnInput): Promise<void> {
    if (input.kind === 'heard') this.#silences = 0;
    const { signal } = new AbortController();
    for await (const output of this.#dialogue.turn(input, signal)) this.#show(output);
    this.#showUnderstood(input);
  }

  /** Handles an empty line: the caller says nothing. */
  silence(): Promise<void> {
    this.#silences += 1;
    return this.turn({ kind: 'silence', prompts: this.#silences });
  }

  /** Prints the outcome as a call would store it. */
  sumUp(): void {
    const { intent, resolutionAchieved, summary, followUp } = this.#dialogue.outcome();
    this.#print(`\nintent: ${intent ?? 'none'}   resolution_achieved: ${resolutionAchieved ?? 'unknown'}`);
    if (summary) this.#print(`summary: ${summary}`);
    if (followUp?.kind === 'call_back') this.#print(`call back: ${followUp.said || 'at no named time'}`);
    if (followUp?.kind === 'suppress') this.#print('the number goes to the suppression list');
    this.#dialogue.close?.();
  }

  #show(output: DialogueOutput): void {
    if (output.kind === 'say') this.#print(`Agent: ${output.text}`);
    else if (output.kind === 'text_delta') this.#print(`Agent: ${output.text}`);
    else if (output.kind === 'transfer') this.#print(`       (connects the caller with ${output.to})`);
    else if (output.kind === 'press') this.#print(`       (presses ${output.keys})`);
    if (output.kind === 'transfer' || output.kind === 'end') this.isOver = true;
  }

  #showUnderstood(input: TurnInput): void {
    const { answers } = this.#dialogue.outcome();
    const learnt = Object.entries(answers).filter(([name, value]) => this.#known[name] !== value);
    this.#known = { ...answers };
    const understood = learnt.map(([name, value]) => `${name} = ${value}`).join(', ');
    const facts = [
      ...(input.kind === 'heard'
        ? [understood === '' ? 'nothing new understood' : `understood ${understood}`]
        : []),
      ...(this.#step === '' || this.isOver ? [] : [`step ${this.#step}`]),
    ];
    if (facts.length > 0) this.#print(`       [${facts.join('; ')}]`);
  }
}

function numberOf(
  given: string | boolean | undefined,
  region?: Parameters<typeof readPhoneNumber>[1],
): string | null {
  if (given === undefined) return null;
  const number = readPhoneNumber(String(given), region);
  if (number === null) throw new UsageError('--number: is not an E.164 number such as +14155550123');
  return number;
}

async function agentOf(
  context: CommandContext,
  { operands, options }: CommandArguments,
): Promise<TalkingAgent> {
  const [named = ''] = operands;
  if (/^agent_[0-9a-z]+$/.test(named)) {
    if (options['service'] !== undefined) return agentOfService(named, options);
    const workspace = String(options['workspace'] ?? DEFAULT_WORKSPACE);
    await requireDatabase(context);
    await requireUpToDate(context);
    return withDatabase(
      context,
      async (store) => (await store.read(agentTransactions.get, { workspace, id: named })).agent,
    );
  }
  return agentInFile(resolve(context.folder, named), named);
}

/** The database may be in use by a running service, so that service is asked for the agent. */
async function agentOfService(
  id: string,
  { service, key }: CommandArguments['options'],
): Promise<TalkingAgent> {
  if (key === undefined) throw new UsageError('--service needs --key');
  const answer = await fetch(`${String(service).replace(/\/+$/, '')}/api/agents/${id}`, {
    headers: { 'x-api-key': String(key) },
  });
  const body = (await answer.json()) as TalkingAgent & { message?: string };
  if (!answer.ok) throw new Error(`the service did not give the agent: ${body.message ?? answer.status}`);
  return body;
}

async function agentInFile(file: string, named: string): Promise<TalkingAgent> {
  const text = await readFile(file, 'utf8');
  const read = agentCreate.safeParse(jsonOf(text, named));
  if (!read.success) {
    const flaws = read.error.issues.map((issue) => `${fieldOf(issue.path)} ${messageOf(issue)}`);
    throw new Error(`${named}: ${flaws.join('; ')}`);
  }
  const { name, initial_message, system_prompt, language, ai_provider, playbook } = read.data;
  return {
    name,
    initial_message: initial_message ?? USUAL_OPENING,
    system_prompt: system_prompt ?? null,
    language: language ?? USUAL_LANGUAGE,
    ai_provider: ai_provider ?? 'builtin',
    playbook: playbook ?? null,
  };
}

function jsonOf(text: string, named: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${named} is not valid JSON`, { cause });
  }
}
