import { DateTime } from 'luxon';
import type { CountryCode } from 'libphonenumber-js';
import { systemClock, type Clock } from '../../kernel/clock.js';
import type { Heard } from '../hearing.js';
import type { Mind, Outcome, Thinking, ThinkingSession, Thought } from '../thinking.js';
import { genericPlaybook } from './generic-playbook.js';
import { bareYesNo, interpret, type Interpretation } from './interpret.js';
import type { Playbook } from './playbook.js';
import type { AskStep } from './playbook-step.js';
import { instantOf, PlaybookWalk, type Question } from './playbook-walk.js';
import type { Leaving, Request } from './requests.js';
import { regionOf } from './values/region.js';
import { sayDay, sayTime, type Surroundings } from './values/value.js';

/** Below this confidence nothing is read into what was heard. */
const USUAL_MIN_CONFIDENCE = 0.3;
/** How often a question is put when the playbook does not say. */
const USUAL_MAX_ATTEMPTS = 3;

/** Whoever asks something after the last attempt was not misunderstood: that is heard out, so often. */
const MORE_ATTEMPTS: Readonly<Partial<Record<Request | 'unclear' | 'not_possible' | 'denied', number>>> = {
  hold: 2,
  who: 1,
  repeat: 1,
};

/** What the outcome says of callers who end the call themselves. */
const LEAVING_INTENTS: Record<Leaving, string> = {
  goodbye: 'end_call',
  later: 'call_back_later',
  do_not_call: 'do_not_call',
  wrong_number: 'wrong_number',
};

export interface PlaybookThinkingOptions {
  /** Below this (0 to 1) an utterance counts as not understood; default 0.3. */
  minConfidence?: number;
  /** By which "tomorrow" is meant; default the machine's. */
  clock?: Pick<Clock, 'wallMs'>;
  /** IANA zone of calls that name none; default UTC. */
  timeZone?: string;
  /** Country whose phone numbers are said as they are there; default that of the agent's language. */
  region?: CountryCode | undefined;
}

/**
 * Thinking without a model: follows the agent's playbook, or a general one when it has none. Deterministic: the same
 * words at the same time get the same answers.
 */
export function createPlaybookThinking(options: PlaybookThinkingOptions = {}): Thinking {
  const { minConfidence = USUAL_MIN_CONFIDENCE, clock = systemClock, timeZone = 'UTC' } = options;
  const open = (mind: Mind) => {
    const region = options.region ?? regionOf(mind.language);
    const zone = mind.timeZone ?? timeZone;
    const surroundings = () => ({ now: DateTime.fromMillis(clock.wallMs(), { zone }), region });
    return new PlaybookSession(mind, { minConfidence, surroundings });
  };
  return { name: 'builtin', open };
}

/**
 * The thinking of one call along a playbook. A turn is decided as a whole when its first thought is taken: one that is
 * dropped before, or taken back, leaves no trace; one that is interrupted later has put its question all the same.
 */
class PlaybookSession implements ThinkingSession {
  readonly #playbook: Playbook;
  readonly #walk: PlaybookWalk;
  readonly #minConfidence: number;
  readonly #surroundings: () => Surroundings;
  /** Ways out of the usual course that were taken already; each is taken once. */
  #taken = new Set<string>();
  /** What the turn before says, and what of it a caller who interrupted has not heard. */
  #saying: Extract<Thought, { kind: 'say' }>[] = [];
  #unheard: Extract<Thought, { kind: 'say' }>[] = [];
  /** Returns to before the turn that was decided last. */
  #goBack: () => void = () => {};

  constructor(mind: Mind, parts: { minConfidence: number; surroundings: () => Surroundings }) {
    this.#playbook = mind.playbook ?? genericPlaybook(mind.initialMessage);
    this.#walk = new PlaybookWalk(mind, this.#playbook, parts.surroundings);
    this.#minConfidence = parts.minConfidence;
    this.#surroundings = parts.surroundings;
  }

  begin(signal: AbortSignal): AsyncIterable<Thought> {
    return this.#turn(signal, () => this.#walk.begin());
  }

  reply(heard: Heard, signal: AbortSignal): AsyncIterable<Thought> {
    return this.#turn(signal, () => {
      const { question, answered } = this.#walk;
      // Who speaks before we did hears our opening; who speaks into our goodbye hears it again.
      if (question === null) return this.#walk.begin();
      const meaning = interpret(heard, {
        ...this.#surroundings(),
        expectation: question.step.expect,
        pending: question.pending,
        earlier: answered && answered.name !== question.name ? answered.step.expect : null,
        earlierValue: answered && this.#walk.memory.answerTo(answered.step.save_as ?? answered.name),
        minConfidence: this.#minConfidence,
      });
      return this.#respond(question, meaning);
    });
  }

  nudge(prompts: number, signal: AbortSignal): AsyncIterable<Thought> {
    return this.#turn(signal, () => {
      const { question } = this.#walk;
      if (question === null) return this.#walk.begin();
      // Silence is no failed attempt: the conversation has its own patience for it.
      const again =
        question.pending === null
          ? this.#walk.ask(rewording(question) ?? question.step.text)
          : this.#walk.sayBack(question.pending);
      return [...this.#walk.say(prompts <= 1 ? 'still_there' : 'cannot_hear'), ...again];
    });
  }

  notTransferred(signal: AbortSignal): AsyncIterable<Thought> {
    return this.#turn(signal, () => this.#walk.notConnected());
  }

  interrupted(heard: string): void {
    let rest = heard.trim();
    const first = this.#saying.findIndex(({ text }) => {
      if (!rest.startsWith(text)) return true;
      rest = rest.slice(text.length).trimStart();
      return false;
    });
    // The last sentence is the question itself, which is put again by whoever asks again.
    this.#unheard = first < 0 ? [] : this.#saying.slice(first, -1);
  }

  takeBack(): void {
    this.#goBack();
    this.#goBack = () => {};
  }

  outcome(): Outcome {
    return this.#walk.outcome();
  }

  #respond(question: Question, meaning: Interpretation): Thought[] {
    switch (meaning.kind) {
      case 'leaving':
        return this.#leave(meaning.reason, meaning.moment);
      case 'correction':
        return this.#correct(meaning.value);
      case 'answer':
        // Said back first, unless the caller is on the way out: then it is kept as it was understood.
        if (question.step.confirm && !meaning.leaving) return this.#sayBack(question, meaning.value);
        return this.#accept(question, meaning.value, meaning.leaving);
      case 'confirmed':
        return this.#accept(question, question.pending!, meaning.leaving);
      default:
        return this.#askAgain(question, meaning.kind);
    }
  }

  #accept({ step }: Question, value: string, leaving: boolean): Thought[] {
    this.#walk.learn(value);
    const next = stepFor(step, value);
    return leaving ? this.#walk.goToEnd(next) : this.#walk.goTo(next);
  }

  /** Every other value that is said back is an attempt, so that nobody changes their mind for ever. */
  #sayBack(question: Question, value: string): Thought[] {
    if (question.pending !== null) {
      if (isExhausted(question)) return this.#walk.goTo(question.step.otherwise);
      question.attempts += 1;
    }
    return this.#walk.sayBack(value);
  }

  /** The answer before is another one: the talk goes on from there. */
  #correct(value: string): Thought[] {
    const { answered } = this.#walk;
    if (answered === null) return [];
    this.#walk.learn(value, answered);
    return [...this.#walk.say('corrected'), ...this.#walk.goTo(stepFor(answered.step, value))];
  }

  /** Every way of not answering counts as an attempt, so that no caller keeps the call for ever. */
  #askAgain(question: Question, why: Request | 'unclear' | 'not_possible' | 'denied'): Thought[] {
    const { step, pending } = question;
    const way = why === 'person' ? this.#wayOut('person') : null;
    if (way !== null) return this.#walk.goTo(way);
    if (isExhausted(question, MORE_ATTEMPTS[why])) return this.#walk.goTo(step.otherwise);
    const other = rewording(question);
    question.attempts += 1;
    if (why === 'hold') return [...this.#walk.say('hold'), ...this.#walk.listen()];
    if (why === 'who' || why === 'person') return [...this.#walk.say(why), ...this.#again(question)];
    if (why === 'denied') return [...this.#walk.say('again'), ...this.#walk.ask(other ?? step.text)];
    if (why === 'repeat' || pending !== null) return [...this.#unheard, ...this.#again(question)];
    if (why === 'not_possible')
      return [...this.#walk.say('not_possible'), ...this.#walk.ask(other ?? step.text)];
    return [
      ...this.#unheard,
      ...(other ? [] : this.#walk.say('not_understood')),
      ...this.#walk.ask(other ?? step.text),
    ];
  }

  #again({ step, pending }: Question): Thought[] {
    return pending === null ? this.#walk.ask(step.text) : this.#walk.sayBack(pending);
  }

  /** Ends because the caller wants to; what was reached before is kept unless the caller is plain about it. */
  #leave(reason: Leaving, moment: DateTime | null): Thought[] {
    const { memory } = this.#walk;
    if (reason === 'do_not_call' || reason === 'wrong_number') memory.takeBack();
    if (reason === 'do_not_call') memory.agree({ kind: 'suppress' });
    memory.leave(LEAVING_INTENTS[reason]);
    if (reason === 'later' && moment !== null) {
      const { now } = this.#surroundings();
      const said = `${sayWhen(moment, now)} at ${sayTime(moment.toFormat('HH:mm'))}`;
      memory.set('call_back_at', said);
      memory.agree({ kind: 'call_back', at: instantOf(moment), timeZone: now.zoneName!, said });
      return this.#walk.close(this.#walk.say('later_at'));
    }
    if (reason === 'later') {
      const timeZone = this.#surroundings().now.zoneName!;
      memory.agree({ kind: 'call_back', at: null, timeZone, said: '' });
    }
    const way = this.#wayOut(reason);
    return way === null ? this.#walk.close(this.#walk.say(reason)) : this.#walk.goTo(way);
  }

  /** The step that the playbook has for this; null when it has none, or when it was taken before. */
  #wayOut(reason: Leaving | 'person'): string | null {
    const step = this.#playbook.anywhere?.[reason];
    if (!step || this.#taken.has(reason)) return null;
    this.#taken.add(reason);
    return step;
  }

  #bookmark(): () => void {
    const goBack = this.#walk.bookmark();
    const [taken, unheard] = [new Set(this.#taken), this.#unheard];
    return () => {
      goBack();
      [this.#taken, this.#unheard] = [taken, unheard];
    };
  }

  // An async generator runs nothing before its first thought is taken, which is what makes dropped turns traceless.
  async *#turn(signal: AbortSignal, decide: () => Thought[]): AsyncGenerator<Thought> {
    if (signal.aborted) return;
    this.#goBack = this.#bookmark();
    const thoughts = decide();
    this.#saying = thoughts.flatMap((thought) => (thought.kind === 'say' ? [thought] : []));
    this.#unheard = [];
    for (const thought of thoughts) {
      if (signal.aborted) return;
      yield thought;
    }
  }
}

/** @param more further attempts that are granted */
function isExhausted({ attempts, step }: Question, more = 0): boolean {
  const most = step.max_attempts ?? Math.max(USUAL_MAX_ATTEMPTS, (step.retry?.length ?? 0) + 1);
  return attempts >= most + more;
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

function sayWhen(moment: DateTime, now: DateTime): string {
  const days = moment.startOf('day').diff(now.startOf('day'), 'days').days;
  if (days === 0) return 'today';
  return days === 1 ? 'tomorrow' : `on ${sayDay(moment.startOf('day'), now)}`;
}
