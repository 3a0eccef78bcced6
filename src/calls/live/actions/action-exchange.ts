import type { ModuleContext } from '#store/module-context.js';
import { isUnavailable, Problem } from '#kernel/errors/errors.js';
import { FailureLog } from '#kernel/log/failure-log.js';
import type { Clock } from '#kernel/time/clock.js';
import { PeriodicTask } from '#kernel/work/periodic-task.js';
import { retryWhileUnavailable } from '#kernel/work/retry-while-unavailable.js';
import { Tasks } from '#kernel/work/tasks.js';
import type { SteeringMode } from '#conversation/talk/conversation.js';
import { actionTransactions, answersTo, requestsTo, type ActionRequest } from './action-store.js';
import { refusalOf, type ActionAnswer, type Actor, type CallAction } from './call-action.js';

/** How often the table is read for actions and answers whose notification was lost, in milliseconds. */
const LOOK_EVERY_MS = 1_000;
/** A process that carries a call takes what it is asked within milliseconds; one that is frozen or gone does not. */
const TAKEN_WITHIN_MS = 3_000;
/** What has waited for longer than that is not begun any more. */
const BEGUN_WITHIN_MS = 10_000;
/** Longer than a carrier may take to hand a line over. */
const DONE_WITHIN_MS = 15_000;

export interface ActionExchangeParts extends Pick<ModuleContext, 'store' | 'clock' | 'ids' | 'log'> {
  nodeId: string;
  /** How many calls are live here: where none is, nothing is looked for. */
  liveCalls(): number;
  /** Does what is asked, in a call that is live here. @throws Problem where it cannot be done */
  perform(request: ActionRequest): Promise<SteeringMode | null>;
}

/** What is asked of the process that carries a call. */
export interface ActionQuestion {
  /** The same for a request that is repeated; a new one unless said. */
  id?: string;
  callId: string;
  action: CallAction;
  by: Actor | null;
  /** For actions that take long by themselves. */
  doneWithinMs?: number;
  takenWithinMs?: number;
}

/**
 * Passes what is to be done in a live call to the process that carries the call, and its answer back: by rows, so that
 * each is done at most once, and with notices beside them, so that it takes milliseconds.
 */
export class ActionExchange {
  readonly #parts: ActionExchangeParts;
  /** Wakes the questions that wait for an answer, by id. */
  readonly #waiting = new Map<string, () => void>();
  readonly #rounds: PeriodicTask;
  readonly #tasks = new Tasks();
  readonly #failures: FailureLog;
  #stopListening = () => {};

  constructor(parts: ActionExchangeParts) {
    this.#parts = parts;
    this.#rounds = new PeriodicTask(parts.clock, { everyMs: LOOK_EVERY_MS, run: () => this.#look() });
    const messages = {
      failed: 'what is asked of live calls here was not read',
      recovered: 'it is read again',
    };
    this.#failures = new FailureLog(messages, parts);
  }

  start(): void {
    const { store, nodeId } = this.#parts;
    const leave = [
      store.listen(requestsTo(nodeId), (id) => this.#tasks.add(this.#serve(id))),
      store.listen(answersTo(nodeId), (id) => this.#waiting.get(id)?.()),
    ];
    this.#stopListening = () => leave.forEach((stop) => stop());
    this.#rounds.start();
  }

  /** Resolves when nothing is being done any more. */
  async stop(): Promise<void> {
    this.#stopListening();
    await this.#rounds.stop();
    await this.#tasks.settled();
  }

  /**
   * Has an action done in a call that another process carries; resolves with how the talk stands then.
   * @throws Problem of that process; `invalid_state` where it is gone; `unavailable` where it says nothing in time
   */
  async ask(question: ActionQuestion): Promise<SteeringMode | null> {
    const { store, clock, ids, nodeId } = this.#parts;
    const { id = ids.next('act'), callId, action, by } = question;
    const actor = by && { id: by.id, name: by.name };
    const named = { id, callId, askedBy: nodeId, action, by: actor, at: clock.wallMs() };
    const wake = new Wake(clock);
    this.#waiting.set(id, wake.up);
    try {
      if (!(await store.write(actionTransactions.ask, named))) throw carriedByNone();
      const answer = await this.#answerTo(id, question, wake);
      if (answer.kind === 'refused') throw new Problem(answer.code, answer.message);
      return answer.mode;
    } finally {
      this.#waiting.delete(id);
    }
  }

  async #answerTo(
    id: string,
    { takenWithinMs = TAKEN_WITHIN_MS, doneWithinMs = DONE_WITHIN_MS }: ActionQuestion,
    wake: Wake,
  ): Promise<ActionAnswer> {
    const { store, clock } = this.#parts;
    const sinceMs = clock.monotonicMs();
    for (;;) {
      await wake.within(Math.min(LOOK_EVERY_MS, takenWithinMs));
      const forMs = clock.monotonicMs() - sinceMs;
      const found = await store.read(actionTransactions.find, { id }).catch(unlessUnavailable);
      if (found?.answer) return found.answer;
      if (found?.status === 'waiting' && forMs >= takenWithinMs) {
        if (await store.write(actionTransactions.withdraw, { id }))
          throw new Problem(
            'unavailable',
            'The process that carries this call does not answer: nothing was done.',
          );
      }
      if (forMs >= doneWithinMs)
        throw new Problem(
          'unavailable',
          'The process that carries this call does not say whether it was done.',
        );
    }
  }

  /** Reads the table for actions and answers whose notification was lost. */
  async #look(): Promise<void> {
    const { store, clock, nodeId, liveCalls } = this.#parts;
    if (liveCalls() === 0) return;
    try {
      const since = clock.wallMs() - BEGUN_WITHIN_MS;
      const ids = await store.read(actionTransactions.waiting, { nodeId, since });
      for (const id of ids) this.#tasks.add(this.#serve(id));
      this.#failures.worked();
    } catch (error) {
      this.#failures.failed(error);
    }
  }

  /** Does what a request asks for, unless it was taken before. */
  async #serve(id: string): Promise<void> {
    const { store, clock, log, nodeId } = this.#parts;
    try {
      const since = clock.wallMs() - BEGUN_WITHIN_MS;
      const request = await store.write(actionTransactions.take, { id, nodeId, since });
      if (!request) return;
      const answer = await this.#perform(request);
      const answered = { id, askedBy: request.asked_by, answer };
      await retryWhileUnavailable(clock, () => store.write(actionTransactions.answer, answered));
    } catch (error) {
      // One that was not taken is found again; the answer of one that was done is missed by its process alone.
      log.warn(
        { err: error, action_id: id },
        'what was asked of a live call here was not done or not answered',
      );
    }
  }

  async #perform(request: ActionRequest): Promise<ActionAnswer> {
    const { log, perform } = this.#parts;
    try {
      return { kind: 'done', mode: await perform(request) };
    } catch (error) {
      if (!(error instanceof Problem))
        log.error({ err: error, call_id: request.call_id }, 'what was asked of a live call here failed');
      return refusalOf(error);
    }
  }
}

/** Lets one task sleep until it is woken; being woken before counts. */
class Wake {
  readonly #clock: Clock;
  #isUp = false;
  #rise: () => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  readonly up = (): void => {
    this.#isUp = true;
    this.#rise();
  };

  /** Resolves when it is woken, at the latest after `limitMs`. */
  async within(limitMs: number): Promise<void> {
    if (!this.#isUp)
      await new Promise<void>((resolve) => {
        const cancel = this.#clock.after(limitMs, resolve);
        this.#rise = () => {
          cancel();
          resolve();
        };
      });
    this.#isUp = false;
  }
}

function unlessUnavailable(error: unknown): null {
  if (isUnavailable(error)) return null;
  throw error;
}

/** Its audio is not here, and at no other process. */
export function carriedByNone(): Problem {
  return new Problem(
    'invalid_state',
    'The call is not live: its process is gone, or it is just beginning or ending.',
  );
}
