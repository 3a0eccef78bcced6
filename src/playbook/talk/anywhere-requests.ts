import type { DateTime } from 'luxon';
import type { Transcript } from '#speech/stt.js';
import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import { instantOf, spokenMoment } from './call-back-time.js';
import { bareYesNo, type Interpretation } from '#playbook/understanding/interpret.js';
import type { Playbook } from '#playbook/definition/playbook.js';
import type { PlaybookFlow } from './playbook-flow.js';
import type { LeaveReason } from '#playbook/understanding/requests.js';
import { readCallBackTime } from '#playbook/values/times/read-call-back-time.js';
import { wordListLanguage } from '#playbook/values/spoken-language.js';
import { readCallBackTimeByLists, spokenMomentByLists } from '#playbook/values/values-by-lists.js';
import type { ReadContext } from '#playbook/values/value.js';

/** How often one call asks for a call-back time, without the repetitions after silence. */
const MAX_TIMES_ASKED = 2;
/** Meanings of a reply after which the question for a call-back time is asked again. */
const ASKED_AGAIN = new Set<Interpretation['kind']>(['unclear', 'not_possible', 'repeat', 'hold']);

/** The dependencies of {@link AnywhereRequests}. */
interface AnywhereParts {
  /** The `anywhere` steps of the playbook. */
  steps: NonNullable<Playbook['anywhere']>;
  /** Utterances below this confidence (0 to 1) count as not understood. */
  minConfidence: number;
  readContext: () => ReadContext;
}

/**
 * Handles requests that callers may make at any question: to end the call, to be called another time, to talk to a
 * person. A playbook may have a step for each of them (`anywhere`); without it the agent says a standard sentence.
 */
export class AnywhereRequests {
  readonly #flow: PlaybookFlow;
  readonly #steps: AnywhereParts['steps'];
  readonly #minConfidence: number;
  readonly #readContext: () => ReadContext;
  /** Requests whose step was taken; each step is taken once per call. */
  #taken = new Set<string>();
  #awaitsCallBackTime = false;
  /** How often the caller was asked for a call-back time. */
  #timesAsked = 0;

  constructor(flow: PlaybookFlow, parts: AnywhereParts) {
    this.#flow = flow;
    this.#steps = parts.steps;
    this.#minConfidence = parts.minConfidence;
    this.#readContext = parts.readContext;
  }

  /** True if the caller was just asked for a call-back time: the next reply goes to {@link hearCallBackTime}. */
  get awaitsCallBackTime(): boolean {
    return this.#awaitsCallBackTime;
  }

  /**
   * Handles a request to end the call. A call-back at a future `moment` is agreed on, and the call ends. For a `moment`
   * that has passed, the agent first asks for another time. Any other request leads to its step in the playbook, or
   * without a step to the end of the call. The outcome so far stays, except after an opt-out or a wrong number.
   * @param moment when the caller wants to be called; null if not said
   */
  leave(reason: LeaveReason, moment: DateTime | null): DialogueOutput[] {
    const { memory } = this.#flow;
    if (reason === 'do_not_call' || reason === 'wrong_number') memory.clearOutcome();
    const { now } = this.#readContext();
    memory.leave(reason, { hasTime: moment !== null && moment > now });
    const timeZone = now.zoneName!;
    if (reason === 'later' && moment !== null && moment > now) {
      const said = this.#spokenTime(moment, now);
      memory.set('call_back_at', said);
      memory.agree({ kind: 'call_back', at: instantOf(moment), timeZone, said });
      return this.#flow.close(this.#flow.say(memory.isReachable ? 'later_at' : 'no_number'));
    }
    if (reason === 'later') memory.agree({ kind: 'call_back', at: null, timeZone, said: '' });
    if (moment !== null && this.#takeAttempt())
      return [...this.#flow.say('time_passed'), ...this.askCallBackTime()];
    const step = this.take(reason);
    return step === null ? this.#flow.close(this.#flow.say(reason)) : this.#flow.goTo(step);
  }

  /**
   * Handles the reply to the question for a call-back time. An unclear reply is followed by the question again. After
   * the last attempt it counts, as a "no" does, as a request for a call without a time.
   */
  hearCallBackTime(heard: Transcript, meaning: Interpretation): DialogueOutput[] {
    this.#awaitsCallBackTime = false;
    if (meaning.kind === 'leaving' && (meaning.reason !== 'later' || meaning.moment !== null))
      return this.leave(meaning.reason, meaning.moment);
    const isConfident = heard.confidence >= this.#minConfidence;
    const moment = isConfident ? this.#callBackTimeIn(heard.text) : null;
    const isNo = bareYesNo(heard.text, wordListLanguage(this.#readContext())) === 'no';
    const isUnclear = moment === null && ASKED_AGAIN.has(meaning.kind) && !isNo;
    if (isUnclear && this.#takeAttempt()) return this.askCallBackTime();
    return this.leave('later', moment);
  }

  /** Asks for a call-back time. */
  askCallBackTime(): DialogueOutput[] {
    this.#awaitsCallBackTime = true;
    return [...this.#flow.say('call_back_when'), { kind: 'listen', hints: { kind: 'time' } }];
  }

  /** The name of the playbook's step for a request, which counts as taken; null if there is none, or it was taken. */
  take(reason: LeaveReason | 'person'): string | null {
    const step = this.#steps[reason];
    if (!step || this.#taken.has(reason)) return null;
    this.#taken.add(reason);
    return step;
  }

  /** Returns a function that restores the present state. */
  bookmark(): () => void {
    const [taken, awaitsCallBackTime, timesAsked] = [
      new Set(this.#taken),
      this.#awaitsCallBackTime,
      this.#timesAsked,
    ];
    return () => {
      [this.#taken, this.#awaitsCallBackTime, this.#timesAsked] = [taken, awaitsCallBackTime, timesAsked];
    };
  }

  /** The call-back time in a reply to the question for it; null if it names none. */
  #callBackTimeIn(text: string): DateTime | null {
    const { now, ...withLanguage } = this.#readContext();
    const lists = wordListLanguage(withLanguage);
    return lists
      ? readCallBackTimeByLists(lists, text, now)
      : readCallBackTime(text, now, { anchored: false });
  }

  /** A time in spoken form, in the language of the call. */
  #spokenTime(moment: DateTime, now: DateTime): string {
    const { language } = this.#readContext();
    return language && wordListLanguage({ language })
      ? spokenMomentByLists(language.tag, moment, now)
      : spokenMoment(moment, now);
  }

  /** Counts an attempt to ask for a time; false if there were too many. */
  #takeAttempt(): boolean {
    this.#timesAsked += 1;
    return this.#timesAsked <= MAX_TIMES_ASKED;
  }
}
