import type { DialogueEvent, DialogueOutput, TurnInput } from '#dialogue/dialogue-manager.js';
import type { Transcript } from '#speech/stt.js';
import type { PerformerParts, StepEnd, StepInput } from './step-performer.js';
import type { StepVisit } from './playbook-flow.js';
import { standardSentences } from '#playbook/values/spoken-language.js';
import { PressPerformer } from './press-performer.js';
import { StepMemory } from './step-memory.js';
import { ModelSession } from './model-session.js';
import { TalkPerformer } from './talk-performer.js';
import { ToolPerformer } from './tool-performer.js';

/**
 * Performs the steps that wait for something outside of the playbook: `talk` (a language model), `tool` (a server),
 * `press` (a phone menu). `PlaybookSession` hands turns to it while the call is in one of these steps. Each kind has a
 * performer; this class holds the history and the tools that they share.
 */
export class PerformedSteps {
  readonly #parts: PerformerParts;
  readonly #talk: TalkPerformer;
  readonly #tool: ToolPerformer;
  readonly #press: PressPerformer;
  /** True once the agent has said something, or a step was performed. */
  #hasSpoken = false;
  /** The words that the phone menu said in this turn: the next press step may wait for them. */
  #menuWords: Transcript | null = null;

  constructor(parts: Omit<PerformerParts, 'session' | 'toolMemory'>) {
    const toolMemory = new StepMemory(parts.flow.memory);
    const filler = () => standardSentences(parts.readContext()).one_moment;
    this.#parts = { ...parts, toolMemory, session: new ModelSession(parts.context, filler) };
    const toolbox = parts.context.openToolbox(toolMemory);
    this.#talk = new TalkPerformer(this.#parts, toolbox);
    this.#tool = new ToolPerformer(this.#parts, toolbox);
    this.#press = new PressPerformer(this.#parts);
  }

  /** True if a language model is available. */
  get hasModel(): boolean {
    return this.#parts.session.rounds !== null;
  }

  /** See `DialogueManager.sumUp`. */
  async sumUp(signal: AbortSignal): Promise<string | null> {
    return (await this.#parts.session.rounds?.sumUp(signal)) ?? null;
  }

  /** Starts a turn of the call, in any step. */
  beginTurn(input: TurnInput): void {
    const { session, toolMemory } = this.#parts;
    if (input.kind === 'transfer_failed') session.tools.transferFailed();
    session.beginTurn(input.kind === 'heard' ? input.transcript.text : '');
    toolMemory.beginTurn();
    this.#talk.beginTurn();
    this.#tool.beginTurn();
    this.#menuWords = null;
  }

  /** Ends the turn: drops an unused prepared reply of the model, and has a long history summed up. */
  endTurn(): void {
    this.#parts.session.rounds?.turnEnds(this.#talk.brief);
  }

  /** Ends the call. */
  close(): void {
    this.#parts.session.rounds?.close();
  }

  /** Records texts of the playbook that are about to be spoken, for the history of the model. */
  recordTexts(outputs: readonly DialogueOutput[]): void {
    this.#parts.session.record(outputs);
    this.#hasSpoken ||= outputs.some(({ kind }) => kind === 'say');
  }

  /** Handles an event between turns; see `DialogueManager.note`. */
  note(event: DialogueEvent): void {
    const { session, toolMemory } = this.#parts;
    switch (event.kind) {
      case 'interrupted':
        session.tools.interrupted((effect) => {
          return effect.kind === 'read_back' && this.#talk.keepHeardReadBack(event.heard);
        });
        session.history.interrupted(event.heard);
        return;
      case 'taken_back':
        session.history.takenBack();
        this.#tool.takenBack();
        toolMemory.reapply();
        return;
      case 'overheard':
      case 'last_words':
        if (event.transcript.text.trim() !== '') session.history.addOverheard(event.transcript.text);
        return;
      case 'said_for_agent':
        return session.history.addOperatorWords(event.text);
      case 'advised':
        return session.history.addAdvice(event.text);
      case 'hearing':
        session.rounds?.takePartialWords(event, (words) => this.#talk.briefOn(words));
        return;
      case 'screened':
      // Concerns only the handover, which `PlaybookSession` handles.
    }
  }

  /** Returns a function that restores the present state, except for history and tools: see `taken_back` in `note`. */
  bookmark(): () => void {
    const restores = [this.#talk.bookmark(), this.#press.bookmark()];
    const hasSpoken = this.#hasSpoken;
    return () => {
      for (const restore of restores) restore();
      this.#hasSpoken = hasSpoken;
    };
  }

  /**
   * Performs one turn, or the rest of a turn, in a step.
   * @param input null if the call has reached the step in the turn in progress
   * @returns how the turn in the step ends
   */
  async *perform(
    at: StepVisit,
    input: TurnInput | null,
    signal: AbortSignal,
  ): AsyncGenerator<DialogueOutput, StepEnd> {
    const end = yield* this.#performOne(at, this.#inputOf(input), signal);
    this.#hasSpoken = true;
    const heard = input?.kind === 'heard' ? input.transcript : null;
    this.#menuWords = at.step.kind === 'press' ? heard : null;
    return end;
  }

  /** Hands an event to the performer of the step. */
  #performOne(at: StepVisit, input: StepInput, signal: AbortSignal): AsyncGenerator<DialogueOutput, StepEnd> {
    const { step } = at;
    switch (step.kind) {
      case 'talk':
        return this.#talk.perform({ ...at, step }, input, signal);
      case 'tool':
        // The same object: by it the performer recognises the visit in later turns.
        return this.#tool.perform(Object.assign(at, { step }), input, signal);
      case 'press':
        return this.#press.perform({ ...at, step }, input);
    }
  }

  /** The input of a step: a reply to it, or that the call has reached it. */
  #inputOf(input: TurnInput | null): StepInput {
    switch (input?.kind) {
      case 'heard':
      case 'silence':
      case 'transfer_failed':
      case 'returned':
        return input;
      default:
        return { kind: 'reached', isOpening: !this.#hasSpoken, heard: this.#menuWords };
    }
  }
}
