import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import { findPhrase, wordsOf } from '#language/words.js';
import type { PressStep } from '#playbook/steps/tool-and-press-steps.js';
import type { Transcript } from '#speech/stt.js';
import { optOutQuestion } from './opt-out-question.js';
import { goTo, LISTEN, STAY, type PerformerParts, type StepEnd, type StepInput } from './step-performer.js';
import type { StepVisit } from './playbook-flow.js';

/** How long a step waits for the words of the menu, unless it sets `max_seconds`. */
const DEFAULT_MAX_SECONDS = 60;
/** The pause that `w` makes in a key sequence. */
const WAIT_MS = 500;

/** The outputs of a turn in the step; the generator returns how the turn ends. */
type Outputs = AsyncGenerator<DialogueOutput, StepEnd>;

/**
 * Performs press steps, which send DTMF keys to a phone menu: at once, or after words of the menu (`wait_for`). The
 * step ends with the next utterance or silence after the keys, or when the words have not come in time.
 */
export class PressPerformer {
  readonly #parts: PerformerParts;
  /** When the step was reached (monotonic milliseconds). */
  #reachedMs = 0;
  /** True once the keys of the step were sent. */
  #isPressed = false;

  constructor(parts: PerformerParts) {
    this.#parts = parts;
  }

  /** Returns a function that restores the present state. */
  bookmark(): () => void {
    const [reachedMs, isPressed] = [this.#reachedMs, this.#isPressed];
    return () => {
      [this.#reachedMs, this.#isPressed] = [reachedMs, isPressed];
    };
  }

  /** Handles one event of a press step. */
  async *perform({ step }: StepVisit & { step: PressStep }, input: StepInput): Outputs {
    const { flow, context } = this.#parts;
    if (input.kind === 'reached') {
      [this.#reachedMs, this.#isPressed] = [context.clock.monotonicMs(), false];
      yield* this.#say(flow.words(step.text ?? ''));
      if (!step.wait_for || (input.heard && containsPhrase(step.wait_for, input.heard)))
        return yield* this.#press(step);
      return yield* this.#listen();
    }
    if (input.kind === 'heard') return yield* this.#hear(step, input.transcript);
    if (input.kind === 'silence') this.#parts.control.silence();
    if (this.#isPressed) return goTo(step.next);
    return this.#isTimedOut(step) ? goTo(step.otherwise ?? step.next) : yield* this.#listen();
  }

  /**
   * Handles an utterance. Of a caller's requests, only "do not call" takes precedence over the expected words: the
   * offers of a menu may sound like the other requests.
   */
  async *#hear(step: PressStep, heard: Transcript): Outputs {
    const { control, anywhere } = this.#parts;
    const restore = control.bookmark();
    const wish = control.hear(heard);
    if (wish === 'do_not_call') return { kind: 'leaves', reason: wish };
    if (!this.#isPressed && containsPhrase(step.wait_for ?? [], heard)) {
      // The opt-out question is not asked of a menu, so no later word is its answer.
      if (wish === 'perhaps_do_not_call') restore();
      return yield* this.#press(step);
    }
    if (wish === 'goodbye' || wish === 'wrong_number') return { kind: 'leaves', reason: wish };
    if (wish === 'perhaps_do_not_call') {
      yield* this.#say(optOutQuestion(this.#parts.readContext()));
      return STAY;
    }
    const personStep = wish === 'person' ? anywhere.take('person') : null;
    if (personStep !== null) return goTo(personStep);
    if (this.#isPressed) return goTo(step.next);
    return this.#isTimedOut(step) ? goTo(step.otherwise ?? step.next) : yield* this.#listen();
  }

  /** Sends the keys after the pause of the step. Keys that come out empty count as a failed step. */
  async *#press(step: PressStep): Outputs {
    this.#isPressed = true;
    const { memory } = this.#parts.flow;
    const keys = memory.fillApiForm(step.keys).replace(/[^0-9A-D*#w]/g, '');
    if (keys === '') return goTo(step.otherwise ?? step.next);
    yield { kind: 'press', keys: 'w'.repeat(Math.ceil((step.after_ms ?? 0) / WAIT_MS)) + keys };
    return yield* this.#listen();
  }

  /** True if the words of the menu have not come in time. */
  #isTimedOut(step: PressStep): boolean {
    const waitedMs = this.#parts.context.clock.monotonicMs() - this.#reachedMs;
    return waitedMs > (step.max_seconds ?? DEFAULT_MAX_SECONDS) * 1_000;
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- a turn without a tool
  async *#listen(): Outputs {
    yield LISTEN;
    return STAY;
  }

  *#say(outputs: readonly DialogueOutput[]): Generator<DialogueOutput> {
    yield* this.#parts.session.record(outputs);
  }
}

/** True if the words of the menu contain one of the phrases. */
function containsPhrase(phrases: readonly string[], { text }: Transcript): boolean {
  const words = wordsOf(text);
  return phrases.some((phrase) => findPhrase(words, wordsOf(phrase)) >= 0);
}
