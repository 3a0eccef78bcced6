import type {
  DialogueEvent,
  DialogueManager,
  DialogueOutput,
  TurnInput,
} from '#dialogue/dialogue-manager.js';
import type { Outcome } from '#dialogue/outcome.js';
import type { Playbook } from '#playbook/definition/playbook.js';
import type { AgentRequest } from '#providers/agent-request.js';

// The dialogue of a warm transfer with the person who is called: it briefs the person, and asks whether they take the
// caller. `AudioStreams` uses it for the call to the person.

/** The briefing if neither an operator nor a language model wrote one in time. */
const NO_BRIEFING = 'Somebody would like to talk with you.';
/** What the person hears if the caller is gone when the lines should be joined. */
const CALLER_GONE = 'I am sorry, the caller has hung up. Goodbye.';

/** The playbook of the offer; `initial_message` contains the briefing. */
const OFFER: Playbook = {
  start: 'offer',
  steps: {
    offer: {
      kind: 'ask',
      text: '{{initial_message}} To take the call, press 1 or say yes.',
      expect: { kind: 'yes_no' },
      answers: { yes: 'taken', no: 'refused' },
      retry: ['Do you take the call? Press 1 or say yes to take it, or press 2 or say no.'],
      otherwise: 'refused',
    },
    taken: { kind: 'end', text: 'Thank you. You are being connected.', resolution_achieved: true },
    refused: { kind: 'end', text: 'All right. Goodbye.', resolution_achieved: false },
  },
};

/**
 * The agent request for the call to the person: the caller's agent with the same voice, but with the playbook of the
 * offer and without tools.
 */
export function offerRequest<Request extends Omit<AgentRequest, 'observer'>>(
  request: Request,
  briefing: string | null,
): Request {
  const initialMessage = `Hello, there is a call for you. ${briefing ?? NO_BRIEFING}`;
  return {
    ...request,
    brief: { ...request.brief, initialMessage, systemPrompt: null },
    playbook: OFFER,
    tools: [],
  };
}

/**
 * The dialogue manager of the call to the person: follows the playbook of the offer, and asks the conversation to join
 * the two lines if the person agrees.
 */
export class OfferDialogue implements DialogueManager {
  readonly #playbookDialogue: DialogueManager;
  #isTaken = false;

  /** @param playbookDialogue the dialogue manager of the agent that {@link offerRequest} requests */
  constructor(playbookDialogue: DialogueManager) {
    this.#playbookDialogue = playbookDialogue;
  }

  /**
   * A turn of the offer's playbook. When the person agrees, the end of the playbook becomes the request to join the
   * lines. If they cannot be joined (`transfer_failed`), the person hears that the caller is gone.
   */
  async *turn(input: TurnInput, signal: AbortSignal): AsyncGenerator<DialogueOutput> {
    if (input.kind === 'transfer_failed') {
      yield { kind: 'say', text: CALLER_GONE, interruptible: false };
      yield { kind: 'end' };
      return;
    }
    for await (const output of this.#playbookDialogue.turn(input, signal)) {
      this.#isTaken = output.kind === 'end' && this.#playbookDialogue.outcome().resolutionAchieved === true;
      yield this.#isTaken ? { kind: 'join' } : output;
    }
  }

  /** While the lines are joined, the agent does not learn of the words between the two people. */
  note(event: DialogueEvent): void {
    if (!this.#isTaken || event.kind === 'taken_back') this.#playbookDialogue.note(event);
  }

  outcome(): Outcome {
    return this.#playbookDialogue.outcome();
  }

  close(): void {
    this.#playbookDialogue.close?.();
  }
}
