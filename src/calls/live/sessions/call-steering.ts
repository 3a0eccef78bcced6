import type { Principal } from '#access/keys/principal.js';
import { Problem } from '#kernel/errors/errors.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Store } from '#store/store.js';
import type { SteeringMode } from '#conversation/talk/conversation.js';
import type { WarmTransfer } from '#dialogue/dialogue-manager.js';
import type { CarrierPool } from '#telephony/carrier-pool.js';
import { requireCall } from '#calls/record/call-rows.js';
import type { CallRow } from '#calls/record/call.js';
import { talkTransactions } from '#calls/talk/talk-store.js';
import { defineTransactions } from '#store/transaction.js';
import type { LiveSession } from './live-session.js';
import type { LiveSessions } from './live-sessions.js';

/** The actions of people in a live call, as its life-cycle log names them. */
export type SteeringAction =
  | 'say'
  | 'context'
  | 'mute'
  | 'unmute'
  | 'hold'
  | 'resume'
  | 'take_over'
  | 'hand_back'
  | 'whisper'
  | 'transfer'
  | 'warm_transfer'
  | 'digits'
  | 'disconnect';

/** The state of a call after an action. */
export interface Steered {
  callId: string;
  mode: SteeringMode;
  /** The socket under the call's path that accepts a microphone now; null for none. */
  socket: 'speak' | 'whisper' | null;
}

const steeringTransactions = defineTransactions('steering', {
  /** @throws Problem `call_not_found` */
  async call(tx, args: { workspace: string; id: string }): Promise<CallRow> {
    return requireCall(tx, args);
  },
});

export interface CallSteeringParts {
  store: Store;
  clock: Clock;
  sessions: Pick<LiveSessions, 'get'>;
  carriers: CarrierPool;
}

/** Steering of live calls by a person: make the agent say something, mute it, speak in its place, transfer the call. */
export class CallSteering {
  readonly #parts: CallSteeringParts;

  constructor(parts: CallSteeringParts) {
    this.#parts = parts;
  }

  /**
   * The session of a call that is live in this process.
   * @throws Problem `call_not_found`; `invalid_state` when the call's audio is not in this process
   */
  async live(principal: Pick<Principal, 'workspace'>, id: string): Promise<LiveSession> {
    const { store, sessions } = this.#parts;
    const { workspace } = principal;
    const call = await store.read(steeringTransactions.call, { workspace, id });
    if (call.status !== 'active') throw new Problem('invalid_state', 'The call is not live.');
    const session = sessions.get(id);
    if (session) return session;
    throw new Problem(
      'invalid_state',
      'The audio of this call does not run through this process: ask the one that carries it.',
    );
  }

  say(principal: Principal, id: string, wish: { text: string; interrupt: boolean }): Promise<Steered> {
    return this.#steer(principal, id, {
      action: 'say',
      act: ({ steering }) => steering.say(wish.text, wish),
      refusal: 'The agent cannot speak now: it was silenced, is ending the call, or has much to say already.',
    });
  }

  context(principal: Principal, id: string, text: string): Promise<Steered> {
    return this.#steer(principal, id, {
      action: 'context',
      act: ({ steering }) => steering.advise(text),
      refusal:
        'The agent of this call has no language model that could read the note, or is ending the call.',
    });
  }

  mute(principal: Principal, id: string): Promise<Steered> {
    return this.#steer(principal, id, {
      action: 'mute',
      act: ({ steering }) => steering.mute(),
      refusal: 'The agent cannot be muted now: a person speaks in its place, or the call is ending.',
    });
  }

  unmute(principal: Principal, id: string): Promise<Steered> {
    return this.#steer(principal, id, {
      action: 'unmute',
      act: ({ steering }) => steering.unmute(),
      refusal: 'The agent cannot be unmuted now: hand the call back first.',
    });
  }

  /** Plays the hold sound to the caller. */
  hold(principal: Principal, id: string): Promise<Steered> {
    return this.#steer(principal, id, {
      action: 'hold',
      act: ({ steering }) => steering.hold(),
      refusal:
        'The caller cannot be put on hold now: somebody else talks with them, they are already, or the call is ending.',
    });
  }

  /** Ends a hold, and the warm transfer in progress during it. */
  resume(principal: Principal, id: string): Promise<Steered> {
    return this.#steer(principal, id, {
      action: 'resume',
      act: ({ steering }) => steering.resume(),
      refusal: 'The caller is not on hold.',
    });
  }

  /** Lets a person speak to the party that the caller is joined with, unheard by the caller. */
  whisper(principal: Principal, id: string): Promise<Steered> {
    return this.#steer(principal, id, {
      action: 'whisper',
      act: ({ steering }) => steering.mode === 'joined',
      refusal: 'The caller is joined with nobody.',
    });
  }

  takeOver(principal: Principal, id: string): Promise<Steered> {
    return this.#steer(principal, id, {
      action: 'take_over',
      act: ({ steering }) => steering.takeOver(),
      refusal: 'The call cannot be taken over now: it is being handed over, or is ending.',
    });
  }

  handBack(principal: Principal, id: string): Promise<Steered> {
    return this.#steer(principal, id, {
      action: 'hand_back',
      act: ({ steering }) => steering.handBack(),
      refusal: 'Nobody has taken this call over.',
    });
  }

  /** Hands the line over to a number (E.164), if the policy and the carrier allow it. */
  transfer(principal: Principal, id: string, to: string): Promise<Steered> {
    return this.#steer(principal, id, {
      action: 'transfer',
      act: ({ steering }) => steering.transfer(to),
      refusal:
        'The line was not handed over: its carrier cannot, the number may not be called, or the call is ending.',
    });
  }

  /** Puts the caller on hold and calls a person, who is asked whether to take the caller. */
  async transferWarmly(
    principal: Principal,
    id: string,
    { to, ...warm }: WarmTransfer & { to: string },
  ): Promise<Steered> {
    if (!this.#parts.carriers.usual.traits.joinsLegs)
      throw new Problem('invalid_state', 'The carrier of outbound calls cannot be joined with other lines.');
    return this.#steer(principal, id, {
      action: 'warm_transfer',
      act: ({ steering }) => steering.transferWarmly(to, warm),
      refusal:
        'The caller cannot be transferred now: that is being done already, the agent is a speech-to-speech model, or the call is ending.',
    });
  }

  /** Writes a person's action into the life-cycle log of a call. */
  async note(principal: Principal, callId: string, action: SteeringAction): Promise<void> {
    const { store, clock } = this.#parts;
    const data = { action, by: principal.name, principal_id: principal.id };
    await store.write(talkTransactions.note, { callId, type: 'steered', at: clock.wallMs(), data });
  }

  async #steer(
    principal: Principal,
    id: string,
    wish: {
      action: SteeringAction;
      act(session: LiveSession): boolean | Promise<boolean>;
      refusal: string;
    },
  ): Promise<Steered> {
    const session = await this.live(principal, id);
    // A transfer ends the call, so it is logged first: the log shows who requested it before it shows the end.
    if (wish.action === 'transfer') await this.note(principal, id, wish.action);
    if (!(await wish.act(session))) throw new Problem('invalid_state', wish.refusal);
    if (wish.action !== 'transfer') await this.note(principal, id, wish.action);
    const { mode } = session.steering;
    const socket = mode === 'operator' ? 'speak' : null;
    return { callId: id, mode, socket: wish.action === 'whisper' ? 'whisper' : socket };
  }
}
