import type { ModuleContext } from '#store/module-context.js';
import type { Principal } from '#access/keys/principal.js';
import { Problem } from '#kernel/errors/errors.js';
import type { SteeringMode } from '#conversation/talk/conversation.js';
import type { WarmTransfer } from '#dialogue/dialogue-manager.js';
import type { CarrierPool } from '#telephony/carrier-pool.js';
import type { CallNote } from '#calls/record/life-cycle-log.js';
import { talkTransactions } from '#calls/talk/talk-store.js';
import type { LiveSession } from '#calls/live/sessions/live-session.js';
import type { LiveSessions } from '#calls/live/sessions/live-sessions.js';
import { defineTransactions } from '#store/transaction.js';
import { notCarriedProblem, type ActionExchange } from './action-exchange.js';
import { requireActiveIn } from './action-store.js';
import type { Actor, CallAction, Performed, SteeringWish } from './call-action.js';
import { steerSession } from './steer-session.js';

/** An action of a person in a live call, as the log of the call names it. */
export type SteeringAction = Exclude<CallAction['name'], 'machine_answered'>;

/** A call after it was steered. */
export interface Steered {
  callId: string;
  mode: SteeringMode;
  /** The socket, below the path of the call, to which a person may now stream their microphone; null for none. */
  socket: 'speak' | 'whisper' | null;
}

/** The internal host and port of the other process that has the audio of a call. */
export interface CarryingProcess {
  address: string;
}

/** The transactions of {@link CallSteering}. */
const steeringTransactions = defineTransactions('steering', {
  /** The address of the other process that carries a call; null if no other process does. */
  async otherProcessOf(tx, args: { callId: string; nodeId: string }): Promise<CarryingProcess | null> {
    const row = await tx.get(
      'select address from nodes where id = (select node_id from calls where id = ?) and id <> ?',
      args.callId,
      args.nodeId,
    );
    return row ? { address: String(row['address']) } : null;
  },

  /** Checks that a call is active. @throws Problem `call_not_found`; `invalid_state` unless it is */
  async requireActive(tx, args: { workspace: string; id: string }): Promise<void> {
    requireActiveIn(
      args.workspace,
      await tx.get('select workspace, status from calls where id = ?', args.id),
    );
  },
});

/** The dependencies of {@link CallSteering}. */
export interface CallSteeringParts extends Pick<ModuleContext, 'store' | 'clock'> {
  sessions: Pick<LiveSessions, 'get'>;
  exchange: Pick<ActionExchange, 'ask'>;
  carriers: CarrierPool;
  /** The id of this process. */
  nodeId: string;
}

/**
 * Lets a person steer live calls: have the agent say something, mute it, speak in its place, transfer the call. Every
 * process accepts a request; the process that carries the call performs it. Used by the routes and sockets of live
 * calls. Methods that take a call's id throw Problem `call_not_found`, `invalid_state` or `unavailable`.
 */
export class CallSteering {
  readonly #parts: CallSteeringParts;

  constructor(parts: CallSteeringParts) {
    this.#parts = parts;
  }

  /**
   * The session of a live call in this process, or the process that has it.
   * @throws Problem `call_not_found`; `invalid_state` unless it is live
   */
  async locate(principal: Pick<Principal, 'workspace'>, id: string): Promise<LiveSession | CarryingProcess> {
    await this.#requireActive(principal, id);
    const { store, sessions, nodeId } = this.#parts;
    const found =
      sessions.get(id) ?? (await store.read(steeringTransactions.otherProcessOf, { callId: id, nodeId }));
    if (found) return found;
    throw notCarriedProblem();
  }

  /** Has the agent say a text, after its current words or interrupting them. */
  say(principal: Principal, id: string, wish: { text: string; interrupt: boolean }): Promise<Steered> {
    return this.#steer(principal, id, { name: 'say', ...wish });
  }

  /** Gives the agent's language model a note, which the caller does not hear. */
  context(principal: Principal, id: string, text: string): Promise<Steered> {
    return this.#steer(principal, id, { name: 'context', text });
  }

  /** Silences the agent until it is unmuted; the caller is still transcribed. */
  mute(principal: Principal, id: string): Promise<Steered> {
    return this.#steer(principal, id, { name: 'mute' });
  }

  /** Lets a muted agent speak again. */
  unmute(principal: Principal, id: string): Promise<Steered> {
    return this.#steer(principal, id, { name: 'unmute' });
  }

  /** Puts the caller on hold: the caller hears the hold sound. */
  hold(principal: Principal, id: string): Promise<Steered> {
    return this.#steer(principal, id, { name: 'hold' });
  }

  /** Ends a hold, and a warm transfer that is under way with it. */
  resume(principal: Principal, id: string): Promise<Steered> {
    return this.#steer(principal, id, { name: 'resume' });
  }

  /** Lets a person speak to the other line of a warm transfer. The caller does not hear it. */
  whisper(principal: Principal, id: string): Promise<Steered> {
    return this.#steer(principal, id, { name: 'whisper' });
  }

  /** Puts a person in the agent's place. */
  takeOver(principal: Principal, id: string): Promise<Steered> {
    return this.#steer(principal, id, { name: 'take_over' });
  }

  /** Lets the agent continue after a person has taken over. */
  handBack(principal: Principal, id: string): Promise<Steered> {
    return this.#steer(principal, id, { name: 'hand_back' });
  }

  /** Transfers the call to a number (E.164), if the policy and the carrier allow it. */
  transfer(principal: Principal, id: string, to: string): Promise<Steered> {
    return this.#steer(principal, id, { name: 'transfer', to });
  }

  /** Calls a person and asks whether they take the caller, who is on hold meanwhile. */
  async transferWarmly(
    principal: Principal,
    id: string,
    wish: WarmTransfer & { to: string },
  ): Promise<Steered> {
    if (!this.#parts.carriers.outbound.traits.joinsLegs)
      throw new Problem('invalid_state', 'The carrier of outbound calls cannot be joined with other lines.');
    return this.#steer(principal, id, { name: 'warm_transfer', ...wish });
  }

  /** Steers a call that is live in this process, also for a request from another process. */
  async perform(session: LiveSession, wish: SteeringWish, by: Actor): Promise<Performed> {
    // A transfer is noted before it is done: it ends the call, and the log shows first who requested it.
    if (wish.name === 'transfer') await this.note(by, session.callId, wish.name);
    const mode = await steerSession(session, wish);
    return { mode, note: wish.name === 'transfer' ? null : this.#noteOf(by, session.callId, wish.name) };
  }

  /** Adds a person's action to the log of a call. */
  async note(by: Actor, callId: string, action: SteeringAction): Promise<void> {
    await this.#parts.store.write(talkTransactions.note, this.#noteOf(by, callId, action));
  }

  /** The log entry about a person's action. */
  #noteOf(by: Actor, callId: string, action: SteeringAction): CallNote {
    const data = { action, by: by.name, principal_id: by.id };
    return { callId, type: 'steered', at: this.#parts.clock.wallMs(), data };
  }

  /** @throws Problem `call_not_found`; `invalid_state` unless the call is active */
  #requireActive({ workspace }: Pick<Principal, 'workspace'>, id: string): Promise<void> {
    return this.#parts.store.read(steeringTransactions.requireActive, { workspace, id });
  }

  /** Performs an action on a session of this process, and writes its log entry. Returns the mode of the talk. */
  async #performHere(principal: Principal, session: LiveSession, wish: SteeringWish) {
    await this.#requireActive(principal, session.callId);
    const { mode, note } = await this.perform(session, wish, principal);
    if (note) await this.#parts.store.write(talkTransactions.note, note);
    return mode;
  }

  /** Performs an action here, or has the process that carries the call perform it. */
  async #steer(principal: Principal, id: string, wish: SteeringWish): Promise<Steered> {
    const { sessions, exchange } = this.#parts;
    const { workspace } = principal;
    const session = sessions.get(id);
    const steering = session
      ? this.#performHere(principal, session, wish)
      : exchange.ask({ callId: id, workspace, action: wish, by: principal });
    // Actions that steer the talk always return its mode.
    const mode = (await steering)!;
    const socket = mode === 'operator' ? 'speak' : null;
    return { callId: id, mode, socket: wish.name === 'whisper' ? 'whisper' : socket };
  }
}
