import { z } from 'zod';
import { FreeForm } from '#kernel/input/free-form.js';
import { readPhoneNumber } from '#kernel/input/phone-number.js';
import { LEAST_RING_SECONDS, MOST_RING_SECONDS, DEFAULT_RING_SECONDS } from '#dialogue/dialogue-manager.js';
import { argumentsProblem } from './arguments.js';
import { importTool } from './vendor-tool-import.js';
import { templateProblem } from './templates.js';

/*
 * Schemas of an agent's `tools` in the API: HTTP tools, which are requests to customers' servers, and settings of the
 * built-in tools. The agents module validates tools with them; `CallToolbox` and playbooks use the types.
 */

/** The built-in tools. An agent has each of them that its `tools` do not disable; `transfer` needs a destination. */
export const BUILT_IN_NAMES = [
  'end_call',
  'transfer',
  'press_keys',
  'call_back',
  'do_not_call',
  'leave_message',
  'note',
] as const;
export type BuiltInName = (typeof BUILT_IN_NAMES)[number];

const LONGEST_PARAMETERS_CHARACTERS = 16 * 1024;
/** Most fillers of a tool, which are sentences that the agent says while the tool runs. */
const MOST_FILLERS = 4;

/** Headers that customers cannot set, because the service or its HTTP client sets them. */
const OWN_HEADERS =
  /^(?:host|content-length|content-type|connection|transfer-encoding|te|upgrade|expect|idempotency-key|x-call-id|x-service-.*|webhook-.*)$/i;
const HEADER_NAME = /^[a-zA-Z0-9!#$%&'*+.^_`|~-]{1,100}$/;

const name = z
  .string()
  .regex(/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/, 'has letters, digits, _ and - only')
  .refine((text) => !(BUILT_IN_NAMES as readonly string[]).includes(text), 'is the name of a built-in tool');

const parameters = FreeForm.superRefine((schema, context) => {
  const isLong = JSON.stringify(schema).length > LONGEST_PARAMETERS_CHARACTERS;
  const problem = isLong ? 'is too long' : argumentsProblem(schema);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});

const url = z
  .string()
  .max(2_000)
  .superRefine((text, context) => {
    const isAddress = /^https:\/\/[^{}/?#\s]+(?:[/?]|$)/.test(text) && URL.canParse(text);
    const problem = isAddress ? templateProblem(text) : 'is no https address with a fixed host';
    if (problem !== null) context.addIssue({ code: 'custom', message: problem });
  });

/** Headers of requests to a customer's server, with templates such as `{{secret.name}}` in their values. */
export const templatedHeaders = z.record(z.string(), z.string().max(2_000)).superRefine((all, context) => {
  for (const [header, value] of Object.entries(all)) {
    const problem = headerProblem(header, value);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem, path: [header] });
  }
});

function headerProblem(header: string, value: string): string | null {
  if (!HEADER_NAME.test(header)) return 'is no name of a header';
  if (OWN_HEADERS.test(header)) return 'is set by the service';
  return /[\r\n\0]/.test(value) ? 'holds a line break' : templateProblem(value);
}

const httpTool = z.strictObject({
  name,
  description: z.string().trim().min(1).max(2_000),
  parameters: parameters.default({ type: 'object', properties: {} }),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('POST'),
  url,
  headers: templatedHeaders.default({}),
  /** Arguments that are sent with every call and that the model does not choose. */
  constants: FreeForm.default({}),
  timeout_ms: z.int().min(1_000).max(30_000).default(5_000),
  /** Fillers, in the order in which they are said. If missing, the call's own filler is said. */
  say_while: z.array(z.string().trim().min(1).max(300)).max(MOST_FILLERS).optional(),
  /** True allows a second request when the connection fails: the server may already have acted on the first. */
  safe_to_repeat: z.boolean().default(false),
  /** Variables that are set from the answer: their names, and the paths of their values in the JSON. */
  save: z
    .record(
      z.string().regex(/^[a-zA-Z][a-zA-Z0-9_]{0,63}$/),
      z.string().regex(/^\$(?:\.[\w-]+|\[\d+\]|\['[^']+'\])*$/, 'is no path such as $.slots[0]'),
    )
    .default({}),
});
/** A tool that is a request to a server of the customer. */
export type HttpTool = z.output<typeof httpTool>;

const destination = z.strictObject({
  name: z.string().trim().min(1).max(64),
  to: z.string().transform((text, context) => {
    const number = readPhoneNumber(text);
    if (number !== null) return number;
    context.addIssue({ code: 'custom', message: 'is not an E.164 number such as +14155550123' });
    return z.NEVER;
  }),
  description: z.string().max(500).nullish(),
  /** `warm`: the person is called on a second line, hears the briefing, and is asked whether to take the call. */
  mode: z.enum(['cold', 'warm']).default('cold'),
  /** Briefing of a warm transfer if the model gives none. */
  briefing: z.string().trim().min(1).max(1_000).nullish(),
  /** Longest ringing of the person's phone in a warm transfer. */
  ring_seconds: z.int().min(LEAST_RING_SECONDS).max(MOST_RING_SECONDS).default(DEFAULT_RING_SECONDS),
  /** True if the agent continues with the caller when the person of a warm transfer hangs up; else the call ends. */
  stay: z.boolean().default(false),
});
export type TransferDestination = z.output<typeof destination>;

const builtInTool = z.strictObject({
  type: z.enum(BUILT_IN_NAMES),
  enabled: z.boolean().default(true),
  destinations: z.array(destination).max(20).default([]),
});
/** Settings of a built-in tool. A tool without settings is enabled. */
export type BuiltInTool = z.output<typeof builtInTool>;

/** A tool of an agent: a request to a customer's server, or the settings of a built-in tool. */
export type AgentTool = HttpTool | BuiltInTool;

/** True for the settings of a built-in tool, false for an HTTP tool. */
export function isBuiltIn(tool: AgentTool): tool is BuiltInTool {
  return 'type' in tool;
}

/** A tool of an agent, in our own shape or in that of Vapi or Retell, which `importTool` converts. */
export const agentTool = FreeForm.transform((raw, context): AgentTool => {
  const { tool } = importTool(raw);
  const schema = 'type' in tool ? builtInTool : httpTool;
  const read = schema.safeParse(tool);
  if (read.success) return read.data;
  for (const { path, message } of read.error.issues)
    context.addIssue({ code: 'custom', path: [...path], message });
  return z.NEVER;
});

const MOST_TOOLS = 64;
const MOST_TOOLS_CHARACTERS = 64 * 1024;

/** `tools` of an agent in a request. Each name, or `type` of a built-in tool, occurs once. */
export const agentTools = z
  .array(agentTool)
  .max(MOST_TOOLS)
  .superRefine((tools, context) => {
    if (JSON.stringify(tools).length > MOST_TOOLS_CHARACTERS) {
      const message = `must not be longer than ${MOST_TOOLS_CHARACTERS} characters of JSON`;
      context.addIssue({ code: 'custom', message });
    }
    const names = tools.map((tool) => ('type' in tool ? tool.type : tool.name));
    names.forEach((toolName, index) => {
      if (names.indexOf(toolName) === index) return;
      context.addIssue({ code: 'custom', path: [index, 'name'], message: 'is there twice' });
    });
  });

/** The valid tools among those stored with an agent: older versions of the service stored tools without validation. */
export function validStoredTools(stored: readonly unknown[]): AgentTool[] {
  return stored.flatMap((raw) => {
    const read = agentTool.safeParse(raw);
    return read.success ? [read.data] : [];
  });
}
