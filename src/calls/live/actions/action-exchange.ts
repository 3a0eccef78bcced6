import type { ModuleContext } from '#store/module-context.js';
import { isUnavailable, Problem } from '#kernel/errors/errors.js';
import { FailureLog } from '#kernel/log/failure-log.js';
import type { Clock } from '#kernel/time/clock.js';
import { PeriodicTask } from '#kernel/work/periodic-task.js';
import { retryWhileUnavailable } from '#kernel/work/retry-while-unavailable.js';
import { Tasks } from '#kernel/work/tasks.js';
import type { SteeringMode } from '#conversation/talk/conversation.js';
import type { CallNote } from '#calls/record/life-cycle-log.js';
import { actionTransactions, answersTo, requestsTo, type ActionRequest } from './action-store.js';
import { refusalOf, type ActionAnswer, type Actor, type CallAction, type Performed } from './call-action.js';

/** How often the table is read for requests and answers whose notification was lost. */
const POLL_EVERY_MS = 1_000;
/** The limit for a process to take a request. A healthy process takes it within milliseconds. */
const TAKE_TIMEOUT_MS = 3_000;
/** A request that has waited for longer is not taken any more. */
const MAX_AGE_MS = 10_000;
/** The limit for an action to be done. It exceeds the timeout of a transfer at a carrier. */
const ACTION_TIMEOUT_MS = 15_000;

/** The dependencies of {@link ActionExchange}. */
export interface ActionExchangeParts extends Pick<ModuleContext, 'store' | 'clock' | 'ids' | 'log'> {
  /** The id of this process. */
  nodeId: string;
  /** The number of calls that are live in this process; at 0 the table is not polled. */
  liveCalls(): number;
  /** Performs an action in a call that is live in this process. @throws Problem where it cannot be done */
  perform(request: ActionRequest): Promise<Performed>;
}

/** A request to the process that carries a call. */
export interface NewActionRequest {
  /** The id of the request: the same id repeats a request. A new id by default. */
  id?: string;
  callId: string;
  /** If given, the call must be an active one of this workspace. Otherwise the calling code has checked it. */
  workspace?: string;
  action: CallAction;
  /** The principal that requested the action; null for a carrier's report. */
  by: Actor | null;
  /** The limit in milliseconds for an action that takes long by itself. */
  doneWithinMs?: number;
  /** The limit in milliseconds for the other process to take the request. */
  takenWithinMs?: number;
}

/**
 * Passes actions on a live call, such as `mute` or `disconnect`, to the process that carries the call, and returns the
 * answer of that process. Requests and answers are rows of `call_actions`, so that each action is done at most once;
 * notifications of the database announce both within milliseconds. The exchange of each process also serves the
 * requests from others. Used by `Calls`, `CallSteering` and `CarrierReports`.
 */
export class ActionExchange {
  readonly #parts: ActionExchangeParts;
  /** Wakes the requests of this process that wait for an answer, by id. */
  readonly #waiting = new Map<string, () => void>();
  readonly #pollTask: PeriodicTask;
  readonly #tasks = new Tasks();
  readonly #failures: FailureLog;
  #stopListening = () => {};

  constructor(parts: ActionExchangeParts) {
    this.#parts = parts;
    this.#pollTask = new PeriodicTask(parts.clock, { everyMs: POLL_EVERY_MS, run: () => this.#poll() });
    const messages = {
      failed: 'what is asked of live calls here was not read',
      recovered: 'it is read again',
    };
    this.#failures = new FailureLog(messages, parts);
  }

  /** Starts to serve requests from other processes. */
  start(): void {
    const { store, nodeId } = this.#parts;
    const unsubscribes = [
      store.listen(requestsTo(nodeId), (id) => this.#tasks.add(this.#serve(id))),
      store.listen(answersTo(nodeId), (id) => this.#waiting.get(id)?.()),
    ];
    this.#stopListening = () => unsubscribes.forEach((stop) => stop());
    this.#pollTask.start();
  }

  /** Serves no more requests; resolves when the actions under way are done. */
  async stop(): Promise<void> {
    this.#stopListening();
    await this.#pollTask.stop();
    await this.#tasks.settled();
  }

  /**
   * Has an action performed in a call that another process carries. Resolves with the mode of the talk after the
   * action; null after an action that does not steer the talk.
   * @throws Problem the refusal of that process; `invalid_state` if that process is gone; `unavailable` after a
   *   timeout; `call_not_found` or `invalid_state` unless the call is an active one of `workspace`, if that is given
   */
  async ask(newRequest: NewActionRequest): Promise<SteeringMode | null> {
    const { store, clock, ids, nodeId } = this.#parts;
    const { id = ids.next('act'), callId, workspace = null, action, by } = newRequest;
    const actor = by && { id: by.id, name: by.name };
    const request = { id, callId, workspace, askedBy: nodeId, action, by: actor, at: clock.wallMs() };
    // Registered before the request is written, so that a fast answer is not missed.
    const wake = new WakeSignal(clock);
    this.#waiting.set(id, wake.up);
    try {
      if (!(await store.write(actionTransactions.ask, request))) throw notCarriedProblem();
      const answer = await this.#answerTo(id, newRequest, wake);
      if (answer.kind === 'refused') throw new Problem(answer.code, answer.message);
      return answer.mode;
    } finally {
      this.#waiting.delete(id);
    }
  }

  /**
   * Waits for the answer to a request. The answer is read from the table, at the latest once a second: its notification
   * may be lost. A request that is not taken in time is withdrawn, so that it is certainly not done.
   */
  async #answerTo(
    id: string,
    { takenWithinMs = TAKE_TIMEOUT_MS, doneWithinMs = ACTION_TIMEOUT_MS }: NewActionRequest,
    wake: WakeSignal,
  ): Promise<ActionAnswer> {
    const { store, clock } = this.#parts;
    const sinceMs = clock.monotonicMs();
    for (;;) {
      await wake.sleep(Math.min(POLL_EVERY_MS, takenWithinMs));
      const waitedMs = clock.monotonicMs() - sinceMs;
      const found = await store.read(actionTransactions.find, { id }).catch(nullIfUnavailable);
      if (found?.answer) return found.answer;
      if (found?.status === 'waiting' && waitedMs >= takenWithinMs) {
        // If it can no longer be withdrawn, the process has just taken it: its answer is awaited.
        if (await store.write(actionTransactions.withdraw, { id }))
          throw new Problem(
            'unavailable',
            'The process that carries this call does not answer: nothing was done.',
          );
      }
      if (waitedMs >= doneWithinMs)
        throw new Problem(
          'unavailable',
          'The process that carries this call does not say whether it was done.',
        );
    }
  }

  /** Serves the requests to this process whose notification was lost. */
  async #poll(): Promise<void> {
    const { store, clock, nodeId, liveCalls } = this.#parts;
    if (liveCalls() === 0) return;
    try {
      const since = clock.wallMs() - MAX_AGE_MS;
      const ids = await store.read(actionTransactions.waiting, { nodeId, since });
      for (const id of ids) this.#tasks.add(this.#serve(id));
      this.#failures.succeeded();
    } catch (error) {
      this.#failures.failed(error);
    }
  }

  /** Takes a request, performs its action and stores the answer; does nothing if the request was taken before. */
  async #serve(id: string): Promise<void> {
    const { store, clock, log, nodeId } = this.#parts;
    try {
      const since = clock.wallMs() - MAX_AGE_MS;
      const request = await store.write(actionTransactions.take, { id, nodeId, since });
      if (!request) return;
      const { answer, note } = await this.#perform(request);
      const answered = { id, askedBy: request.asked_by, answer, note };
      await retryWhileUnavailable(clock, () => store.write(actionTransactions.answer, answered));
    } catch (error) {
      // A request that was not taken is found by the next poll. If an answer was not stored, the asking process times
      // out.
      log.warn(
        { err: error, action_id: id },
        'what was asked of a live call here was not done or not answered',
      );
    }
  }

  /** Performs the action of a request; a failure becomes a refusal. */
  async #perform(request: ActionRequest): Promise<{ answer: ActionAnswer; note: CallNote | null }> {
    const { log, perform } = this.#parts;
    try {
      const { mode, note } = await perform(request);
      return { answer: { kind: 'done', mode }, note };
    } catch (error) {
      if (!(error instanceof Problem))
        log.error({ err: error, call_id: request.call_id }, 'what was asked of a live call here failed');
      return { answer: refusalOf(error), note: null };
    }
  }
}

/** Lets one task sleep until it is woken. A wake before the sleep ends the next sleep at once. */
class WakeSignal {
  readonly #clock: Clock;
  #isUp = false;
  #resume: () => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  readonly up = (): void => {
    this.#isUp = true;
    this.#resume();
  };

  /** Resolves when the task is woken, at the latest after `limitMs`. */
  async sleep(limitMs: number): Promise<void> {
    if (!this.#isUp)
      await new Promise<void>((resolve) => {
        const cancel = this.#clock.after(limitMs, resolve);
        this.#resume = () => {
          cancel();
          resolve();
        };
      });
    this.#isUp = false;
  }
}

/** Null while the database is unavailable: the next poll reads again. */
function nullIfUnavailable(error: unknown): null {
  if (isUnavailable(error)) return null;
  throw error;
}

/** The problem for a call whose audio is in no process. */
export function notCarriedProblem(): Problem {
  return new Problem(
    'invalid_state',
    'The call is not live: its process is gone, or it is just beginning or ending.',
  );
}
