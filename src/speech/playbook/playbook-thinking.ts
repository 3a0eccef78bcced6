import type { Heard } from '../hearing.js';
import type { Mind, Outcome, Thinking, ThinkingSession, Thought } from '../thinking.js';
import { genericPlaybook } from './generic-playbook.js';
import { bareYesNo, interpret, type Interpretation, type Leaving } from './interpret.js';
import type { AskStep } from './playbook-step.js';
import { PlaybookWalk, type Question } from './playbook-walk.js';

/** Below this confidence nothing is read into what was heard. */
const USUAL_MIN_CONFIDENCE = 0.3;
/** How often a question is put when the playbook does not say. */
const USUAL_MAX_ATTEMPTS = 3;

/** What the outcome says of callers who end the call themselves. */
const LEAVING_INTENTS: Record<Leaving, string> = {
  goodbye: 'end_call',
  later: 'call_back_later',
  do_not_call: 'do_not_call',
  wrong_number: 'wrong_number',
};

/**
 * Thinking without a model: follows the agent's playbook, or a general one when it has none. Deterministic: the same
 * words get the same answers.
 * @param options.minConfidence below this (0 to 1) an utterance counts as not understood; default 0.3
 */
export function createPlaybookThinking(options: { minConfidence?: number } = {}): Thinking {
  const minConfidence = options.minConfidence ?? USUAL_MIN_CONFIDENCE;
  return { name: 'builtin', open: (mind) => new PlaybookSession(mind, minConfidence) };
}

/**
 * The thinking of one call along a playbook. A turn is decided as a whole when its first thought is taken: one that is
 * dropped before leaves no trace, one that is interrupted later has put its question all the same.
 */
class PlaybookSession implements ThinkingSession {
  readonly #walk: PlaybookWalk;
  readonly #minConfidence: number;

  constructor(mind: Mind, minConfidence: number) {
    this.#walk = new PlaybookWalk(mind, mind.playbook ?? genericPlaybook(mind.initialMessage));
    this.#minConfidence = minConfidence;
  }

  begin(signal: AbortSignal): AsyncIterable<Thought> {
    return turn(signal, () => this.#walk.begin());
  }

  reply(heard: Heard, signal: AbortSignal): AsyncIterable<Thought> {
    return turn(signal, () => {
      const { question } = this.#walk;
      // Who speaks before we did hears our opening; who speaks into our goodbye hears it again.
      if (question === null) return this.#walk.begin();
      return this.#respond(question, interpret(heard, question.step.expect, this.#minConfidence));
    });
  }

  nudge(prompts: number, signal: AbortSignal): AsyncIterable<Thought> {
    return turn(signal, () => {
      const { question } = this.#walk;
      if (question === null) return this.#walk.begin();
      // Silence is no failed attempt: the conversation has its own patience for it.
      const again = this.#walk.ask(rewording(question) ?? question.step.text);
      return [...this.#walk.say(prompts <= 1 ? 'still_there' : 'cannot_hear'), ...again];
    });
  }

  outcome(): Outcome {
    return this.#walk.outcome();
  }

  #respond(question: Question, meaning: Interpretation): Thought[] {
    if (meaning.kind === 'leaving') return this.#walk.leave(meaning.reason, LEAVING_INTENTS[meaning.reason]);
    if (meaning.kind !== 'answer') return this.#askAgain(question, meaning.kind);
    this.#walk.learn(meaning.value);
    const next = stepFor(question.step, meaning.value);
    return meaning.leaving ? this.#walk.goToEnd(next) : this.#walk.goTo(next);
  }

  /** Every way of not answering counts as an attempt, so that no caller keeps the call for ever. */
  #askAgain(question: Question, why: 'repeat' | 'who' | 'hold' | 'unclear'): Thought[] {
    const { step } = question;
    if (question.attempts >= (step.max_attempts ?? USUAL_MAX_ATTEMPTS))
      return this.#walk.goTo(step.otherwise);
    const other = rewording(question);
    question.attempts += 1;
    if (why === 'hold') return [...this.#walk.say('hold'), ...this.#walk.listen()];
    if (why === 'repeat') return this.#walk.ask(step.text);
    if (why === 'who') return [...this.#walk.say('who'), ...this.#walk.ask(step.text)];
    return other
      ? this.#walk.ask(other)
      : [...this.#walk.say('not_understood'), ...this.#walk.ask(step.text)];
  }
}

/** Other words for a question that has been put before: the next ones of `retry`, then the last ones again. */
function rewording({ step, attempts }: Question): string | undefined {
  return step.retry?.[Math.min(attempts, step.retry.length) - 1];
}

/** Where an answer leads; the checks of a saved playbook see to it that each leads somewhere. */
function stepFor(step: AskStep, answer: string): string {
  const key = step.expect.kind === 'anything' ? (bareYesNo(answer) ?? '') : answer;
  const answers = step.answers ?? {};
  return (Object.hasOwn(answers, key) ? answers[key] : step.next) ?? step.otherwise;
}

// An async generator runs nothing before its first thought is taken, which is what makes dropped turns traceless.
async function* turn(signal: AbortSignal, decide: () => Thought[]): AsyncGenerator<Thought> {
  if (signal.aborted) return;
  for (const thought of decide()) {
    if (signal.aborted) return;
    yield thought;
  }
}
