import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import { findPhrase, wordsOf } from '#language/words.js';
import type { PressStep } from '#playbook/steps/outside-steps.js';
import type { Transcript } from '#speech/stt.js';
import { optOutQuestion } from './opt-out-question.js';
import { goes, LISTEN, STAYS, type PerformingParts, type StepEnd, type StepInput } from './performing.js';
import type { Performing } from './playbook-walk.js';

/** How long a step waits for the words of the menu, unless it sets `max_seconds`. */
const DEFAULT_MAX_SECONDS = 60;
/** The pause that `w` makes in a key sequence. */
const WAIT_MS = 500;

type Outputs = AsyncGenerator<DialogueOutput, StepEnd>;

/**
 * Performs press steps, which send DTMF keys to a phone menu: at once, or after words of the menu (`wait_for`). The
 * step ends with the next utterance or silence after the keys, or when the words have not come in time.
 */
export class PressPerformer {
  readonly #parts: PerformingParts;
  /** When the step was reached (monotonic milliseconds). */
  #sinceMs = 0;
  #isPressed = false;

  constructor(parts: PerformingParts) {
    this.#parts = parts;
  }

  /** Returns a function that restores the present state. */
  bookmark(): () => void {
    const [sinceMs, isPressed] = [this.#sinceMs, this.#isPressed];
    return () => {
      [this.#sinceMs, this.#isPressed] = [sinceMs, isPressed];
    };
  }

  /** Handles one event of a press step. */
  async *perform({ step }: Performing & { step: PressStep }, input: StepInput): Outputs {
    const { walk, outside } = this.#parts;
    if (input.kind === 'reached') {
      [this.#sinceMs, this.#isPressed] = [outside.clock.monotonicMs(), false];
      yield* this.#say(walk.words(step.text ?? ''));
      if (!step.wait_for || (input.heard && isHeard(step.wait_for, input.heard)))
        return yield* this.#press(step);
      return yield* this.#listen();
    }
    if (input.kind === 'heard') return yield* this.#hear(step, input.transcript);
    if (input.kind === 'silence') this.#parts.control.silence();
    if (this.#isPressed) return goes(step.next);
    return this.#isLate(step) ? goes(step.otherwise ?? step.next) : yield* this.#listen();
  }

  /**
   * Handles an utterance. The expected words are checked before all requests of a caller but "do not call": a menu's
   * offers may sound like such a request.
   */
  async *#hear(step: PressStep, heard: Transcript): Outputs {
    const { control, waysOut } = this.#parts;
    const wish = control.hear(heard);
    if (wish === 'do_not_call') return { kind: 'leaves', reason: wish };
    if (!this.#isPressed && isHeard(step.wait_for ?? [], heard)) return yield* this.#press(step);
    if (wish === 'goodbye' || wish === 'wrong_number') return { kind: 'leaves', reason: wish };
    if (wish === 'perhaps_do_not_call') {
      yield* this.#say(optOutQuestion(this.#parts.surroundings()));
      return STAYS;
    }
    const way = wish === 'person' ? waysOut.take('person') : null;
    if (way !== null) return goes(way);
    if (this.#isPressed) return goes(step.next);
    return this.#isLate(step) ? goes(step.otherwise ?? step.next) : yield* this.#listen();
  }

  /** Sends the keys after the pause of the step. Keys that come out empty count as a failed step. */
  async *#press(step: PressStep): Outputs {
    this.#isPressed = true;
    const { memory } = this.#parts.walk;
    const keys = memory.fillKept(step.keys).replace(/[^0-9A-D*#w]/g, '');
    if (keys === '') return goes(step.otherwise ?? step.next);
    yield { kind: 'press', keys: 'w'.repeat(Math.ceil((step.after_ms ?? 0) / WAIT_MS)) + keys };
    return yield* this.#listen();
  }

  #isLate(step: PressStep): boolean {
    const waitedMs = this.#parts.outside.clock.monotonicMs() - this.#sinceMs;
    return waitedMs > (step.max_seconds ?? DEFAULT_MAX_SECONDS) * 1_000;
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- a turn without a tool
  async *#listen(): Outputs {
    yield LISTEN;
    return STAYS;
  }

  *#say(outputs: readonly DialogueOutput[]): Generator<DialogueOutput> {
    yield* this.#parts.thread.record(outputs);
  }
}

function isHeard(phrases: readonly string[], { text }: Transcript): boolean {
  const words = wordsOf(text);
  return phrases.some((phrase) => findPhrase(words, wordsOf(phrase)) >= 0);
}
