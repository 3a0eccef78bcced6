import type {
  DialogueEvent,
  DialogueManager,
  DialogueOutput,
  TurnInput,
} from '#dialogue/dialogue-manager.js';
import type { Outcome } from '#dialogue/outcome.js';
import type { Playbook } from '#playbook/definition/playbook.js';
import type { AgentRequest } from '#providers/agent-request.js';

/** The briefing of a person when none was written. */
const NO_BRIEFING = 'Somebody would like to talk with you.';
const GONE = 'I am sorry, the caller has hung up. Goodbye.';

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
 * The agent of a transfer call: the same voice, and a short dialogue that asks the person whether to take the caller.
 */
export function offering<Request extends Omit<AgentRequest, 'observer'>>(
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

/** Asks a person whether to take a caller, and joins the two lines if the person agrees. */
export class OfferDialogue implements DialogueManager {
  readonly #asking: DialogueManager;
  #isTaken = false;

  /** @param asking the dialogue manager that follows the playbook of {@link offering} */
  constructor(asking: DialogueManager) {
    this.#asking = asking;
  }

  async *turn(input: TurnInput, signal: AbortSignal): AsyncGenerator<DialogueOutput> {
    if (input.kind === 'transfer_failed') {
      yield { kind: 'say', text: GONE, interruptible: false };
      yield { kind: 'end' };
      return;
    }
    for await (const output of this.#asking.turn(input, signal)) {
      this.#isTaken = output.kind === 'end' && this.#asking.outcome().resolutionAchieved === true;
      yield this.#isTaken ? { kind: 'join' } : output;
    }
  }

  /** While the lines are joined, the agent does not receive what is said. */
  note(event: DialogueEvent): void {
    if (!this.#isTaken || event.kind === 'taken_back') this.#asking.note(event);
  }

  outcome(): Outcome {
    return this.#asking.outcome();
  }

  close(): void {
    this.#asking.close?.();
  }
}
