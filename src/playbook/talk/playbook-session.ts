import type { Transcript } from '#speech/stt.js';
import type {
  AgentBrief,
  DialogueEvent,
  DialogueManager,
  DialogueOutput,
  TurnInput,
} from '#dialogue/dialogue-manager.js';
import type { Playbook } from '#playbook/definition/playbook.js';
import type { Outcome } from '#dialogue/outcome.js';
import { readPrefilledAnswer, type EarlierReplies } from '#playbook/understanding/prefilled-answer.js';
import { PlaybookCallerControl } from './caller-control.js';
import { PerformedSteps } from './performed-steps.js';
import type { StepContext } from './model-session.js';
import { isExhausted, rewording, stepFor, type OpenQuestion, type Unanswered } from './open-question.js';
import { Handover } from '#playbook/understanding/handover.js';
import { interpret, type Interpretation } from '#playbook/understanding/interpret.js';
import { OptOutQuestion } from './opt-out-question.js';
import { withoutContext } from './step-performer.js';
import { PlaybookFlow } from './playbook-flow.js';
import { isOptOut } from '#playbook/understanding/requests.js';
import { firstUnplayed, notSaidIn } from './unplayed-texts.js';
import { wordListLanguage } from '#playbook/values/spoken-language.js';
import type { ReadContext } from '#playbook/values/value.js';
import { AnywhereRequests } from './anywhere-requests.js';

/** Meanings of a caller's last words that still count after the caller has hung up. */
const COUNTS_AT_THE_END = new Set<Interpretation['kind']>(['answer', 'confirmed', 'correction', 'leaving']);

/**
 * The dialogue manager of one call with a playbook: reads each reply and decides where the `PlaybookFlow` goes. A turn
 * is decided as a whole when its first output is taken (an async generator runs nothing before), except in talk, tool
 * and press steps, which proceed output by output. Of a turn that is taken back only opt-outs and tool calls stay.
 */
export class PlaybookSession implements DialogueManager {
  readonly #flow: PlaybookFlow;
  readonly #anywhere: AnywhereRequests;
  readonly #optOut: OptOutQuestion;
  readonly #minConfidence: number;
  readonly #readContext: () => ReadContext;
  readonly #onStep: (step: string) => void;
  #reportedStep: string | null = null;
  readonly #handover = new Handover();
  readonly #control: PlaybookCallerControl;
  /** Null without a `context`: then talk, tool and press steps are left at once. */
  readonly #steps: PerformedSteps | null;
  /** The texts that the last turn said. */
  #sentences: Extract<DialogueOutput, { kind: 'say' }>[] = [];
  /** The texts before the question that the caller, who interrupted the last turn, has not heard. */
  #unplayed: Extract<DialogueOutput, { kind: 'say' }>[] = [];
  #wasInterrupted = false;
  /** Restores the state before the last turn, for a turn that is taken back. */
  #restoreBeforeTurn: () => void = () => {};

  constructor(
    brief: AgentBrief,
    parts: {
      playbook: Playbook;
      minConfidence: number;
      readContext: () => ReadContext;
      onStep?: (step: string) => void;
      context?: StepContext | null;
    },
  ) {
    const { playbook, context = null } = parts;
    this.#flow = new PlaybookFlow(brief, playbook, parts.readContext);
    this.#anywhere = new AnywhereRequests(this.#flow, { ...parts, steps: playbook.anywhere ?? {} });
    this.#optOut = new OptOutQuestion(parts);
    this.#minConfidence = parts.minConfidence;
    this.#readContext = parts.readContext;
    this.#onStep = parts.onStep ?? (() => {});
    this.#control = new PlaybookCallerControl({ ...parts, optOut: this.#optOut });
    const { systemPrompt } = brief;
    const [flow, anywhere, control, handover] = [this.#flow, this.#anywhere, this.#control, this.#handover];
    this.#steps =
      context && new PerformedSteps({ ...parts, flow, anywhere, control, handover, context, systemPrompt });
  }

  /** A talk, tool or press step is decided as it proceeds; the outputs before it are decided as a whole. */
  async *turn(input: TurnInput, signal: AbortSignal): AsyncGenerator<DialogueOutput> {
    if (signal.aborted) return;
    this.#restoreBeforeTurn = this.#bookmark();
    this.#flow.memory.beginTurn();
    this.#steps?.beginTurn(input);
    this.#sentences = [];
    try {
      const isPerforming = this.#flow.performing !== null && input.kind !== 'goodbye';
      const outputs = isPerforming ? [] : this.#decide(input);
      this.#unplayed = [];
      this.#wasInterrupted = false;
      yield* this.#say(outputs, signal);
      if (outputs.at(-1)?.kind !== 'end') yield* this.#perform(isPerforming ? input : null, signal);
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
        this.#restoreBeforeTurn();
        this.#restoreBeforeTurn = () => {};
        return this.#steps?.note(event);
      case 'overheard':
        return this.#overheard(event.transcript);
      case 'last_words':
        return this.#lastWords(event.transcript);
      case 'screened':
        return this.#handover.expectScreening();
      case 'said_for_agent':
      case 'advised':
      case 'hearing':
    }
  }

  async sumUp(signal: AbortSignal): Promise<string | null> {
    return (await this.#steps?.sumUp(signal)) ?? null;
  }

  outcome(): Outcome {
    return this.#flow.outcome();
  }

  close(): void {
    this.#steps?.close();
  }

  #decide(input: TurnInput): DialogueOutput[] {
    switch (input.kind) {
      case 'opening':
        return this.#flow.begin();
      case 'heard':
        return this.#reply(input.transcript);
      case 'silence':
        return this.#prompt(input.prompts);
      case 'transfer_failed':
        return this.#flow.transferFailed();
      case 'returned':
        return this.#flow.returned();
      case 'goodbye':
        return [...this.#flow.say('nobody_there'), { kind: 'end' }];
    }
  }

  #reply(heard: Transcript): DialogueOutput[] {
    const { question } = this.#flow;
    // A reply before the opening is answered by the opening, and a reply during the goodbye by the goodbye.
    if (question === null) return this.#flow.begin();
    return this.#askOptOutOrRoute(heard, question, this.#meaningOf(heard, question));
  }

  /** Asks a silent caller for a word. `prompts` is the number of such requests so far, including this one. */
  #prompt(prompts: number): DialogueOutput[] {
    const { question } = this.#flow;
    if (question === null) return this.#flow.begin();
    return [...this.#flow.say(prompts <= 1 ? 'still_there' : 'cannot_hear'), ...this.#afterSilence(question)];
  }

  /** Words over the agent's speech: only an opt-out counts. */
  #overheard({ text, confidence }: Transcript): void {
    const { language } = this.#readContext();
    if (confidence >= this.#minConfidence && isOptOut(text, language?.current))
      this.#flow.memory.leave('do_not_call');
  }

  /** Words before the caller hung up: they change the outcome, but nothing is said any more. */
  #lastWords(heard: Transcript): void {
    const { question, performing } = this.#flow;
    if (performing !== null && this.#control.hear(heard) === 'do_not_call')
      this.#flow.memory.leave('do_not_call');
    const meaning = question && this.#meaningOf(heard, question);
    const hasOtherQuestion = this.#anywhere.awaitsCallBackTime || this.#optOut.isOpen;
    const counts = meaning !== null && (hasOtherQuestion || COUNTS_AT_THE_END.has(meaning.kind));
    if (question === null || !counts) return this.#overheard(heard);
    this.#flow.memory.beginTurn();
    const outputs = this.#routeReply(heard, question, meaning);
    // A caller who has hung up is not transferred.
    if (outputs.at(-1)?.kind === 'transfer') this.#flow.transferFailed();
  }

  /** Notes which texts of the last turn the caller has not heard. @param heard what was played */
  #interrupted(heard: string): void {
    this.#optOut.interrupted(heard);
    const first = firstUnplayed(this.#sentences, heard);
    // The last sentence is the question, which the next turn asks again if necessary.
    this.#unplayed = first < 0 ? [] : this.#sentences.slice(first, -1);
    this.#wasInterrupted = first >= 0;
  }

  #meaningOf(heard: Transcript, { step, name, pending }: OpenQuestion): Interpretation {
    const { last: answered } = this.#flow.answered;
    return interpret(heard, {
      ...this.#readContext(),
      expectation: step.expect,
      asked: this.#flow.memory.fill(step.text),
      callee: this.#flow.memory.callee,
      pending,
      earlier: answered && answered.name !== name ? answered.step.expect : null,
      retractable: this.#flow.answered.retractable(name),
      earlierValue: answered && this.#flow.memory.answerTo(answered.step.save_as ?? answered.name),
      minConfidence: this.#minConfidence,
      takesUnsure: step.answers?.['unsure'] !== undefined,
    });
  }

  /** Asks whether a reply is an opt-out, if it may be one and answers the step's question; else handles the reply. */
  #askOptOutOrRoute(heard: Transcript, question: OpenQuestion, meaning: Interpretation): DialogueOutput[] {
    const hasOtherQuestion = this.#anywhere.awaitsCallBackTime || this.#optOut.isOpen;
    if (!hasOtherQuestion && this.#optOut.shouldAsk(heard, question, meaning)) return this.#optOut.ask();
    return this.#routeReply(heard, question, meaning);
  }

  /** Hands a reply to the question that waits for it: the call-back time, "was that an opt-out?", or the step's. */
  #routeReply(heard: Transcript, question: OpenQuestion, meaning: Interpretation): DialogueOutput[] {
    if (this.#anywhere.awaitsCallBackTime) return this.#anywhere.hearCallBackTime(heard, meaning);
    if (!this.#optOut.isOpen) return this.#replyToStep(heard.text, question, meaning);
    const answer = this.#optOut.hear(heard, question, meaning);
    if (answer === 'of_the_step') return this.#applyMeaning(question, meaning, heard.text);
    return answer === 'back' ? this.#repeatQuestion(question) : this.#anywhere.leave(answer, null);
  }

  /** Replies to the step. A screening service, and a person who has just come to the phone, hear who is calling. */
  #replyToStep(text: string, question: OpenQuestion, meaning: Interpretation): DialogueOutput[] {
    this.#handover.noteReply(text, meaning);
    if (this.#handover.isScreening && meaning.kind !== 'leaving')
      return meaning.kind === 'hold' ? this.#wait() : this.#sayBefore('who', this.#repeatQuestion(question));
    if (!this.#handover.isNewPerson) return this.#applyMeaning(question, meaning, text);
    const asked = this.#flow.memory.fill(question.step.text);
    const lists = wordListLanguage(this.#readContext());
    if (this.#handover.isGreeting(text, meaning, asked, lists)) return this.#introduce(question);
    const outputs = this.#applyMeaning(question, meaning, text);
    // The reply to "who is this?" says it already, and a caller who leaves need not know.
    const knowsCaller = meaning.kind === 'who' || outputs.at(-1)?.kind !== 'listen';
    return knowsCaller ? outputs : [...this.#flow.opening(), ...outputs];
  }

  #wait(): DialogueOutput[] {
    return [...this.#flow.say('hold'), ...this.#flow.listen()];
  }

  /** Says who is calling, and then the question, to a person who has only greeted. The first question says both. */
  #introduce(question: OpenQuestion): DialogueOutput[] {
    const opening = this.#flow.opening();
    const asksInFull = opening.length === 0 && question.pending === null;
    return asksInFull ? this.#flow.ask(question.step.text) : [...opening, ...this.#repeatQuestion(question)];
  }

  /** Repeats what the caller left open. Silence is no failed attempt: the call has its own limit for silence. */
  #afterSilence(question: OpenQuestion): DialogueOutput[] {
    if (this.#anywhere.awaitsCallBackTime) return this.#anywhere.askCallBackTime();
    if (!this.#optOut.isOpen && question.pending === null) return this.#askReworded(rewording(question));
    this.#optOut.silence();
    return this.#repeatQuestion(question);
  }

  /** Repeats the open question without counting an attempt. */
  #repeatQuestion({ pending }: OpenQuestion): DialogueOutput[] {
    return pending === null ? this.#flow.askAgain() : this.#flow.readBack(pending);
  }

  #applyMeaning(question: OpenQuestion, meaning: Interpretation, text: string): DialogueOutput[] {
    const { said } = question;
    if (meaning.kind === 'answer' || meaning.kind === 'confirmed')
      question.said = { ...said, texts: [...said.texts, text] };
    switch (meaning.kind) {
      case 'leaving':
        return this.#anywhere.leave(meaning.reason, meaning.moment);
      case 'correction':
        return this.#correct(meaning);
      case 'answer':
        // A caller who is leaving hears no read-back: the answer is saved as understood.
        if (question.step.confirm && !meaning.leaving) return this.#readBack(question, meaning.value);
        return this.#accept(question, meaning.value, meaning.leaving);
      case 'confirmed':
        return this.#accept(question, question.pending!, meaning.leaving);
      default:
        return this.#handleNonAnswer(question, meaning.kind);
    }
  }

  /** Saves an answer and goes to the next step; questions that the replies have answered, too, are skipped. */
  #accept({ step, said }: OpenQuestion, value: string, leaving: boolean): DialogueOutput[] {
    this.#flow.learn(value);
    const next = stepFor(step, value, wordListLanguage(this.#readContext()));
    if (leaving) return this.#flow.goToEnd(next);
    const replies = { ...said, taken: [...said.taken, step.expect.kind] };
    return this.#flow.goTo(next, (question) => this.#prefill(question, replies));
  }

  /** Skips a question whose answer the earlier replies contain; null if it has to be asked. */
  #prefill(question: OpenQuestion, said: EarlierReplies): DialogueOutput[] | null {
    const value = readPrefilledAnswer(said, question.step, this.#readContext());
    // After "no, can we make it Tuesday?" a yes to "Shall we find another day?" does not discard the Tuesday.
    if (value !== null || question.step.expect.kind === 'yes_no') question.said = said;
    if (value === null) return null;
    return question.step.confirm ? this.#flow.readBack(value) : this.#accept(question, value, false);
  }

  /** Reads an answer back. Every changed value counts as an attempt, so that the number of read-backs is limited. */
  #readBack(question: OpenQuestion, value: string): DialogueOutput[] {
    if (question.pending !== null) {
      if (isExhausted(question, 'changed')) return this.#flow.goTo(question.step.otherwise);
      question.attempts += 1;
    }
    return this.#flow.readBack(value);
  }

  /** Replaces an earlier answer: the call continues after its question, without the outcome since then. */
  #correct({ value, name, leaving }: Extract<Interpretation, { kind: 'correction' }>): DialogueOutput[] {
    const step = this.#flow.changeAnswer(value, name);
    if (step === null) return [];
    const next = stepFor(step, value, wordListLanguage(this.#readContext()));
    return [...this.#flow.say('corrected'), ...(leaving ? this.#flow.goToEnd(next) : this.#flow.goTo(next))];
  }

  /** Handles a reply that is no answer. Each one counts as an attempt, so that the question ends. */
  #handleNonAnswer(question: OpenQuestion, why: Unanswered): DialogueOutput[] {
    const { step, pending } = question;
    const personStep = why === 'person' ? this.#anywhere.take('person') : null;
    if (personStep !== null) return this.#flow.goTo(personStep);
    if (isExhausted(question, why)) return this.#flow.goTo(step.otherwise);
    const reworded = rewording(question);
    question.attempts += 1;
    if (why === 'hold') return this.#wait();
    if (why === 'denied') return [...this.#flow.say('again'), ...this.#askReworded(reworded)];
    const orReadBack = (words: DialogueOutput[]) => (pending === null ? words : this.#flow.readBack(pending));
    if (why === 'who' || why === 'person') return this.#sayBefore(why, orReadBack(this.#flow.askAgain()));
    if (why === 'repeat') return [...this.#unplayed, ...orReadBack(this.#flow.ask(step.text))];
    if (why === 'not_possible')
      return [...this.#flow.say('not_possible'), ...orReadBack(this.#askReworded(reworded))];
    // A reworded question shows already that the reply was not understood, so it needs no apology.
    const apology =
      reworded && pending === null ? [] : this.#flow.say('not_understood').filter(notSaidIn(this.#unplayed));
    return [...this.#unplayed, ...apology, ...orReadBack(this.#askReworded(reworded))];
  }

  /** Says a sentence before other texts, without repeating it: the question may be the opening message itself. */
  #sayBefore(sentence: 'who' | 'person', words: DialogueOutput[]): DialogueOutput[] {
    const said = this.#flow.say(sentence);
    return [...said, ...words.filter(notSaidIn(said))];
  }

  /** Asks the open question in the words of `reworded`; without them repeats it, in full if it was interrupted. */
  #askReworded(reworded: string | undefined): DialogueOutput[] {
    const { question } = this.#flow;
    if (reworded !== undefined || question === null) return this.#flow.ask(reworded ?? '');
    return this.#wasInterrupted ? this.#flow.ask(question.step.text) : this.#flow.askAgain();
  }

  #bookmark(): () => void {
    const parts = [this.#flow, this.#anywhere, this.#optOut, this.#handover, this.#steps];
    const restores = parts.map((part) => part?.bookmark() ?? (() => {}));
    const [unplayed, wasInterrupted] = [this.#unplayed, this.#wasInterrupted];
    return () => {
      for (const restore of restores) restore();
      [this.#unplayed, this.#wasInterrupted] = [unplayed, wasInterrupted];
    };
  }

  #reportStep(): void {
    const step = this.#flow.question?.name ?? this.#flow.performing?.name ?? null;
    if (step !== null && step !== this.#reportedStep) this.#onStep(step);
    this.#reportedStep = step;
  }

  /** Yields outputs of the playbook, and records them for interruptions and for the history of the model. */
  *#say(outputs: readonly DialogueOutput[], signal: AbortSignal): Generator<DialogueOutput> {
    this.#reportStep();
    this.#sentences.push(...outputs.flatMap((output) => (output.kind === 'say' ? [output] : [])));
    this.#steps?.recordTexts(outputs);
    for (const output of outputs) {
      if (signal.aborted) return;
      yield output;
    }
  }

  /** Performs talk, tool and press steps, one after another. `input` is null if the call has just reached the first. */
  async *#perform(input: TurnInput | null, signal: AbortSignal): AsyncGenerator<DialogueOutput> {
    let stepInput = input;
    for (;;) {
      const at = this.#flow.performing;
      if (at === null || signal.aborted) return;
      const end = this.#steps ? yield* this.#steps.perform(at, stepInput, signal) : withoutContext(at);
      if (signal.aborted || end.kind === 'stays') return;
      stepInput = null;
      if (end.kind === 'leaves') yield* this.#say(this.#anywhere.leave(end.reason, null), signal);
      else {
        const { to, isLeaving } = end;
        yield* this.#say(isLeaving ? this.#flow.goToEnd(to) : this.#flow.goTo(to), signal);
      }
    }
  }
}
