import type { ConversationObserver } from './conversation.js';
import { moveFor, SHOWN_AS, type TalkAction, type TalkEvent, type TalkState } from './talk-machine.js';

/** Where one talk stands: it moves by the table of `talk-machine.ts`, and whoever watches is told. */
export class TalkProgress {
  readonly #observer: Pick<ConversationObserver, 'onState'>;
  #state: TalkState = 'opening';

  constructor(observer: Pick<ConversationObserver, 'onState'>) {
    this.#observer = observer;
  }

  get state(): TalkState {
    return this.#state;
  }

  /** Whether something said now would be answered. */
  get isCallersTurn(): boolean {
    return moveFor(this.#state, 'utterance')?.action === 'answer';
  }

  /** @returns what is to be done; null where the event changes nothing */
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
