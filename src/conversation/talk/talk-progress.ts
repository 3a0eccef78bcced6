import type { ConversationObserver } from './conversation.js';
import { moveFor, SHOWN_AS, type TalkAction, type TalkEvent, type TalkState } from './talk-machine.js';

/** The state of one conversation, which moves by the table of `talk-machine.ts`. The observer sees each change. */
export class TalkProgress {
  readonly #observer: Pick<ConversationObserver, 'onState'>;
  #state: TalkState = 'opening';

  constructor(observer: Pick<ConversationObserver, 'onState'>) {
    this.#observer = observer;
  }

  get state(): TalkState {
    return this.#state;
  }

  /** True if speech would be answered now. */
  get isCallersTurn(): boolean {
    return moveFor(this.#state, 'utterance')?.action === 'answer';
  }

  /** @returns the action to take; null if the event is ignored */
  take(event: TalkEvent): TalkAction | null {
    const move = moveFor(this.#state, event);
    if (!move) return null;
    const shownBefore = SHOWN_AS[this.#state];
    this.#state = move.to;
    const shown = SHOWN_AS[move.to];
    if (shown && shown !== shownBefore) this.#observer.onState(shown);
    return move.action;
  }

  end(): void {
    this.#state = 'ended';
  }
}
