import { bareYesNo, type Interpretation } from './interpret.js';
import { asksWho, isHandingOver } from '#playbook/answers/other-people.js';
import type { Language } from '#language/languages/language.js';
import { wordsOf } from '#language/words.js';

/**
 * Who is on the line: the original person, a call-screening service before or after its reply, a person who is being
 * fetched, or the one who came.
 */
type Line = 'same' | 'screening' | 'screened' | 'fetching' | 'other';
type Reply = 'handed_over' | 'hold' | 'who' | 'said';

/**
 * The next state by kind of reply: the phone is handed over, the speaker asks to wait or who is calling, or says
 * anything else.
 */
const LINE: Readonly<Record<Line, Readonly<Record<Reply, Line>>>> = {
  same: { handed_over: 'fetching', hold: 'same', who: 'same', said: 'same' },
  screening: { handed_over: 'screened', hold: 'screened', who: 'screened', said: 'screened' },
  screened: { handed_over: 'screened', hold: 'screened', who: 'screened', said: 'other' },
  fetching: { handed_over: 'fetching', hold: 'fetching', who: 'other', said: 'other' },
  other: { handed_over: 'fetching', hold: 'same', who: 'same', said: 'same' },
};
/** Typical replies of a person who has just come to the phone and has not heard the question. */
const GREETINGS: ReadonlySet<Interpretation['kind']> = new Set(['repeat', 'unclear']);

/** Tracks whether the phone has changed hands: a person who comes to it does not know who is calling. */
export class HandedOver {
  #line: Line = 'same';

  /**
   * Takes note of a reply before it is answered.
   * @param meaning the meaning of the reply to the waiting step
   */
  hear(text: string, meaning: Interpretation): void {
    this.#line = LINE[this.#line][replyOf(text, meaning)];
  }

  /** The next reply comes from a call-screening service. */
  screened(): void {
    this.#line = 'screening';
  }

  /** True if the last reply came from a call-screening service. It answers no question. */
  get isScreened(): boolean {
    return this.#line === 'screened';
  }

  /** True if the last reply is the first one of another person. */
  get isNew(): boolean {
    return this.#line === 'other';
  }

  /**
   * True if a first reply only shows that a person is there: "Hello?", or "Yes?" unless the question asks who it is.
   * @param asked the text of the waiting question
   * @param lists the language of the call if it is read by word lists, else null
   */
  isGreeting(text: string, meaning: Interpretation, asked: string, lists: Language | null = null): boolean {
    const isYes = bareYesNo(text, lists) === 'yes' && (lists !== null || isShort(text));
    return GREETINGS.has(meaning.kind) || (!asksWho(asked) && isYes);
  }

  /** Returns a function that restores the present state. */
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

/** "Yes", "yes hello", "yeah who is it"; "yes I'll come" answers a question that was passed on. */
function isShort(text: string): boolean {
  return wordsOf(text).every((word) =>
    /^(?:yes|yeah|yep|hello|hi|hey|speaking|here|ok|okay|there)$/.test(word),
  );
}
