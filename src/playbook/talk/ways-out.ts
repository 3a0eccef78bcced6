import type { DateTime } from 'luxon';
import type { Transcript } from '#speech/stt.js';
import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import { instantOf, sayMoment } from './call-back-moment.js';
import { bareYesNo, type Interpretation } from '#playbook/understanding/interpret.js';
import type { Playbook } from '#playbook/book/playbook.js';
import type { PlaybookWalk } from './playbook-walk.js';
import type { Leaving } from '#playbook/understanding/requests.js';
import { readMoment } from '#playbook/values/times/read-moment.js';
import { listsOf } from '#playbook/values/spoken-language.js';
import { readMomentByLists, sayMomentByLists } from '#playbook/values/values-by-lists.js';
import type { Surroundings } from '#playbook/values/value.js';

/** How often a caller is asked for a call-back time. */
const MOST_TIMES_ASKED_WHEN = 2;
/** Meanings after which the question for a call-back time is asked again. */
const ASKED_AGAIN = new Set<Interpretation['kind']>(['unclear', 'not_possible', 'repeat', 'hold']);

interface WaysOutParts {
  /** The `anywhere` steps of the playbook. */
  steps: NonNullable<Playbook['anywhere']>;
  /** Utterances below this confidence (0 to 1) count as not understood. */
  minConfidence: number;
  surroundings: () => Surroundings;
}

/** The ways out of the normal course: the caller leaves, wants a call at another time, or asks for a person. */
export class WaysOut {
  readonly #walk: PlaybookWalk;
  readonly #steps: WaysOutParts['steps'];
  readonly #minConfidence: number;
  readonly #surroundings: () => Surroundings;
  /** Steps already taken; each is taken once. */
  #taken = new Set<string>();
  #awaitsWhen = false;
  #timesAskedWhen = 0;

  constructor(walk: PlaybookWalk, parts: WaysOutParts) {
    this.#walk = walk;
    this.#steps = parts.steps;
    this.#minConfidence = parts.minConfidence;
    this.#surroundings = parts.surroundings;
  }

  /** True if the caller has just been asked for a call-back time. */
  get awaitsWhen(): boolean {
    return this.#awaitsWhen;
  }

  /** Ends the call at the caller's request. The outcome so far stays, except after an opt-out or a wrong number. */
  leave(reason: Leaving, moment: DateTime | null): DialogueOutput[] {
    const { memory } = this.#walk;
    if (reason === 'do_not_call' || reason === 'wrong_number') memory.takeBack();
    const { now } = this.#surroundings();
    memory.leave(reason, { hasTime: moment !== null && moment > now });
    const timeZone = now.zoneName!;
    if (reason === 'later' && moment !== null && moment > now) {
      const said = this.#say(moment, now);
      memory.set('call_back_at', said);
      memory.agree({ kind: 'call_back', at: instantOf(moment), timeZone, said });
      return this.#walk.close(this.#walk.say(memory.isReachable ? 'later_at' : 'no_number'));
    }
    if (reason === 'later') memory.agree({ kind: 'call_back', at: null, timeZone, said: '' });
    if (moment !== null && this.#mayAskWhen()) return [...this.#walk.say('time_passed'), ...this.askWhen()];
    const way = this.take(reason);
    return way === null ? this.#walk.close(this.#walk.say(reason)) : this.#walk.goTo(way);
  }

  /** Handles the reply to the question for a call-back time. A caller who names no time is not asked at length. */
  hearWhen(heard: Transcript, meaning: Interpretation): DialogueOutput[] {
    this.#awaitsWhen = false;
    if (meaning.kind === 'leaving' && (meaning.reason !== 'later' || meaning.moment !== null))
      return this.leave(meaning.reason, meaning.moment);
    const isHeard = heard.confidence >= this.#minConfidence;
    const moment = isHeard ? this.#momentIn(heard.text) : null;
    const isNo = bareYesNo(heard.text, listsOf(this.#surroundings())) === 'no';
    const isOpen = moment === null && ASKED_AGAIN.has(meaning.kind) && !isNo;
    if (isOpen && this.#mayAskWhen()) return this.askWhen();
    return this.leave('later', moment);
  }

  /** Asks for a call-back time; the next reply is for {@link hearWhen}. */
  askWhen(): DialogueOutput[] {
    this.#awaitsWhen = true;
    return [...this.#walk.say('call_back_when'), { kind: 'listen', hints: { kind: 'time' } }];
  }

  /** The playbook's step for this reason; null if there is none or it was taken before. */
  take(reason: Leaving | 'person'): string | null {
    const step = this.#steps[reason];
    if (!step || this.#taken.has(reason)) return null;
    this.#taken.add(reason);
    return step;
  }

  /** Returns a function that restores the present state. */
  bookmark(): () => void {
    const [taken, awaitsWhen, timesAskedWhen] = [
      new Set(this.#taken),
      this.#awaitsWhen,
      this.#timesAskedWhen,
    ];
    return () => {
      [this.#taken, this.#awaitsWhen, this.#timesAskedWhen] = [taken, awaitsWhen, timesAskedWhen];
    };
  }

  #momentIn(text: string): DateTime | null {
    const { now, ...spoken } = this.#surroundings();
    const lists = listsOf(spoken);
    return lists ? readMomentByLists(lists, text, now) : readMoment(text, now, { anchored: false });
  }

  #say(moment: DateTime, now: DateTime): string {
    const { language } = this.#surroundings();
    return language && listsOf({ language })
      ? sayMomentByLists(language.tag, moment, now)
      : sayMoment(moment, now);
  }

  /** True if the caller may be asked for a time once more; counts the question. */
  #mayAskWhen(): boolean {
    this.#timesAskedWhen += 1;
    return this.#timesAskedWhen <= MOST_TIMES_ASKED_WHEN;
  }
}
