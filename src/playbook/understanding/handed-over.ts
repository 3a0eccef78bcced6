import { bareYesNo, type Interpretation } from './interpret.js';
import { asksWho, isHandingOver } from '#playbook/answers/other-people.js';
import type { Language } from '#language/languages/language.js';
import { wordsOf } from '#language/words.js';

/**
 * Who is on the line: the one we began with, a service that screens calls and is about to be heard, or was heard,
 * somebody who is being fetched, or the one who has come.
 */
type Line = 'same' | 'screening' | 'screened' | 'fetching' | 'other';
type Reply = 'handed_over' | 'hold' | 'who' | 'said';

/** What a reply makes of it: the phone is handed over, a moment or who calls is asked for, or anything else is said. */
const LINE: Readonly<Record<Line, Readonly<Record<Reply, Line>>>> = {
  same: { handed_over: 'fetching', hold: 'same', who: 'same', said: 'same' },
  screening: { handed_over: 'screened', hold: 'screened', who: 'screened', said: 'screened' },
  screened: { handed_over: 'screened', hold: 'screened', who: 'screened', said: 'other' },
  fetching: { handed_over: 'fetching', hold: 'fetching', who: 'other', said: 'other' },
  other: { handed_over: 'fetching', hold: 'same', who: 'same', said: 'same' },
};
/** What somebody says who has just come to the phone, and has heard nothing of what was asked. */
const GREETINGS: ReadonlySet<Interpretation['kind']> = new Set(['repeat', 'unclear']);

/** Whether the phone has changed hands: whoever comes to it does not know who calls. */
export class HandedOver {
  #line: Line = 'same';

  /** Takes note of a reply, before it is answered. @param meaning what it means to the step that waits */
  hear(text: string, meaning: Interpretation): void {
    this.#line = LINE[this.#line][replyOf(text, meaning)];
  }

  /** The next reply is that of a service that screens calls. */
  screened(): void {
    this.#line = 'screening';
  }

  /** Whether the reply that was heard last is of such a service: it tells somebody of us, and answers nothing. */
  get isScreened(): boolean {
    return this.#line === 'screened';
  }

  /** Whether the reply that was heard last is the first one of somebody else. */
  get isNew(): boolean {
    return this.#line === 'other';
  }

  /**
   * Whether such a first reply only says that somebody is there: "Hello?", and "Yes?", unless we ask who it is.
   * @param asked the words of the question that waits
   * @param lists the language that is spoken, where it is read by its lists
   */
  isGreeting(text: string, meaning: Interpretation, asked: string, lists: Language | null = null): boolean {
    const isYes = bareYesNo(text, lists) === 'yes' && (lists !== null || isShort(text));
    return GREETINGS.has(meaning.kind) || (!asksWho(asked) && isYes);
  }

  /** Gives back how to return to who is on the line now. */
  bookmark(): () => void {
    const line = this.#line;
    return () => {
      this.#line = line;
    };
  }
}

function replyOf(text: string, { kind }: Interpretation): Reply {
  if (kind === 'hold') return isHandingOver(wordsOf(text)) ? 'handed_over' : 'hold';
  return kind === 'who' ? 'who' : 'said';
}

/** "Yes", "yes hello", "yeah who is it": but "yes I'll come" answers what was passed on. */
function isShort(text: string): boolean {
  return wordsOf(text).every((word) =>
    /^(?:yes|yeah|yep|hello|hi|hey|speaking|here|ok|okay|there)$/.test(word),
  );
}
