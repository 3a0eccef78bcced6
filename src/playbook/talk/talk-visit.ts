import { readArguments } from '#dialogue/tools/arguments.js';
import { valueAt } from '#dialogue/tools/json-path.js';
import type { OfferedTool, Toolbox, ToolCall, ToolResult, ToolRun } from '#dialogue/tools/toolbox.js';
import { LEAVE_STEP, SAVE_ANSWERS } from '#playbook/steps/own-tools.js';
import type { TalkExit, TalkStep } from '#playbook/steps/talk-step.js';
import type { Surroundings } from '#playbook/values/value.js';
import type { CallMemory } from './call-memory.js';
import { CollectedAnswers, saveTool } from './collected-answers.js';
import type { Performing } from './playbook-walk.js';
import type { StepMemory } from './step-memory.js';

/** Accepts any object: each value is read by itself. */
const ANY_ARGUMENTS = { type: 'object' } as const;

interface TalkVisitParts {
  memory: CallMemory;
  kept: StepMemory;
  /** All tools of the agent. */
  toolbox: Toolbox;
  surroundings(): Surroundings;
  /** Monotonic milliseconds. */
  beganMs: number;
}

/** One visit of a call to a talk step: the tools offered to the model, and the exits. */
export class TalkVisit implements Toolbox {
  readonly step: TalkStep;
  readonly name: string;
  readonly beganMs: number;
  readonly answers: CollectedAnswers;
  readonly offered: readonly OfferedTool[];
  readonly transferTo: Toolbox['transferTo'];
  readonly #parts: TalkVisitParts;
  readonly #isFirst: boolean;
  /** The last results of tools, by name. */
  readonly #results = new Map<string, unknown>();
  /** The reason that the model gave for leaving. */
  #reason: string | null = null;

  constructor({ name, step, isFirst }: Performing & { step: TalkStep }, parts: TalkVisitParts) {
    this.name = name;
    this.step = step;
    this.beganMs = parts.beganMs;
    this.#parts = parts;
    this.#isFirst = isFirst;
    this.answers = new CollectedAnswers(step, parts);
    this.offered = toolsOfTalk(step, parts.toolbox);
    this.transferTo = step.tools?.includes('transfer') ? parts.toolbox.transferTo : null;
  }

  run(call: ToolCall): ToolRun {
    const { toolbox } = this.#parts;
    const own = this.#runOwn(call);
    if (own) return { call, sayWhile: [], done: Promise.resolve(own) };
    const run = toolbox.run(call);
    const done = run.done.then((result) => {
      this.#results.set(call.name, result.value);
      return result;
    });
    return { ...run, done };
  }

  /** The step of the first exit that holds; null if none does. */
  exit(): string | null {
    const open = (this.step.exits ?? []).filter((one) => this.#holds(one, false));
    const exit =
      open.find(({ when }) => !when.said) ?? open.find(({ when }) => when.said && when.said === this.#reason);
    return exit?.next ?? null;
  }

  /** Resets the reason for leaving: the model is asked again. */
  beginTurn(): void {
    this.#reason = null;
  }

  /** Returns a function that restores the present state. Effects of tools stay. */
  bookmark(): () => void {
    const goBack = this.answers.bookmark();
    const reason = this.#reason;
    return () => {
      goBack();
      this.#reason = reason;
    };
  }

  /** The result of one of the step's own tools, or of a tool that may not be called; null for a tool of the agent. */
  #runOwn({ name, arguments: args }: ToolCall): ToolResult | null {
    const offered = this.offered.find((tool) => tool.name === name);
    if (offered === undefined) return { status: 'refused', text: `There is no tool ${name}.` };
    const isOwn = name === SAVE_ANSWERS || name === LEAVE_STEP;
    if (isOwn) {
      const read = readArguments(args, name === SAVE_ANSWERS ? ANY_ARGUMENTS : offered.parameters);
      if ('problem' in read) return { status: 'refused', text: read.problem };
      return name === SAVE_ANSWERS ? this.answers.take(read.args) : this.#leave(String(read.args['reason']));
    }
    const { missing } = this.answers;
    return name === 'end_call' && missing.length > 0
      ? { status: 'refused', text: `The call goes on: ${missing.join(', ')} is still needed.` }
      : null;
  }

  #leave(reason: string): ToolResult {
    const ways = (this.step.exits ?? []).filter(({ when }) => when.said === reason);
    if (!ways.some((one) => this.#holds(one, true))) {
      const needed = ways
        .flatMap(({ when }) => when.known ?? [])
        .filter((name) => !this.#isKnown(name, true));
      const why =
        needed.length === 0 ? 'it is not time for that yet' : `${needed.join(', ')} is needed first`;
      return { status: 'refused', text: `The step goes on: ${why}.` };
    }
    this.#reason = reason;
    return { status: 'ok', text: 'The talk goes on elsewhere.' };
  }

  /**
   * True if all conditions except `said` hold.
   * @param isPromised whether unconfirmed values count as known
   */
  #holds({ when }: TalkExit, isPromised: boolean): boolean {
    const { known, result } = when;
    if (known && !known.every((name) => this.#isKnown(name, isPromised))) return false;
    if (!result) return true;
    const answer = this.#results.get(result.tool);
    return answer !== undefined && valueAt(answer, result.equals.path) === result.equals.value;
  }

  /** On a second visit the values have to be collected again; otherwise the step would be left at once, for ever. */
  #isKnown(name: string, isPromised: boolean): boolean {
    const { answers } = this;
    if (isPromised && answers.isUnconfirmed(name)) return true;
    const counts = this.#isFirst || !answers.has(name) || answers.isSaved(name);
    return counts && this.#parts.memory.valueOf(name) !== null;
  }
}

/** The tools of a talk step: the agent's tools that it names, and its own. */
export function toolsOfTalk(step: TalkStep, { offered }: Pick<Toolbox, 'offered'>): OfferedTool[] {
  const named = offered.filter(({ name }) => step.tools?.includes(name));
  return [...named, ...[saveTool(step), leaveTool(step)].filter((tool) => tool !== null)];
}

/** The tool for leaving; null if no exit depends on the model. */
function leaveTool({ exits }: TalkStep): OfferedTool | null {
  const reasons = [...new Set((exits ?? []).flatMap(({ when }) => (when.said ? [when.said] : [])))];
  if (reasons.length === 0) return null;
  return {
    name: LEAVE_STEP,
    description:
      'Call it as soon as one of the reasons holds; then say nothing more, the talk goes on by itself. ' +
      'Call it for nothing else.',
    parameters: {
      type: 'object',
      properties: {
        reason: { type: 'string', enum: reasons, description: 'What the caller said or wants.' },
      },
      required: ['reason'],
      additionalProperties: false,
    },
  };
}
