import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import { asText } from '#dialogue/tools/templates.js';
import type { Toolbox, ToolResult } from '#dialogue/tools/toolbox.js';
import type { ToolStep } from '#playbook/steps/outside-steps.js';
import type { Transcript } from '#speech/stt.js';
import { optOutQuestion } from './opt-out-question.js';
import { goes, STAYS, type PerformingParts, type StepEnd, type StepInput } from './performing.js';
import type { Performing } from './playbook-walk.js';

type Outputs = AsyncGenerator<DialogueOutput, StepEnd>;

/** A tool call that a step has started. */
interface Begun {
  at: Performing;
  /** Identifies the step and its arguments. */
  key: string;
  done: Promise<ToolResult>;
}

/**
 * Tool steps: run a tool of the agent without a model. The tool runs once per visit, even if the caller speaks
 * meanwhile or the turn that started it is taken back.
 */
export class ToolPerformer {
  readonly #parts: PerformingParts;
  readonly #toolbox: Toolbox;
  /** Tool calls of the turn in progress. */
  #begun: Begun[] = [];
  /** Tool calls of turns taken back, which the next visit of the step adopts. */
  #orphans: Begun[] = [];
  #running: Begun | null = null;
  #runs = 0;
  #wasTakenBack = false;

  constructor(parts: PerformingParts, toolbox: Toolbox) {
    this.#parts = parts;
    this.#toolbox = toolbox;
  }

  /** Starts a turn. */
  beginTurn(): void {
    if (!this.#wasTakenBack) this.#orphans = [];
    this.#wasTakenBack = false;
    this.#begun = [];
  }

  /** The previous turn was taken back; its tool calls are kept. */
  takenBack(): void {
    this.#orphans = [...this.#orphans, ...this.#begun];
    this.#wasTakenBack = true;
  }

  async *perform(at: Performing & { step: ToolStep }, input: StepInput, signal: AbortSignal): Outputs {
    if (input.kind === 'heard') {
      const end = yield* this.#hear(input.transcript);
      if (end !== null) return end;
    } else if (input.kind === 'silence') this.#parts.control.silence();
    const { thread, kept } = this.#parts;
    const { done } = this.#begin(at);
    yield* thread.tools.settled(thread.turn, signal);
    if (signal.aborted) return STAYS;
    const { status, text, value } = await done;
    this.#running = null;
    const { step } = at;
    thread.history.note(thread.turn, `${step.tool} was called with ${this.#argumentsOf(step)}: ${text}`);
    if (status !== 'ok') return goes(step.on_error, at.isLeaving);
    if (step.save_as) kept.set({ [step.save_as]: value === undefined ? text : asText(value) });
    return goes(step.next, at.isLeaving);
  }

  /** Words during a tool call are recorded. Only requests to end the call or for a person are obeyed. */
  async *#hear(heard: Transcript): AsyncGenerator<DialogueOutput, StepEnd | null> {
    const { control, waysOut, walk, thread } = this.#parts;
    const wish = control.hear(heard);
    switch (wish) {
      case 'do_not_call':
      case 'wrong_number':
      case 'goodbye':
        return { kind: 'leaves', reason: wish };
      case 'person': {
        const way = waysOut.take('person');
        if (way !== null) return goes(way);
        yield* thread.record(walk.say('person'));
        return null;
      }
      case 'who':
      case 'hold':
        yield* thread.record(walk.say(wish));
        return null;
      case 'perhaps_do_not_call':
        yield* thread.record(optOutQuestion(this.#parts.surroundings()));
        return STAYS;
      default:
        return null;
    }
  }

  #begin(at: Performing & { step: ToolStep }): Begun {
    if (this.#running?.at === at) return this.#keep(this.#running);
    const { thread } = this.#parts;
    const { step } = at;
    const args = this.#argumentsOf(step);
    const key = `${at.name} ${args}`;
    const orphan = this.#orphans.find((one) => one.key === key);
    if (orphan) {
      this.#orphans = this.#orphans.filter((one) => one !== orphan);
      return this.#keep({ ...orphan, at });
    }
    this.#runs += 1;
    const run = this.#toolbox.run({ id: `step_${this.#runs}`, name: step.tool, arguments: args });
    const sayWhile = step.say_while?.map((text) => this.#parts.walk.memory.fill(text)) ?? run.sayWhile;
    return this.#keep({ at, key, done: thread.tools.runAlone({ ...run, sayWhile }) });
  }

  #keep(begun: Begun): Begun {
    if (!this.#begun.includes(begun)) this.#begun.push(begun);
    return (this.#running = begun);
  }

  /** The arguments as JSON. A filled text becomes a number or boolean if the tool accepts nothing else. */
  #argumentsOf(step: ToolStep): string {
    const { memory } = this.#parts.walk;
    const schema = this.#toolbox.offered.find(({ name }) => name === step.tool)?.parameters;
    const args = Object.entries(step.with ?? {}).map(([name, value]) => {
      if (typeof value !== 'string') return [name, value] as const;
      return [name, asTyped(memory.fillKept(value), typeIn(schema, name))] as const;
    });
    return JSON.stringify(Object.fromEntries(args));
  }
}

function typeIn(schema: Readonly<Record<string, unknown>> | undefined, name: string): unknown {
  const properties = schema?.['properties'] as Readonly<Record<string, { type?: unknown }>> | undefined;
  return properties && Object.hasOwn(properties, name) ? properties[name]?.type : undefined;
}

function asTyped(text: string, type: unknown): string | number | boolean {
  if (type === 'boolean' && /^(?:true|false|yes|no)$/.test(text)) return text === 'true' || text === 'yes';
  const isNumeric = type === 'number' || type === 'integer';
  return isNumeric && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
