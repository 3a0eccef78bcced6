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

/** How often somebody is asked for another time to be called at, who names one that has passed. */
const MOST_TIMES_ASKED_WHEN = 2;
/** Answers to that question after which it is put again. */
const ASKED_AGAIN = new Set<Interpretation['kind']>(['unclear', 'not_possible', 'repeat', 'hold']);

interface WaysOutParts {
  /** What the playbook has for callers who want something else than to answer. */
  steps: NonNullable<Playbook['anywhere']>;
  /** Below this (0 to 1) an utterance counts as not understood. */
  minConfidence: number;
  surroundings: () => Surroundings;
}

/** The ways out of the usual course of a talk: callers leave, want to be called at another time, or want a person. */
export class WaysOut {
  readonly #walk: PlaybookWalk;
  readonly #steps: WaysOutParts['steps'];
  readonly #minConfidence: number;
  readonly #surroundings: () => Surroundings;
  /** Steps that were taken already; each is taken once. */
  #taken = new Set<string>();
  #awaitsWhen = false;
  #timesAskedWhen = 0;

  constructor(walk: PlaybookWalk, parts: WaysOutParts) {
    this.#walk = walk;
    this.#steps = parts.steps;
    this.#minConfidence = parts.minConfidence;
    this.#surroundings = parts.surroundings;
  }

  /** Whether the caller has just been asked when to be called instead. */
  get awaitsWhen(): boolean {
    return this.#awaitsWhen;
  }

  /** Ends because the caller wants to; what was reached before is kept unless the caller is plain about it. */
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

  /** What comes of the question when they are to be called. Who names no time is not kept: they have no time now. */
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

  /** Asks when they are to be called instead; the next reply is for {@link hearWhen}. */
  askWhen(): DialogueOutput[] {
    this.#awaitsWhen = true;
    return [...this.#walk.say('call_back_when'), { kind: 'listen', hints: { kind: 'time' } }];
  }

  /** The step that the playbook has for this; null when it has none, or when it was taken before. */
  take(reason: Leaving | 'person'): string | null {
    const step = this.#steps[reason];
    if (!step || this.#taken.has(reason)) return null;
    this.#taken.add(reason);
    return step;
  }

  /** Gives back how to return to where the talk stands now. */
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

  /** Counts how often they are asked for a time to be called at. */
  #mayAskWhen(): boolean {
    this.#timesAskedWhen += 1;
    return this.#timesAskedWhen <= MOST_TIMES_ASKED_WHEN;
  }
}
