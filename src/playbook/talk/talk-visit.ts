import { readArguments } from '#dialogue/tools/arguments.js';
import { valueAt } from '#dialogue/tools/json-path.js';
import type { OfferedTool, Toolbox, ToolCall, ToolResult, ToolRun } from '#dialogue/tools/toolbox.js';
import { LEAVE_STEP, SAVE_ANSWERS } from '#playbook/steps/talk-step-tools.js';
import type { TalkExit, TalkStep } from '#playbook/steps/talk-step.js';
import type { ReadContext } from '#playbook/values/value.js';
import type { CallMemory } from './call-memory.js';
import { CollectedAnswers, saveTool } from './collected-answers.js';
import type { StepVisit } from './playbook-flow.js';
import type { StepMemory } from './step-memory.js';

/** A schema that accepts any object, because `CollectedAnswers` reads each value by itself. */
const ANY_ARGUMENTS = { type: 'object' } as const;

/** The dependencies of a visit. */
interface TalkVisitParts {
  memory: CallMemory;
  toolMemory: StepMemory;
  /** All tools of the agent. */
  toolbox: Toolbox;
  readContext(): ReadContext;
  /** When the visit began (monotonic milliseconds). */
  beganMs: number;
}

/**
 * One visit of a call to a talk step. It is the toolbox of the model during the visit (the named tools of the agent,
 * `save_answers` and `leave_step`), and decides when an exit holds. `TalkPerformer` creates one for each visit.
 */
export class TalkVisit implements Toolbox {
  readonly step: TalkStep;
  readonly name: string;
  readonly beganMs: number;
  readonly answers: CollectedAnswers;
  readonly offered: readonly OfferedTool[];
  readonly transferTo: Toolbox['transferTo'];
  readonly #parts: TalkVisitParts;
  readonly #isFirst: boolean;
  /** The last result of each tool, by the name of the tool. */
  readonly #results = new Map<string, unknown>();
  /** The reason (`said` of an exit) for which the model has called `leave_step` in this turn. */
  #leaveReason: string | null = null;

  constructor({ name, step, isFirst }: StepVisit & { step: TalkStep }, parts: TalkVisitParts) {
    this.name = name;
    this.step = step;
    this.beganMs = parts.beganMs;
    this.#parts = parts;
    this.#isFirst = isFirst;
    this.answers = new CollectedAnswers(step, parts);
    this.offered = toolsOfTalk(step, parts.toolbox);
    this.transferTo = step.tools?.includes('transfer') ? parts.toolbox.transferTo : null;
  }

  /** Runs a tool call of the model; the tools of the step itself finish at once. */
  run(call: ToolCall): ToolRun {
    const { toolbox } = this.#parts;
    const result = this.#runStepTool(call);
    if (result) return { call, sayWhile: [], done: Promise.resolve(result) };
    const run = toolbox.run(call);
    const done = run.done.then((answer) => {
      this.#results.set(call.name, answer.value);
      return answer;
    });
    return { ...run, done };
  }

  /** The step to which the first exit that holds leads; null if none holds. Exits without `said` come first. */
  exit(): string | null {
    const holding = (this.step.exits ?? []).filter((candidate) => this.#holds(candidate, false));
    const exit =
      holding.find(({ when }) => !when.said) ??
      holding.find(({ when }) => when.said && when.said === this.#leaveReason);
    return exit?.next ?? null;
  }

  /** Resets the reason for leaving: the model is asked again. */
  beginTurn(): void {
    this.#leaveReason = null;
  }

  /** Returns a function that restores the present state. Effects of tools stay. */
  bookmark(): () => void {
    const restoreAnswers = this.answers.bookmark();
    const reason = this.#leaveReason;
    return () => {
      restoreAnswers();
      this.#leaveReason = reason;
    };
  }

  /** The result of a tool of the step itself, or the refusal of a call; null if a tool of the agent is to be run. */
  #runStepTool({ name, arguments: args }: ToolCall): ToolResult | null {
    const offered = this.offered.find((tool) => tool.name === name);
    if (offered === undefined) return { status: 'refused', text: `There is no tool ${name}.` };
    const isStepTool = name === SAVE_ANSWERS || name === LEAVE_STEP;
    if (isStepTool) {
      const read = readArguments(args, name === SAVE_ANSWERS ? ANY_ARGUMENTS : offered.parameters);
      if ('problem' in read) return { status: 'refused', text: read.problem };
      return name === SAVE_ANSWERS ? this.answers.save(read.args) : this.#leave(String(read.args['reason']));
    }
    const { missing } = this.answers;
    return name === 'end_call' && missing.length > 0
      ? { status: 'refused', text: `The call goes on: ${missing.join(', ')} is still needed.` }
      : null;
  }

  /** Handles a call of `leave_step`: notes the reason if the other conditions of its exit hold. */
  #leave(reason: string): ToolResult {
    const exits = (this.step.exits ?? []).filter(({ when }) => when.said === reason);
    if (!exits.some((exit) => this.#holds(exit, true))) {
      const needed = exits
        .flatMap(({ when }) => when.known ?? [])
        .filter((name) => !this.#isKnown(name, true));
      const why =
        needed.length === 0 ? 'it is not time for that yet' : `${needed.join(', ')} is needed first`;
      return { status: 'refused', text: `The step goes on: ${why}.` };
    }
    this.#leaveReason = reason;
    return { status: 'ok', text: 'The talk goes on elsewhere.' };
  }

  /**
   * True if all conditions of an exit except `said` hold.
   * @param countsUnconfirmed true if values that wait for confirmation count as known
   */
  #holds({ when }: TalkExit, countsUnconfirmed: boolean): boolean {
    const { known, result } = when;
    if (known && !known.every((name) => this.#isKnown(name, countsUnconfirmed))) return false;
    if (!result) return true;
    const answer = this.#results.get(result.tool);
    return answer !== undefined && valueAt(answer, result.equals.path) === result.equals.value;
  }

  /**
   * True if a variable has a value. On a later visit the values of the step must be collected again: otherwise its
   * exits would hold at once, and the call would run in a circle.
   */
  #isKnown(name: string, countsUnconfirmed: boolean): boolean {
    const { answers } = this;
    if (countsUnconfirmed && answers.isUnconfirmed(name)) return true;
    const counts = this.#isFirst || !answers.has(name) || answers.isSaved(name);
    return counts && this.#parts.memory.valueOf(name) !== null;
  }
}

/**
 * The tools that a talk step offers to the model: those of the agent that it names, `save_answers` and `leave_step`.
 * The preview of an agent's prompt shows them, too.
 */
export function toolsOfTalk(step: TalkStep, { offered }: Pick<Toolbox, 'offered'>): OfferedTool[] {
  const named = offered.filter(({ name }) => step.tools?.includes(name));
  return [...named, ...[saveTool(step), leaveTool(step)].filter((tool) => tool !== null)];
}

/** The tool `leave_step`; null if no exit has `said`. */
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
