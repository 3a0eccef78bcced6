import type { OfferedTool, ToolResult } from '#dialogue/tools/toolbox.js';
import { asText } from '#dialogue/tools/templates.js';
import { SAVE_ANSWERS } from '#playbook/steps/talk-step-tools.js';
import type { WantedValue, TalkStep } from '#playbook/steps/talk-step.js';
import { readModelValue } from '#playbook/values/model-value.js';
import { spokenValue, type ReadContext } from '#playbook/values/value.js';
import type { CallMemory } from './call-memory.js';
import type { StepMemory } from './step-memory.js';

/** A value that waits for the caller's confirmation. */
export interface Unconfirmed {
  name: string;
  value: string;
  /** How often the value was read back, including the first read-back, which may still be due. */
  attempts: number;
}

/** The dependencies of {@link CollectedAnswers}. */
interface CollectedParts {
  memory: CallMemory;
  toolMemory: StepMemory;
  readContext(): ReadContext;
}

/**
 * The values that a talk step collects (`collect`). The model saves them with the tool `save_answers`; a value with
 * `confirm` is saved only when the caller has confirmed it. Each `TalkVisit` has one.
 */
export class CollectedAnswers {
  readonly #wanted: Readonly<Record<string, WantedValue>>;
  readonly #parts: CollectedParts;
  /** Names of values that the model has saved in this visit. Effects of tools are never taken back. */
  readonly #saved = new Set<string>();
  /** Names of values that the caller has confirmed. */
  #confirmed: ReadonlySet<string> = new Set();
  /** Values to be read back, the next value first. */
  #unconfirmed: readonly Unconfirmed[] = [];

  constructor({ collect }: TalkStep, parts: CollectedParts) {
    this.#wanted = collect ?? {};
    this.#parts = parts;
  }

  /** The value to be read back next; null if there is none. */
  get unconfirmed(): Unconfirmed | null {
    return this.#unconfirmed[0] ?? null;
  }

  /** The names of required values that are not known yet. */
  get missing(): string[] {
    const { memory } = this.#parts;
    return Object.entries(this.#wanted).flatMap(([name, { required }]) =>
      required && memory.valueOf(name) === null ? [name] : [],
    );
  }

  /** True if the step collects a value of this name. */
  has(name: string): boolean {
    return Object.hasOwn(this.#wanted, name);
  }

  /** True if the value was saved or confirmed in this visit. */
  isSaved(name: string): boolean {
    return this.#saved.has(name) || this.#confirmed.has(name);
  }

  /** True if the value waits for the caller's confirmation. */
  isUnconfirmed(name: string): boolean {
    return this.#unconfirmed.some((unconfirmed) => unconfirmed.name === name);
  }

  /** The expectation of the step for this value: its kind and limits. */
  expectationOf(name: string): WantedValue {
    return this.#wanted[name]!;
  }

  /**
   * Saves the arguments of a call of `save_answers`. Each value is read like an answer to a question. The result
   * tells the model which values were saved, refused and are still missing.
   */
  save(args: Readonly<Record<string, unknown>>): ToolResult {
    const given = Object.entries(args).filter(([, value]) => value !== null && asText(value).trim() !== '');
    if (given.length === 0) return { status: 'refused', text: 'There is no value in it.' };
    const lines = given.map(([name, value]) => this.#saveOne(name, asText(value)));
    const { missing } = this;
    const stillMissing = missing.filter((name) => !this.isUnconfirmed(name));
    const rest = stillMissing.length === 0 ? '' : `\nStill needed: ${stillMissing.join(', ')}.`;
    const text = lines.map(({ report }) => report).join('\n') + rest;
    if (lines.every(({ isAccepted }) => !isAccepted)) return { status: 'refused', text };
    return { status: 'ok', text, ...(this.unconfirmed && { effect: { kind: 'read_back' } as const }) };
  }

  /** The caller confirms the value that was read back: it is saved. No effect without one. */
  confirm(): void {
    const [first, ...others] = this.#unconfirmed;
    this.#unconfirmed = others;
    if (first === undefined) return;
    const { name, value } = first;
    const { said, isInOwnWords } = this.#spokenForm(name, value);
    this.#parts.memory.learn(name, value, said, isInOwnWords);
    this.#confirmed = new Set([...this.#confirmed, name]);
  }

  /** The caller replaces the value that was read back. */
  correct(value: string): void {
    const [first, ...others] = this.#unconfirmed;
    if (first) this.#unconfirmed = [{ ...first, value, attempts: first.attempts + 1 }, ...others];
  }

  /** Counts another read-back of the same value. */
  countReadBack(): void {
    const [first, ...others] = this.#unconfirmed;
    if (first) this.#unconfirmed = [{ ...first, attempts: first.attempts + 1 }, ...others];
  }

  /** Drops all unconfirmed values. */
  dropUnconfirmed(): void {
    this.#unconfirmed = [];
  }

  /** Returns a function that restores the caller's confirmations. Values saved by tools stay. */
  bookmark(): () => void {
    const [unconfirmed, confirmed] = [this.#unconfirmed, this.#confirmed];
    return () => {
      [this.#unconfirmed, this.#confirmed] = [unconfirmed, confirmed];
    };
  }

  /** Reads and saves one value, or has it confirmed. Returns the report for the model. */
  #saveOne(name: string, text: string): { report: string; isAccepted: boolean } {
    const wanted = Object.hasOwn(this.#wanted, name) ? this.#wanted[name] : undefined;
    if (wanted === undefined) return { report: `${name} is not among the values.`, isAccepted: false };
    const { memory, readContext } = this.#parts;
    const read = readModelValue(text, wanted, { ...readContext(), callee: memory.callee });
    if ('problem' in read)
      return { report: `${name} was not saved: '${text.slice(0, 100)}' ${read.problem}.`, isAccepted: false };
    const { value } = read;
    // A saved value that the model saves again unchanged is not read back again.
    const isNew = !this.isSaved(name) || memory.answerTo(name) !== value;
    this.#unconfirmed = this.#unconfirmed.filter((unconfirmed) => unconfirmed.name !== name);
    if (wanted.confirm && isNew) {
      this.#unconfirmed = [...this.#unconfirmed, { name, value, attempts: 1 }];
      return {
        report: `${name}: ${value} is being read back to the caller; it is saved once they agree.`,
        isAccepted: true,
      };
    }
    this.#save(name, value);
    return { report: `${name} is saved: ${value}.`, isAccepted: true };
  }

  /** Saves a value that needs no confirmation. It stays even if the turn is taken back. */
  #save(name: string, value: string): void {
    this.#parts.toolMemory.learn(name, value, this.#spokenForm(name, value));
    this.#saved.add(name);
  }

  /** A value in spoken form, and whether it is free speech. */
  #spokenForm(name: string, value: string): { said: string; isInOwnWords: boolean } {
    const expectation = this.#wanted[name]!;
    const said = spokenValue(value, expectation, this.#parts.readContext());
    return { said, isInOwnWords: expectation.kind === 'anything' };
  }
}

/** The tool by which the model saves the values of a talk step; null if the step collects none. */
export function saveTool({ collect }: TalkStep): OfferedTool | null {
  const wanted = Object.entries(collect ?? {});
  if (wanted.length === 0) return null;
  return {
    name: SAVE_ANSWERS,
    description:
      'Saves what the caller has said, as soon as they have said it. Save only what they said themselves; a value ' +
      'that does not hold is refused with a reason. Do not mention that you save something.',
    parameters: {
      type: 'object',
      properties: Object.fromEntries(wanted.map(([name, value]) => [name, parameterOf(value)])),
      additionalProperties: false,
    },
  };
}

/** The format of each kind of value, in words for the model. */
const FORMS: Readonly<Record<WantedValue['kind'], string>> = {
  yes_no: 'yes or no.',
  choice: 'One of the values.',
  date: 'A day such as 2026-12-31.',
  time: 'A time of day such as 15:30.',
  number: 'A number in digits.',
  phone_number: 'A phone number, in E.164 where the country is known.',
  name: 'The name of a person.',
  anything: 'In the words of the caller.',
};

/** The JSON Schema of one value as an argument of the tool. */
function parameterOf(value: WantedValue): Record<string, unknown> {
  const { kind, description, required } = value;
  const options =
    kind === 'choice'
      ? value.options.map((option) => option.value)
      : kind === 'yes_no'
        ? ['yes', 'no']
        : null;
  const sentences = [description, FORMS[kind], required ? 'Needed.' : 'Only if they say it.'];
  return {
    type: 'string',
    description: sentences.filter(Boolean).join(' '),
    ...(options && { enum: options }),
  };
}
