import type { DialogueEvent, DialogueOutput, TurnInput } from '#dialogue/dialogue-manager.js';
import type { Transcript } from '#speech/stt.js';
import type { PerformingParts, StepEnd, StepInput } from './performing.js';
import type { Performing } from './playbook-walk.js';
import { sentencesOf } from '#playbook/values/spoken-language.js';
import { PressPerformer } from './press-performer.js';
import { StepMemory } from './step-memory.js';
import { StepRun } from './step-run.js';
import { TalkPerformer } from './talk-performer.js';
import { ToolPerformer } from './tool-performer.js';

/** The steps of a call that take long: talks with a model, tools, phone menus. */
export class PerformedSteps {
  readonly #parts: PerformingParts;
  readonly #talk: TalkPerformer;
  readonly #tool: ToolPerformer;
  readonly #press: PressPerformer;
  #hasSpoken = false;
  /** The last words of the phone menu, for the step after the keys. */
  #menu: Transcript | null = null;

  constructor(parts: Omit<PerformingParts, 'thread' | 'kept'>) {
    const kept = new StepMemory(parts.walk.memory);
    const filler = () => sentencesOf(parts.surroundings()).one_moment;
    this.#parts = { ...parts, kept, thread: new StepRun(parts.outside, filler) };
    const toolbox = parts.outside.openToolbox(kept);
    this.#talk = new TalkPerformer(this.#parts, toolbox);
    this.#tool = new ToolPerformer(this.#parts, toolbox);
    this.#press = new PressPerformer(this.#parts);
  }

  /** True if a model is available to read notes. */
  get hasModel(): boolean {
    return this.#parts.thread.rounds !== null;
  }

  /** See `DialogueManager.sumUp`. */
  async sumUp(signal: AbortSignal): Promise<string | null> {
    return (await this.#parts.thread.rounds?.sumUp(signal)) ?? null;
  }

  /** Starts a turn of the call, in whatever step. */
  beginTurn(input: TurnInput): void {
    const { thread, kept } = this.#parts;
    if (input.kind === 'transfer_failed') thread.tools.transferFailed();
    thread.beginTurn(input.kind === 'heard' ? input.transcript.text : '');
    kept.beginTurn();
    this.#talk.beginTurn();
    this.#tool.beginTurn();
    this.#menu = null;
  }

  /** Ends the turn. */
  endTurn(): void {
    this.#parts.thread.rounds?.turnEnds(this.#talk.brief);
  }

  /** Ends the call. */
  close(): void {
    this.#parts.thread.rounds?.close();
  }

  /** Records words of the playbook that are about to be spoken. */
  says(outputs: readonly DialogueOutput[]): void {
    this.#parts.thread.record(outputs);
    this.#hasSpoken ||= outputs.some(({ kind }) => kind === 'say');
  }

  note(event: DialogueEvent): void {
    const { thread, kept } = this.#parts;
    switch (event.kind) {
      case 'interrupted':
        thread.tools.interrupted((effect) => {
          return effect.kind === 'read_back' && this.#talk.heardReadBack(event.heard);
        });
        thread.history.interrupted(event.heard);
        return;
      case 'taken_back':
        thread.history.takenBack();
        this.#tool.takenBack();
        kept.redo();
        return;
      case 'overheard':
      case 'last_words':
        if (event.transcript.text.trim() !== '') thread.history.overhear(event.transcript.text);
        return;
      case 'said_for_agent':
        return thread.history.addSaid(event.text);
      case 'advised':
        return thread.history.advise(event.text);
      case 'hearing':
        thread.rounds?.hearing(event, (words) => this.#talk.briefOn(words));
        return;
      case 'screened':
    }
  }

  /** Returns a function that restores the present state. */
  bookmark(): () => void {
    const goBack = [this.#talk.bookmark(), this.#press.bookmark()];
    const hasSpoken = this.#hasSpoken;
    return () => {
      for (const back of goBack) back();
      this.#hasSpoken = hasSpoken;
    };
  }

  /** Performs one turn, or the rest of one, in a step. */
  async *perform(
    at: Performing,
    input: TurnInput | null,
    signal: AbortSignal,
  ): AsyncGenerator<DialogueOutput, StepEnd> {
    const end = yield* this.#performOne(at, this.#inputOf(input), signal);
    this.#hasSpoken = true;
    const heard = input?.kind === 'heard' ? input.transcript : null;
    this.#menu = at.step.kind === 'press' ? heard : null;
    return end;
  }

  #performOne(
    at: Performing,
    input: StepInput,
    signal: AbortSignal,
  ): AsyncGenerator<DialogueOutput, StepEnd> {
    const { step } = at;
    switch (step.kind) {
      case 'talk':
        return this.#talk.perform({ ...at, step }, input, signal);
      case 'tool':
        return this.#tool.perform(Object.assign(at, { step }), input, signal);
      case 'press':
        return this.#press.perform({ ...at, step }, input);
    }
  }

  /** @param input null if the call has reached the step in the turn in progress */
  #inputOf(input: TurnInput | null): StepInput {
    switch (input?.kind) {
      case 'heard':
      case 'silence':
      case 'transfer_failed':
      case 'returned':
        return input;
      default:
        return { kind: 'reached', isOpening: !this.#hasSpoken, heard: this.#menu };
    }
  }
}
