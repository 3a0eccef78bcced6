import { DateTime } from 'luxon';
import type { ToolMemory } from '#dialogue/tool-memory.js';
import type { Clock } from '#kernel/time/clock.js';
import type { BuiltInName, BuiltInTool, TransferDestination } from './tool-definition.js';
import type { TransferTarget } from '#dialogue/dialogue-manager.js';
import { BUILT_IN_NAMES } from './tool-definition.js';
import type { OfferedTool, ToolResult } from './toolbox.js';

/** The dependencies of the built-in tools in one call. */
export interface BuiltInParts {
  memory: ToolMemory;
  clock: Pick<Clock, 'wallMs'>;
  /** IANA zone of the times that the caller mentions. */
  timeZone: string;
  /** True if the caller's number is known. */
  isReachable: boolean;
}

/** A built-in tool in one call. */
interface BuiltIn {
  offered: OfferedTool;
  /** @param args checked against the parameters */
  run(args: Record<string, unknown>): ToolResult;
}

/** Latest time of a call-back, in days from now. */
const LATEST_CALL_BACK_DAYS = 366;

/**
 * The enabled built-in tools of an agent in one call, by name; `transfer` is enabled only with a destination.
 * `transferTo` is the first destination of `transfer`, for a caller who asks for a person; null if the agent cannot
 * transfer. Used by `CallToolbox`.
 */
export function builtInTools(
  configured: readonly BuiltInTool[],
  parts: BuiltInParts,
): { tools: ReadonlyMap<string, BuiltIn>; transferTo: TransferTarget | null } {
  const disabled = new Set(configured.flatMap(({ type, enabled }) => (enabled ? [] : [type])));
  const destinations = configured.flatMap((tool) => (tool.type === 'transfer' ? tool.destinations : []));
  const factories = { ...FACTORIES, transfer: () => transferTool(destinations) };
  const names = BUILT_IN_NAMES.filter(
    (name) => !disabled.has(name) && (name !== 'transfer' || destinations.length > 0),
  );
  return {
    tools: new Map(names.map((name) => [name, factories[name](parts)])),
    transferTo: disabled.has('transfer') || !destinations[0] ? null : targetOf(destinations[0], null),
  };
}

/** JSON Schema of a text parameter, which must not be empty. */
const textParameter = (description: string, maxLength: number) => ({
  type: 'string',
  description,
  minLength: 1,
  maxLength,
});

/** The name, description and parameters of a tool for the model. */
function offeredTool(
  name: BuiltInName,
  description: string,
  properties: Record<string, unknown> = {},
  required: readonly string[] = [],
): OfferedTool {
  return {
    name,
    description,
    parameters: { type: 'object', properties, required, additionalProperties: false },
  };
}

/** The result of a tool that succeeded. */
const succeeded = (words: string, effect?: ToolResult['effect']): ToolResult => {
  return { status: 'ok', text: words, ...(effect && { effect }) };
};

/** For each built-in tool but `transfer`, the function that makes it for one call. */
const FACTORIES: Readonly<Record<Exclude<BuiltInName, 'transfer'>, (parts: BuiltInParts) => BuiltIn>> = {
  end_call: ({ memory }) => ({
    offered: offeredTool('end_call', 'Ends the call, once you have said goodbye.', {
      resolution_achieved: { type: 'boolean', description: 'Whether the purpose of the call was reached.' },
      summary: textParameter('What came of the call, in one sentence.', 500),
    }),
    run({ resolution_achieved: resolutionAchieved, summary }) {
      memory.conclude({
        ...(typeof resolutionAchieved === 'boolean' && { resolutionAchieved }),
        ...(typeof summary === 'string' && { summary }),
      });
      return succeeded('The call ends.', { kind: 'end', goodbye: 'goodbye' });
    },
  }),
  press_keys: () => ({
    offered: offeredTool(
      'press_keys',
      'Presses keys on the telephone, such as in a phone menu, once you have finished speaking.',
      { keys: textParameter('0-9, A-D, * and #; w waits for half a second.', 50) },
      ['keys'],
    ),
    run({ keys }) {
      const pressed = String(keys);
      if (/^[0-9A-D*#w]+$/.test(pressed))
        return succeeded('The keys are pressed.', { kind: 'press', keys: pressed });
      return { status: 'refused', text: 'Only 0-9, A-D, *, # and w can be pressed.' };
    },
  }),
  call_back: (parts) => ({
    offered: offeredTool('call_back', 'Agrees on another call to the caller.', {
      at: textParameter(
        `Local date and time such as 2026-12-01T15:00, zone ${parts.timeZone}; left out for any time.`,
        40,
      ),
    }),
    run: ({ at }) => agreeOnCallBack(typeof at === 'string' ? at : null, parts),
  }),
  do_not_call: ({ memory }) => ({
    offered: offeredTool(
      'do_not_call',
      'The caller wants no more calls: their number is never called again.',
    ),
    run() {
      memory.forbidCalls();
      return succeeded('The number will not be called again. The call ends.', {
        kind: 'end',
        goodbye: 'do_not_call',
      });
    },
  }),
  leave_message: ({ memory }) => ({
    offered: offeredTool(
      'leave_message',
      'Notes a message that the caller leaves.',
      { message: textParameter('The message, in the words of the caller.', 2_000) },
      ['message'],
    ),
    run({ message }) {
      memory.learn('message', String(message), { isInOwnWords: true });
      memory.conclude({ intent: 'leave_message' });
      return succeeded('The message is noted.');
    },
  }),
  note: ({ memory }) => ({
    offered: offeredTool(
      'note',
      'Notes a fact of the call under a name.',
      {
        name: { ...textParameter('Such as day or order_number.', 64), pattern: '^[a-zA-Z][a-zA-Z0-9_]*$' },
        value: textParameter('What is noted.', 1_000),
      },
      ['name', 'value'],
    ),
    run({ name, value }) {
      const key = String(name);
      // `readArguments` does not check patterns.
      if (!/^[a-zA-Z][a-zA-Z0-9_]*$/.test(key))
        return { status: 'refused', text: 'The name has letters, digits and _ only.' };
      memory.learn(key, String(value));
      return succeeded('Noted.');
    },
  }),
};

/** The tool that transfers the caller to one of the agent's destinations. */
function transferTool(destinations: readonly TransferDestination[]): BuiltIn {
  const listed = destinations.map(({ name, description }) =>
    description ? `${name}: ${description}` : name,
  );
  const isWarm = destinations.some(({ mode }) => mode === 'warm');
  return {
    offered: offeredTool(
      'transfer',
      `Connects the caller with somebody else. ${listed.join('; ')}`,
      {
        destination: { type: 'string', enum: destinations.map(({ name }) => name) },
        ...(isWarm && { briefing: textParameter(BRIEFING_DESCRIPTION, 500) }),
      },
      destinations.length > 1 ? ['destination'] : [],
    ),
    run({ destination, briefing }) {
      // The model may leave the name out if there is only one destination.
      const chosen = destinations.find(({ name }) => name === destination) ?? destinations[0]!;
      const target = targetOf(chosen, typeof briefing === 'string' ? briefing : null);
      return succeeded(`The caller is being connected with ${chosen.name}.`, { kind: 'transfer', ...target });
    },
  };
}

const BRIEFING_DESCRIPTION =
  'What the person who takes the call is told first, in one or two sentences: who is calling, and what they want.';

/**
 * The target of a transfer to a destination of the agent.
 * @param modelBriefing the model's briefing for the person; null for the destination's own
 */
function targetOf(destination: TransferDestination, modelBriefing: string | null): TransferTarget {
  // `stay`: whether the agent continues with the caller when the person hangs up.
  const { to, mode, briefing, ring_seconds: ringSeconds, stay } = destination;
  if (mode === 'cold') return { to };
  return { to, warm: { briefing: modelBriefing ?? briefing ?? null, ringSeconds, stay } };
}

/**
 * Runs `call_back`: agrees on another call. Refuses if the caller's number is hidden, or if the time cannot be read,
 * has passed or is too far away.
 * @param written local date and time, as the model wrote it; null for any time
 */
function agreeOnCallBack(
  written: string | null,
  { memory, clock, timeZone, isReachable }: BuiltInParts,
): ToolResult {
  if (!isReachable)
    return { status: 'refused', text: "The caller's number is hidden, so nobody can call them." };
  // The caller's intent is known even if the time is refused below.
  memory.conclude({ intent: 'call_back_later' });
  if (written === null) {
    memory.agree({ kind: 'call_back', at: null, timeZone, said: '' });
    return succeeded('They will be called again, at no fixed time.');
  }
  const now = DateTime.fromMillis(clock.wallMs(), { zone: timeZone });
  const moment = DateTime.fromISO(written, { zone: timeZone }).setLocale('en-US');
  if (!moment.isValid) return { status: 'refused', text: 'That is no time such as 2026-12-01T15:00.' };
  if (moment <= now) return { status: 'refused', text: 'That time has passed.' };
  if (moment > now.plus({ days: LATEST_CALL_BACK_DAYS }))
    return { status: 'refused', text: 'That is too far away.' };
  const said = moment.toFormat("cccc, MMMM d 'at' h:mm a");
  memory.agree({ kind: 'call_back', at: moment.toMillis(), timeZone, said });
  return succeeded(`They will be called again on ${said}.`);
}
