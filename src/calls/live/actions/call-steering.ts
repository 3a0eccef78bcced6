import type { ModuleContext } from '#store/module-context.js';
import type { Principal } from '#access/keys/principal.js';
import { Problem } from '#kernel/errors/errors.js';
import type { SteeringMode } from '#conversation/talk/conversation.js';
import type { WarmTransfer } from '#dialogue/dialogue-manager.js';
import type { CarrierPool } from '#telephony/carrier-pool.js';
import { requireCall } from '#calls/record/call-rows.js';
import type { CallRow } from '#calls/record/call.js';
import { talkTransactions } from '#calls/talk/talk-store.js';
import type { LiveSession } from '#calls/live/sessions/live-session.js';
import type { LiveSessions } from '#calls/live/sessions/live-sessions.js';
import { defineTransactions } from '#store/transaction.js';
import { carriedByNone, type ActionExchange } from './action-exchange.js';
import type { Actor, CallAction, SteeringWish } from './call-action.js';
import { steerSession } from './steer-session.js';

/** What people do in live calls, as the log of a call tells it. */
export type SteeringAction = Exclude<CallAction['name'], 'machine_answered'>;

/** How a steered call stands afterwards. */
export interface Steered {
  callId: string;
  mode: SteeringMode;
  /** The socket below the path of the call that takes a microphone now; null for none. */
  socket: 'speak' | 'whisper' | null;
}

/** The audio of a call runs through another process, which is reached at this host and port. */
export interface Elsewhere {
  address: string;
}

const steeringTransactions = defineTransactions('steering', {
  /** Where the other process is reached that carries a call; null where there is none. */
  async carrierOf(tx, args: { callId: string; nodeId: string }): Promise<Elsewhere | null> {
    const row = await tx.get(
      'select address from nodes where id = (select node_id from calls where id = ?) and id <> ?',
      args.callId,
      args.nodeId,
    );
    return row ? { address: String(row['address']) } : null;
  },

  /** @throws Problem `call_not_found` */
  async call(tx, args: { workspace: string; id: string }): Promise<CallRow> {
    return requireCall(tx, args);
  },
});

export interface CallSteeringParts extends Pick<ModuleContext, 'store' | 'clock'> {
  sessions: Pick<LiveSessions, 'get'>;
  exchange: Pick<ActionExchange, 'ask'>;
  carriers: CarrierPool;
  nodeId: string;
}

/**
 * A person steers live calls: has the agent say something, silences it, speaks in its place, transfers the call. Which
 * process is asked does not matter: the one that carries the call does it.
 */
export class CallSteering {
  readonly #parts: CallSteeringParts;

  constructor(parts: CallSteeringParts) {
    this.#parts = parts;
  }

  /**
   * The session of a live call, or the process that has it.
   * @throws Problem `call_not_found`; `invalid_state` unless it is live
   */
  async locate(principal: Pick<Principal, 'workspace'>, id: string): Promise<LiveSession | Elsewhere> {
    const session = await this.#find(principal, id);
    const { store, nodeId } = this.#parts;
    const found = session ?? (await store.read(steeringTransactions.carrierOf, { callId: id, nodeId }));
    if (found) return found;
    throw carriedByNone();
  }

  say(principal: Principal, id: string, wish: { text: string; interrupt: boolean }): Promise<Steered> {
    return this.#steer(principal, id, { name: 'say', ...wish });
  }

  context(principal: Principal, id: string, text: string): Promise<Steered> {
    return this.#steer(principal, id, { name: 'context', text });
  }

  mute(principal: Principal, id: string): Promise<Steered> {
    return this.#steer(principal, id, { name: 'mute' });
  }

  unmute(principal: Principal, id: string): Promise<Steered> {
    return this.#steer(principal, id, { name: 'unmute' });
  }

  /** The caller hears the hold sound. */
  hold(principal: Principal, id: string): Promise<Steered> {
    return this.#steer(principal, id, { name: 'hold' });
  }

  /** Ends a hold, and a warm transfer that is under way with it. */
  resume(principal: Principal, id: string): Promise<Steered> {
    return this.#steer(principal, id, { name: 'resume' });
  }

  /** Lets a person speak to whom the caller is joined with, without the caller hearing it. */
  whisper(principal: Principal, id: string): Promise<Steered> {
    return this.#steer(principal, id, { name: 'whisper' });
  }

  takeOver(principal: Principal, id: string): Promise<Steered> {
    return this.#steer(principal, id, { name: 'take_over' });
  }

  handBack(principal: Principal, id: string): Promise<Steered> {
    return this.#steer(principal, id, { name: 'hand_back' });
  }

  /** Hands the line over to a number (E.164); the policy and the carrier decide whether that can be done. */
  transfer(principal: Principal, id: string, to: string): Promise<Steered> {
    return this.#steer(principal, id, { name: 'transfer', to });
  }

  /** Has a person called who is asked whether they take the caller, who is on hold until then. */
  async transferWarmly(
    principal: Principal,
    id: string,
    wish: WarmTransfer & { to: string },
  ): Promise<Steered> {
    if (!this.#parts.carriers.outbound.traits.joinsLegs)
      throw new Problem('invalid_state', 'The carrier of outbound calls cannot be joined with other lines.');
    return this.#steer(principal, id, { name: 'warm_transfer', ...wish });
  }

  /** Steers a call that is live here, for a process that was asked to. */
  async perform(session: LiveSession, wish: SteeringWish, by: Actor): Promise<SteeringMode> {
    // Before it is done: a transfer ends the call, and its log tells first who wanted it.
    if (wish.name === 'transfer') await this.note(by, session.callId, wish.name);
    const mode = await steerSession(session, wish);
    if (wish.name !== 'transfer') await this.note(by, session.callId, wish.name);
    return mode;
  }

  /** Writes into the log of a call what a person has done in it. */
  async note(by: Actor, callId: string, action: SteeringAction): Promise<void> {
    const { store, clock } = this.#parts;
    const data = { action, by: by.name, principal_id: by.id };
    await store.write(talkTransactions.note, { callId, type: 'steered', at: clock.wallMs(), data });
  }

  /** Null where another process carries it. @throws Problem `call_not_found`; `invalid_state` unless it is live */
  async #find({ workspace }: Pick<Principal, 'workspace'>, id: string): Promise<LiveSession | null> {
    const { store, sessions } = this.#parts;
    const call = await store.read(steeringTransactions.call, { workspace, id });
    if (call.status !== 'active') throw new Problem('invalid_state', 'The call is not live.');
    return sessions.get(id) ?? null;
  }

  async #steer(principal: Principal, id: string, wish: SteeringWish): Promise<Steered> {
    const session = await this.#find(principal, id);
    const mode = session
      ? await this.perform(session, wish, principal)
      : (await this.#parts.exchange.ask({ callId: id, action: wish, by: principal }))!;
    const socket = mode === 'operator' ? 'speak' : null;
    return { callId: id, mode, socket: wish.name === 'whisper' ? 'whisper' : socket };
  }
}
