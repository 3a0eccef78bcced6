import { bareYesNo, type Interpretation } from './interpret.js';
import { asksForIdentity, isHandingOver } from '#playbook/answers/third-parties.js';
import type { Language } from '#language/languages/language.js';
import { wordsOf } from '#language/words.js';

/**
 * Who speaks: the original person (`same`), a call-screening service before or after its reply (`screening`,
 * `screened`), the person who fetches another person (`fetching`), or that other person with the first words (`other`).
 * From the second reply on, the other person counts as the original person.
 */
type OnTheLine = 'same' | 'screening' | 'screened' | 'fetching' | 'other';
/** What a reply shows: the person fetches another person, asks to wait, asks who is calling, or says anything else. */
type ReplyKind = 'handed_over' | 'hold' | 'who' | 'said';

/** The next state by state and kind of reply. */
const NEXT_ON_THE_LINE: Readonly<Record<OnTheLine, Readonly<Record<ReplyKind, OnTheLine>>>> = {
  same: { handed_over: 'fetching', hold: 'same', who: 'same', said: 'same' },
  screening: { handed_over: 'screened', hold: 'screened', who: 'screened', said: 'screened' },
  screened: { handed_over: 'screened', hold: 'screened', who: 'screened', said: 'other' },
  fetching: { handed_over: 'fetching', hold: 'fetching', who: 'other', said: 'other' },
  other: { handed_over: 'fetching', hold: 'same', who: 'same', said: 'same' },
};
/** The meanings of typical first replies, such as "Hello?", of a person who has not heard the question. */
const GREETINGS: ReadonlySet<Interpretation['kind']> = new Set(['repeat', 'unclear']);

/**
 * Tracks whether another person has come to the phone. That person does not know who is calling, so the agent
 * introduces itself again. `PlaybookSession` and `TalkPerformer` note the replies of the caller here.
 */
export class Handover {
  #onTheLine: OnTheLine = 'same';

  /**
   * Notes a reply, before it is answered.
   * @param meaning the meaning of the reply as an answer to the open step
   */
  noteReply(text: string, meaning: Interpretation): void {
    this.#onTheLine = NEXT_ON_THE_LINE[this.#onTheLine][replyKindOf(text, meaning)];
  }

  /** Notes that the next reply comes from a call-screening service. */
  expectScreening(): void {
    this.#onTheLine = 'screening';
  }

  /** True if the last reply came from a call-screening service, which answers no question. */
  get isScreening(): boolean {
    return this.#onTheLine === 'screened';
  }

  /** True if the last reply was the first one of another person. */
  get isNewPerson(): boolean {
    return this.#onTheLine === 'other';
  }

  /**
   * True if the first reply of a person only shows that they are there: "Hello?", or "Yes?" unless the agent asked who
   * is speaking.
   * @param asked the text of the waiting question
   * @param lists the language of the call if it is read by word lists, else null
   */
  isGreeting(text: string, meaning: Interpretation, asked: string, lists: Language | null = null): boolean {
    const isYes = bareYesNo(text, lists) === 'yes' && (lists !== null || isGreetingWords(text));
    return GREETINGS.has(meaning.kind) || (!asksForIdentity(asked) && isYes);
  }

  /** Returns a function that restores the present state. */
  bookmark(): () => void {
    const onTheLine = this.#onTheLine;
    return () => {
      this.#onTheLine = onTheLine;
    };
  }
}

/** The kind of a reply, as far as it shows who is on the line. */
function replyKindOf(text: string, { kind }: Interpretation): ReplyKind {
  if (kind === 'hold') return isHandingOver(wordsOf(text)) ? 'handed_over' : 'hold';
  return kind === 'who' ? 'who' : 'said';
}

/** True for "yes" and "yes hello". "Yes I'll come" is longer: it answers a question that was passed on. */
function isGreetingWords(text: string): boolean {
  return wordsOf(text).every((word) =>
    /^(?:yes|yeah|yep|hello|hi|hey|speaking|here|ok|okay|there)$/.test(word),
  );
}
