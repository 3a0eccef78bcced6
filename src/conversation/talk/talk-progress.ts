import type { ConversationObserver } from './conversation.js';
import { transitionFor, SHOWN_AS, type TalkAction, type TalkEvent, type TalkState } from './talk-machine.js';

/**
 * The state of one conversation, which changes by the table of `talk-machine.ts`. Reports changes to the observer. Used
 * by `LiveConversation`.
 */
export class TalkProgress {
  readonly #observer: Pick<ConversationObserver, 'onState'>;
  #state: TalkState = 'opening';

  constructor(observer: Pick<ConversationObserver, 'onState'>) {
    this.#observer = observer;
  }

  get state(): TalkState {
    return this.#state;
  }

  /** True if the agent would answer an utterance that ends now. */
  get isCallersTurn(): boolean {
    return transitionFor(this.#state, 'utterance')?.action === 'answer';
  }

  /**
   * Changes the state by an event of the conversation. Returns the action to carry out; null if the state ignores the
   * event.
   */
  takeEvent(event: TalkEvent): TalkAction | null {
    const transition = transitionFor(this.#state, event);
    if (!transition) return null;
    const shownBefore = SHOWN_AS[this.#state];
    this.#state = transition.to;
    const shown = SHOWN_AS[transition.to];
    if (shown && shown !== shownBefore) this.#observer.onState(shown);
    return transition.action;
  }

  /** Ends the conversation from any state. */
  end(): void {
    this.#state = 'ended';
  }
}
