import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import { asText } from '#dialogue/tools/templates.js';
import type { Toolbox, ToolResult } from '#dialogue/tools/toolbox.js';
import type { ToolStep } from '#playbook/steps/tool-and-press-steps.js';
import type { Transcript } from '#speech/stt.js';
import { optOutQuestion } from './opt-out-question.js';
import { goTo, STAY, type PerformerParts, type StepEnd, type StepInput } from './step-performer.js';
import type { StepVisit } from './playbook-flow.js';

/** The outputs of a turn in the step; the generator returns how the turn ends. */
type Outputs = AsyncGenerator<DialogueOutput, StepEnd>;

/** A tool call that a step has started. */
interface StartedCall {
  at: StepVisit;
  /** The name of the step and its arguments: equal for a repetition of the same call. */
  key: string;
  done: Promise<ToolResult>;
}

/**
 * Performs tool steps, which run a tool of the agent without a model. The tool runs once per visit, even if the caller
 * speaks meanwhile or the turn that started it is taken back.
 */
export class ToolPerformer {
  readonly #parts: PerformerParts;
  readonly #toolbox: Toolbox;
  /** Tool calls that this turn has started or waits for. */
  #started: StartedCall[] = [];
  /** Tool calls of turns that were taken back. The next visit with the same arguments waits for them. */
  #fromTakenBackTurns: StartedCall[] = [];
  /** The unfinished tool call of the latest visit. */
  #running: StartedCall | null = null;
  #runCount = 0;
  /** True if the previous turn was taken back. */
  #wasTakenBack = false;

  constructor(parts: PerformerParts, toolbox: Toolbox) {
    this.#parts = parts;
    this.#toolbox = toolbox;
  }

  /** Starts a turn. Tool calls of a turn that was taken back are kept for the turn that replaces it. */
  beginTurn(): void {
    if (!this.#wasTakenBack) this.#fromTakenBackTurns = [];
    this.#wasTakenBack = false;
    this.#started = [];
  }

  /** The previous turn was taken back; its tool calls are kept. */
  takenBack(): void {
    this.#fromTakenBackTurns = [...this.#fromTakenBackTurns, ...this.#started];
    this.#wasTakenBack = true;
  }

  /** Handles one event of a tool step: waits for the result and goes to the next step. */
  async *perform(at: StepVisit & { step: ToolStep }, input: StepInput, signal: AbortSignal): Outputs {
    if (input.kind === 'heard') {
      const end = yield* this.#hear(input.transcript);
      if (end !== null) return end;
    } else if (input.kind === 'silence') this.#parts.control.silence();
    const { session, toolMemory } = this.#parts;
    const { done } = this.#start(at);
    yield* session.tools.waitForAll(session.turn, signal);
    if (signal.aborted) return STAY;
    const { status, text, value } = await done;
    this.#running = null;
    const { step } = at;
    session.history.addNote(session.turn, `${step.tool} was called with ${this.#argumentsOf(step)}: ${text}`);
    if (status !== 'ok') return goTo(step.on_error, at.isLeaving);
    if (step.save_as) toolMemory.set({ [step.save_as]: value === undefined ? text : asText(value) });
    return goTo(step.next, at.isLeaving);
  }

  /**
   * Handles words of the caller during a tool call. Returns how the turn ends; null if this turn goes on waiting for
   * the tool.
   */
  async *#hear(heard: Transcript): AsyncGenerator<DialogueOutput, StepEnd | null> {
    const { control, anywhere, flow, session } = this.#parts;
    const wish = control.hear(heard);
    switch (wish) {
      case 'do_not_call':
      case 'wrong_number':
      case 'goodbye':
        return { kind: 'leaves', reason: wish };
      case 'person': {
        const personStep = anywhere.take('person');
        if (personStep !== null) return goTo(personStep);
        yield* session.record(flow.say('person'));
        return null;
      }
      case 'who':
      case 'hold':
        yield* session.record(flow.say(wish));
        return null;
      case 'perhaps_do_not_call':
        // The turn ends, so that the caller can answer; the tool runs on, and the next turn waits for it.
        yield* session.record(optOutQuestion(this.#parts.readContext()));
        return STAY;
      default:
        return null;
    }
  }

  /** The tool call of this visit: the running one, one of a turn taken back, or a new one. */
  #start(at: StepVisit & { step: ToolStep }): StartedCall {
    // A visit is one object in all its turns, so identity tells whether it is the same visit.
    if (this.#running?.at === at) return this.#track(this.#running);
    const { session } = this.#parts;
    const { step } = at;
    const args = this.#argumentsOf(step);
    const key = `${at.name} ${args}`;
    const orphan = this.#fromTakenBackTurns.find((call) => call.key === key);
    if (orphan) {
      this.#fromTakenBackTurns = this.#fromTakenBackTurns.filter((call) => call !== orphan);
      return this.#track({ ...orphan, at });
    }
    this.#runCount += 1;
    const run = this.#toolbox.run({ id: `step_${this.#runCount}`, name: step.tool, arguments: args });
    const sayWhile = step.say_while?.map((text) => this.#parts.flow.memory.fill(text)) ?? run.sayWhile;
    return this.#track({ at, key, done: session.tools.runAlone({ ...run, sayWhile }) });
  }

  /** Notes the tool call as the running one, and as one of this turn, so that it outlives a turn taken back. */
  #track(started: StartedCall): StartedCall {
    if (!this.#started.includes(started)) this.#started.push(started);
    return (this.#running = started);
  }

  /** The arguments as JSON. A filled text becomes a number or boolean if the tool accepts nothing else. */
  #argumentsOf(step: ToolStep): string {
    const { memory } = this.#parts.flow;
    const schema = this.#toolbox.offered.find(({ name }) => name === step.tool)?.parameters;
    const args = Object.entries(step.with ?? {}).map(([name, value]) => {
      if (typeof value !== 'string') return [name, value] as const;
      return [name, toType(memory.fillApiForm(value), typeOfParameter(schema, name))] as const;
    });
    return JSON.stringify(Object.fromEntries(args));
  }
}

/** The JSON type of a parameter; undefined if the schema names none. */
function typeOfParameter(schema: Readonly<Record<string, unknown>> | undefined, name: string): unknown {
  const properties = schema?.['properties'] as Readonly<Record<string, { type?: unknown }>> | undefined;
  return properties && Object.hasOwn(properties, name) ? properties[name]?.type : undefined;
}

/** A text as a value of a JSON type, if it can be one; else the text. */
function toType(text: string, type: unknown): string | number | boolean {
  if (type === 'boolean' && /^(?:true|false|yes|no)$/.test(text)) return text === 'true' || text === 'yes';
  const isNumeric = type === 'number' || type === 'integer';
  return isNumeric && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
