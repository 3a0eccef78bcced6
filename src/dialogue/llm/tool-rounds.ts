import type { DialogueObserver } from '#dialogue/dialogue-observer.js';
import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import type { Toolbox, ToolEffect, ToolResult, ToolRun } from '#dialogue/tools/toolbox.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Answer } from './model-answer.js';
import type { History, HistoryTurn, ToolUse } from './history.js';
import { LATE, waitFor } from './wait.js';

/** When the fillers of a running tool are said, one at each time after the start of the wait. */
const FILLER_TIMES_MS = [1_500, 5_000, 12_000, 20_000];
/** Interval of `flush` outputs, which keep `AgentTurn` from its timeout while a tool runs. */
const SIGN_OF_LIFE_MS = 10_000;

/** The result, for the model, of a tool call whose effect did not happen. */
const NOT_DONE = 'This was not done: the caller spoke before it happened.';
/** The result, for the model, of a tool call whose transfer failed. */
const NOT_CONNECTED = 'The transfer failed: nobody was connected.';

/** The dependencies of {@link ToolRounds}. */
interface ToolRoundsParts {
  history: History;
  clock: Clock;
  observer: DialogueObserver;
}

/** A tool call that runs; `whenDone` resolves after its result is recorded and reported. */
interface RunningTool {
  run: ToolRun;
  whenDone: Promise<ToolResult>;
}

/** The tool calls of one answer. */
interface Batch {
  uses: readonly ToolUse[];
  /** Effects requested by finished tools. */
  readonly effects: Map<ToolUse, ToolEffect>;
  /** True if the turn was cut before the effects happened. */
  isCut: boolean;
}

/**
 * Runs the tools that a model calls: each once and to its end, even if its turn is cut. Says fillers meanwhile, writes
 * the results into the history, and reports each call. Used by `AnswerRounds`, and by playbooks for tools of their
 * steps.
 */
export class ToolRounds {
  readonly #parts: ToolRoundsParts;
  readonly #running = new Set<RunningTool>();
  /** The batches of the last turn. */
  #batches: Batch[] = [];

  constructor(parts: ToolRoundsParts) {
    this.#parts = parts;
  }

  /** True while a tool runs, of any turn. */
  get isRunning(): boolean {
    return this.#running.size > 0;
  }

  /** Starts all tool calls of an answer at once. `effects` returns the effects that the tools have requested by now. */
  start(
    turn: HistoryTurn,
    { calls, providerData }: Pick<Answer, 'calls' | 'providerData'>,
    toolbox: Toolbox,
  ): { effects(): ToolEffect[] } {
    const uses = calls.map((call): ToolUse => ({ call, result: null }));
    const batch: Batch = { uses, effects: new Map(), isCut: false };
    this.#parts.history.addToolCalls(turn, uses, providerData);
    this.#batches.push(batch);
    for (const use of uses) void this.#track(use, batch, toolbox.run(use.call));
    return { effects: () => [...batch.effects.values()] };
  }

  /** Waits for all running tools, of earlier turns too, and says their fillers meanwhile. */
  async *waitForAll(turn: HistoryTurn, signal: AbortSignal): AsyncGenerator<DialogueOutput> {
    const { clock, history } = this.#parts;
    const beganMs = clock.monotonicMs();
    // The fillers of the tool that began first serve for all tools that run.
    const sentences = [...this.#running][0]?.run.sayWhile ?? [];
    let saidFillers = 0;
    let nextSignOfLife = 1;
    while (this.#running.size > 0 && !signal.aborted) {
      const passedMs = clock.monotonicMs() - beganMs;
      const sayAtMs = saidFillers < sentences.length ? (FILLER_TIMES_MS[saidFillers] ?? Infinity) : Infinity;
      const wakeAtMs = Math.min(sayAtMs, nextSignOfLife * SIGN_OF_LIFE_MS);
      const all = Promise.all([...this.#running].map(({ whenDone }) => whenDone));
      const outcome = await waitFor(all, Math.max(0, wakeAtMs - passedMs), clock);
      if (outcome !== LATE || signal.aborted) continue;
      if (wakeAtMs < sayAtMs) {
        nextSignOfLife += 1;
        yield { kind: 'flush' };
        continue;
      }
      const text = sentences[saidFillers++]!;
      history.addFiller(turn, text);
      yield { kind: 'say', text, interruptible: true };
    }
  }

  /** Runs a tool that a playbook calls, not a model: neither result nor effect is kept here. */
  runAlone(run: ToolRun): Promise<ToolResult> {
    const alone: Batch = { uses: [], effects: new Map(), isCut: false };
    return this.#track({ call: run.call, result: null }, alone, run);
  }

  /**
   * The last turn was cut: the effects of its tools do not happen.
   * @param hasHappened true for an effect whose beginning the caller has heard
   */
  interrupted(hasHappened: (effect: ToolEffect) => boolean = () => false): void {
    for (const batch of this.#batches) {
      batch.isCut = true;
      for (const [use, effect] of batch.effects) if (!hasHappened(effect)) use.result = NOT_DONE;
    }
  }

  /** A turn begins: the effects of the last one have happened by now, or never will. */
  turnBegins(): void {
    this.#batches = [];
  }

  /** The transfer that a tool requested failed: the model sees that as the tool's result. */
  transferFailed(): void {
    for (const { effects } of this.#batches) {
      for (const [use, effect] of effects) if (effect.kind === 'transfer') use.result = NOT_CONNECTED;
    }
  }

  /** Waits for a tool call: writes its result and effect, and reports it. */
  #track(use: ToolUse, batch: Batch, run: ToolRun): Promise<ToolResult> {
    const { clock, observer } = this.#parts;
    const startedAt = clock.wallMs();
    const beganMs = clock.monotonicMs();
    const { call } = use;
    const whenDone = run.done.then((result) => {
      if (result.effect) batch.effects.set(use, result.effect);
      use.result = result.effect && batch.isCut ? NOT_DONE : result.text;
      this.#running.delete(running);
      observer.onTool({
        id: call.id,
        name: call.name,
        arguments: call.arguments,
        status: result.status,
        result: result.text,
        startedAt,
        latencyMs: Math.round(clock.monotonicMs() - beganMs),
      });
      return result;
    });
    const running: RunningTool = { run, whenDone };
    this.#running.add(running);
    return whenDone;
  }
}
