import type { Transcript } from '#speech/stt.js';
import type {
  AgentBrief,
  DialogueEvent,
  DialogueManager,
  DialogueOutput,
  TurnInput,
} from '#dialogue/dialogue-manager.js';
import type { Playbook } from '#playbook/book/playbook.js';
import type { Outcome } from '#dialogue/outcome.js';
import { readAhead, type Said } from '#playbook/understanding/ahead.js';
import { PlaybookCallerControl } from './caller-control.js';
import { PerformedSteps } from './performed-steps.js';
import type { StepContext } from './step-run.js';
import { isExhausted, rewording, stepFor, type Question, type Unanswered } from './asking.js';
import { HandedOver } from '#playbook/understanding/handed-over.js';
import { interpret, type Interpretation } from '#playbook/understanding/interpret.js';
import { OptOutQuestion } from './opt-out-question.js';
import { withoutOutside } from './performing.js';
import { PlaybookWalk } from './playbook-walk.js';
import { isOptOut } from '#playbook/understanding/requests.js';
import { firstUnheard, isNotIn } from './unheard.js';
import { listsOf } from '#playbook/values/spoken-language.js';
import type { Surroundings } from '#playbook/values/value.js';
import { WaysOut } from './ways-out.js';

/** Meanings that count even when no further question can be asked. */
const COUNTS = new Set<Interpretation['kind']>(['answer', 'confirmed', 'correction', 'leaving']);

/**
 * The dialogue of one call along a playbook. A turn is decided as a whole when its first output is taken. A turn
 * dropped before that, or taken back, leaves no trace; a turn interrupted later counts as having asked its question.
 */
export class PlaybookSession implements DialogueManager {
  readonly #walk: PlaybookWalk;
  readonly #waysOut: WaysOut;
  readonly #optOut: OptOutQuestion;
  readonly #minConfidence: number;
  readonly #surroundings: () => Surroundings;
  readonly #onStep: (step: string) => void;
  #toldStep: string | null = null;
  readonly #handedOver = new HandedOver();
  readonly #control: PlaybookCallerControl;
  /** Null if the playbook needs no model and no tool. */
  readonly #steps: PerformedSteps | null;
  /** The texts of the previous turn, and those an interrupting caller has not heard. */
  #saying: Extract<DialogueOutput, { kind: 'say' }>[] = [];
  #unheard: Extract<DialogueOutput, { kind: 'say' }>[] = [];
  #isCut = false;
  /** Restores the state before the last decided turn. */
  #goBack: () => void = () => {};

  constructor(
    brief: AgentBrief,
    parts: {
      playbook: Playbook;
      minConfidence: number;
      surroundings: () => Surroundings;
      onStep?: (step: string) => void;
      outside?: StepContext | null;
    },
  ) {
    const { playbook, outside = null } = parts;
    this.#walk = new PlaybookWalk(brief, playbook, parts.surroundings);
    this.#waysOut = new WaysOut(this.#walk, { ...parts, steps: playbook.anywhere ?? {} });
    this.#optOut = new OptOutQuestion(parts);
    this.#minConfidence = parts.minConfidence;
    this.#surroundings = parts.surroundings;
    this.#onStep = parts.onStep ?? (() => {});
    this.#control = new PlaybookCallerControl({ ...parts, optOut: this.#optOut });
    const { systemPrompt } = brief;
    const [walk, waysOut, control, handedOver] = [this.#walk, this.#waysOut, this.#control, this.#handedOver];
    this.#steps =
      outside && new PerformedSteps({ ...parts, walk, waysOut, control, handedOver, outside, systemPrompt });
  }

  /** A step that takes long is decided as it proceeds; what comes before it, as a whole. */
  async *turn(input: TurnInput, signal: AbortSignal): AsyncGenerator<DialogueOutput> {
    // An async generator runs nothing before its first output is taken, so a dropped turn leaves no trace.
    if (signal.aborted) return;
    this.#goBack = this.#bookmark();
    this.#walk.memory.beginTurn();
    this.#steps?.beginTurn(input);
    this.#saying = [];
    try {
      const goesOn = this.#walk.performing !== null && input.kind !== 'goodbye';
      const outputs = goesOn ? [] : this.#decide(input);
      this.#unheard = [];
      this.#isCut = false;
      yield* this.#say(outputs, signal);
      if (outputs.at(-1)?.kind !== 'end') yield* this.#perform(goesOn ? input : null, signal);
    } finally {
      this.#steps?.endTurn();
    }
  }

  get takesAdvice(): boolean {
    return this.#steps?.hasModel ?? false;
  }

  note(event: DialogueEvent): void {
    if (event.kind !== 'taken_back') this.#steps?.note(event);
    switch (event.kind) {
      case 'interrupted':
        return this.#interrupted(event.heard);
      case 'taken_back':
        this.#goBack();
        this.#goBack = () => {};
        this.#steps?.note(event);
        return;
      case 'overheard':
        return this.#overheard(event.transcript);
      case 'last_words':
        return this.#lastWords(event.transcript);
      case 'screened':
        this.#handedOver.screened();
        return;
      case 'said_for_agent':
      case 'advised':
      case 'hearing':
    }
  }

  async sumUp(signal: AbortSignal): Promise<string | null> {
    return (await this.#steps?.sumUp(signal)) ?? null;
  }

  outcome(): Outcome {
    return this.#walk.outcome();
  }

  close(): void {
    this.#steps?.close();
  }

  #decide(input: TurnInput): DialogueOutput[] {
    switch (input.kind) {
      case 'opening':
        return this.#walk.begin();
      case 'heard':
        return this.#reply(input.transcript);
      case 'silence':
        return this.#prompt(input.prompts);
      case 'transfer_failed':
        return this.#walk.notConnected();
      case 'returned':
        return this.#walk.returned();
      case 'goodbye':
        return [...this.#walk.say('nobody_there'), { kind: 'end' }];
    }
  }

  #reply(heard: Transcript): DialogueOutput[] {
    const { question } = this.#walk;
    // A caller who speaks before the agent's opening hears the opening; one who speaks during its goodbye hears the
    // goodbye again.
    if (question === null) return this.#walk.begin();
    return this.#take(heard, question, this.#meaningOf(heard, question));
  }

  #prompt(prompts: number): DialogueOutput[] {
    const { question } = this.#walk;
    if (question === null) return this.#walk.begin();
    return [...this.#walk.say(prompts <= 1 ? 'still_there' : 'cannot_hear'), ...this.#afterSilence(question)];
  }

  #overheard({ text, confidence }: Transcript): void {
    const { language } = this.#surroundings();
    if (confidence >= this.#minConfidence && isOptOut(text, language?.current))
      this.#walk.memory.leave('do_not_call');
  }

  #lastWords(heard: Transcript): void {
    const { question, performing } = this.#walk;
    if (performing !== null && this.#control.hear(heard) === 'do_not_call')
      this.#walk.memory.leave('do_not_call');
    const meaning = question && this.#meaningOf(heard, question);
    const isAsked = this.#waysOut.awaitsWhen || this.#optOut.isOpen;
    const counts = meaning !== null && (isAsked || COUNTS.has(meaning.kind));
    if (question === null || !counts) return this.#overheard(heard);
    this.#walk.memory.beginTurn();
    const unspoken = this.#hear(heard, question, meaning);
    // A caller who has hung up is not transferred.
    if (unspoken.at(-1)?.kind === 'transfer') this.#walk.notConnected();
  }

  #interrupted(heard: string): void {
    this.#optOut.interrupted(heard);
    const first = firstUnheard(this.#saying, heard);
    // The last sentence is the question, which the next turn asks again if necessary.
    this.#unheard = first < 0 ? [] : this.#saying.slice(first, -1);
    this.#isCut = first >= 0;
  }

  #meaningOf(heard: Transcript, { step, name, pending }: Question): Interpretation {
    const { last: answered } = this.#walk.answered;
    return interpret(heard, {
      ...this.#surroundings(),
      expectation: step.expect,
      asked: this.#walk.memory.fill(step.text),
      called: this.#walk.memory.called,
      pending,
      earlier: answered && answered.name !== name ? answered.step.expect : null,
      settled: this.#walk.answered.retractable(name),
      earlierValue: answered && this.#walk.memory.answerTo(answered.step.save_as ?? answered.name),
      minConfidence: this.#minConfidence,
      takesUnsure: step.answers?.['unsure'] !== undefined,
    });
  }

  #take(heard: Transcript, question: Question, meaning: Interpretation): DialogueOutput[] {
    const isAsked = this.#waysOut.awaitsWhen || this.#optOut.isOpen;
    if (!isAsked && this.#optOut.isCalledFor(heard, question, meaning)) return this.#optOut.ask();
    return this.#hear(heard, question, meaning);
  }

  #hear(heard: Transcript, question: Question, meaning: Interpretation): DialogueOutput[] {
    if (this.#waysOut.awaitsWhen) return this.#waysOut.hearWhen(heard, meaning);
    if (!this.#optOut.isOpen) return this.#answer(heard.text, question, meaning);
    const answer = this.#optOut.hear(heard, question, meaning);
    if (answer === 'of_the_step') return this.#respond(question, meaning, heard.text);
    return answer === 'back' ? this.#backTo(question) : this.#waysOut.leave(answer, null);
  }

  /** A person who has just come to the phone hears who is calling before anything else. */
  #answer(text: string, question: Question, meaning: Interpretation): DialogueOutput[] {
    this.#handedOver.hear(text, meaning);
    if (this.#handedOver.isScreened && meaning.kind !== 'leaving')
      return meaning.kind === 'hold' ? this.#wait() : this.#tell('who', this.#backTo(question));
    if (!this.#handedOver.isNew) return this.#respond(question, meaning, text);
    const asked = this.#walk.memory.fill(question.step.text);
    const lists = listsOf(this.#surroundings());
    const isGreeting = this.#handedOver.isGreeting(text, meaning, asked, lists);
    if (isGreeting) return this.#introduce(question);
    const thoughts = this.#respond(question, meaning, text);
    // A person who asks is told anyway, and one who leaves need not know.
    const isTold = meaning.kind === 'who' || thoughts.at(-1)?.kind !== 'listen';
    return isTold ? thoughts : [...this.#walk.opening(), ...thoughts];
  }

  #wait(): DialogueOutput[] {
    return [...this.#walk.say('hold'), ...this.#walk.listen()];
  }

  #introduce(question: Question): DialogueOutput[] {
    const opening = this.#walk.opening();
    const isPartOfIt = opening.length === 0 && question.pending === null;
    return isPartOfIt ? this.#walk.ask(question.step.text) : [...opening, ...this.#backTo(question)];
  }

  /** Silence counts as no failed attempt: the call has its own limit for silence. */
  #afterSilence(question: Question): DialogueOutput[] {
    if (this.#waysOut.awaitsWhen) return this.#waysOut.askWhen();
    if (!this.#optOut.isOpen && question.pending === null) return this.#again(rewording(question));
    this.#optOut.silence();
    return this.#backTo(question);
  }

  /** Repeats the waiting question without counting an attempt. */
  #backTo({ pending }: Question): DialogueOutput[] {
    return pending === null ? this.#walk.askAgain() : this.#walk.sayBack(pending);
  }

  #respond(question: Question, meaning: Interpretation, text: string): DialogueOutput[] {
    const { said } = question;
    if (meaning.kind === 'answer' || meaning.kind === 'confirmed')
      question.said = { ...said, texts: [...said.texts, text] };
    switch (meaning.kind) {
      case 'leaving':
        return this.#waysOut.leave(meaning.reason, meaning.moment);
      case 'correction':
        return this.#correct(meaning);
      case 'answer':
        // The answer is read back first. A caller who is leaving hears no read-back: the answer is saved as
        // understood.
        if (question.step.confirm && !meaning.leaving) return this.#sayBack(question, meaning.value);
        return this.#accept(question, meaning.value, meaning.leaving);
      case 'confirmed':
        return this.#accept(question, question.pending!, meaning.leaving);
      default:
        return this.#askAgain(question, meaning.kind);
    }
  }

  #accept({ step, said }: Question, value: string, leaving: boolean): DialogueOutput[] {
    this.#walk.learn(value);
    const next = stepFor(step, value, listsOf(this.#surroundings()));
    if (leaving) return this.#walk.goToEnd(next);
    const left = { ...said, taken: [...said.taken, step.expect.kind] };
    return this.#walk.goTo(next, (question) => this.#takeAhead(question, left));
  }

  /** An answer may hold the answer to the next question, too; then that question is skipped. */
  #takeAhead(question: Question, said: Said): DialogueOutput[] | null {
    const value = readAhead(said, question.step, this.#surroundings());
    // "No, can we make it Tuesday?": a yes to "Shall we find another day?" in between does not discard the Tuesday.
    if (value !== null || question.step.expect.kind === 'yes_no') question.said = said;
    if (value === null) return null;
    return question.step.confirm ? this.#walk.sayBack(value) : this.#accept(question, value, false);
  }

  /** Every changed value counts as an attempt, so that the number of read-backs is limited. */
  #sayBack(question: Question, value: string): DialogueOutput[] {
    if (question.pending !== null) {
      if (isExhausted(question, 'changed')) return this.#walk.goTo(question.step.otherwise);
      question.attempts += 1;
    }
    return this.#walk.sayBack(value);
  }

  /**
   * Replaces an earlier answer: the conversation continues from that question, and the outcome since then is
   * discarded.
   */
  #correct({ value, name, leaving }: Extract<Interpretation, { kind: 'correction' }>): DialogueOutput[] {
    const step = this.#walk.relearn(value, name);
    if (step === null) return [];
    const next = stepFor(step, value, listsOf(this.#surroundings()));
    return [...this.#walk.say('corrected'), ...(leaving ? this.#walk.goToEnd(next) : this.#walk.goTo(next))];
  }

  /** Every reply that is no answer counts as an attempt, so that the call ends. */
  #askAgain(question: Question, why: Unanswered): DialogueOutput[] {
    const { step, pending } = question;
    const way = why === 'person' ? this.#waysOut.take('person') : null;
    if (way !== null) return this.#walk.goTo(way);
    if (isExhausted(question, why)) return this.#walk.goTo(step.otherwise);
    const other = rewording(question);
    question.attempts += 1;
    if (why === 'hold') return this.#wait();
    if (why === 'denied') return [...this.#walk.say('again'), ...this.#again(other)];
    const inWords = (words: DialogueOutput[]) => (pending === null ? words : this.#walk.sayBack(pending));
    if (why === 'who' || why === 'person') return this.#tell(why, inWords(this.#walk.askAgain()));
    if (why === 'repeat') return [...this.#unheard, ...inWords(this.#walk.ask(step.text))];
    if (why === 'not_possible') return [...this.#walk.say('not_possible'), ...inWords(this.#again(other))];
    // Rewording the question shows already that it was not understood.
    const regret =
      other && pending === null ? [] : this.#walk.say('not_understood').filter(isNotIn(this.#unheard));
    return [...this.#unheard, ...regret, ...inWords(this.#again(other))];
  }

  /** Omits what was just said: the question may be the opening message itself, which says who is calling. */
  #tell(what: 'who' | 'person', words: DialogueOutput[]): DialogueOutput[] {
    const told = this.#walk.say(what);
    return [...told, ...words.filter(isNotIn(told))];
  }

  /** Asks the waiting question again: reworded if it has other texts, and in full if it was interrupted. */
  #again(other: string | undefined): DialogueOutput[] {
    const { question } = this.#walk;
    if (other !== undefined || question === null) return this.#walk.ask(other ?? '');
    return this.#isCut ? this.#walk.ask(question.step.text) : this.#walk.askAgain();
  }

  #bookmark(): () => void {
    const kept = [this.#walk, this.#waysOut, this.#optOut, this.#handedOver, this.#steps];
    const bookmarks = kept.map((part) => part?.bookmark() ?? (() => {}));
    const [unheard, isCut] = [this.#unheard, this.#isCut];
    return () => {
      for (const goBack of bookmarks) goBack();
      [this.#unheard, this.#isCut] = [unheard, isCut];
    };
  }

  #tellStep(): void {
    const step = this.#walk.question?.name ?? this.#walk.performing?.name ?? null;
    if (step !== null && step !== this.#toldStep) this.#onStep(step);
    this.#toldStep = step;
  }

  *#say(outputs: readonly DialogueOutput[], signal: AbortSignal): Generator<DialogueOutput> {
    this.#tellStep();
    this.#saying.push(...outputs.flatMap((output) => (output.kind === 'say' ? [output] : [])));
    this.#steps?.says(outputs);
    for (const output of outputs) {
      if (signal.aborted) return;
      yield output;
    }
  }

  /**
   * Continues through the steps that take long.
   * @param input null if the call has just reached the first of them
   */
  async *#perform(input: TurnInput | null, signal: AbortSignal): AsyncGenerator<DialogueOutput> {
    let rest = input;
    for (;;) {
      const at = this.#walk.performing;
      if (at === null || signal.aborted) return;
      const end = this.#steps ? yield* this.#steps.perform(at, rest, signal) : withoutOutside(at);
      if (signal.aborted || end.kind === 'stays') return;
      rest = null;
      if (end.kind === 'leaves') yield* this.#say(this.#waysOut.leave(end.reason, null), signal);
      else {
        const { to, isLeaving } = end;
        yield* this.#say(isLeaving ? this.#walk.goToEnd(to) : this.#walk.goTo(to), signal);
      }
    }
  }
}
