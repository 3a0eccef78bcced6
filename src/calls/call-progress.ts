import { recordEvent } from '../events/outbox.js';
import type { EventType } from '../events/event-types.js';
import { insertInto } from '../store/insert.js';
import type { Tx } from '../store/unit.js';
import { CallRow } from './call.js';
import { callEventData, type CallLinks } from './call-event-data.js';
import { callMachine, type CallStatus } from './call-machine.js';
import { ENDED_REASONS, type EndedReason } from './ended-reason.js';

/** What entering a state announces. Once per call: no state is entered twice. */
const ANNOUNCED: Partial<Record<CallStatus, EventType>> = {
  initiated: 'call.initiated',
  connected: 'call.connected',
  active: 'call.in_progress',
  completed: 'call.completed',
  failed: 'call.failed',
  missed: 'call.missed',
};

/** The longest way through the table announces so many events: whoever asks for a move brings that many ids. */
export const EVENT_IDS_PER_MOVE = 5;

/** When a change happens, and what its announcements need from outside the transaction. */
export interface Moment {
  at: number;
  /** At least {@link EVENT_IDS_PER_MOVE} fresh ids; none where nothing can be announced. */
  eventIds: readonly string[];
  links: CallLinks;
}

/** What a move writes besides the status. */
export interface Move {
  to: CallStatus;
  moment: Moment;
  /** Why the call ends; the first reason that is written stays. */
  reason?: EndedReason;
  providerCode?: string | null;
  /** When the call was really over, where that was before `moment`. */
  endedAt?: number;
}

/**
 * Moves a call along its life, through every state between, and writes each state's life-cycle entry and event in the
 * same transaction. Returns the call as it is afterwards. News that is old (a lower or equal rank, or a call that is
 * over) changes nothing.
 */
export async function moveCall(tx: Tx, call: CallRow, move: Move): Promise<CallRow> {
  if (!callMachine.isNews(call.status, move.to)) return call;
  const path = callMachine.path(call.status, move.to);
  if (path === null) throw new Error(`no way leads a call from ${call.status} to ${move.to}`);
  const eventIds = [...move.moment.eventIds];
  let current = call;
  for (const status of path) current = await enter(tx, current, status, move, eventIds);
  await writeMoved(tx, call, current);
  return current;
}

/** Writes how far a call came: once, however many states it went through. */
async function writeMoved(tx: Tx, before: CallRow, after: CallRow): Promise<void> {
  const changed = await tx.run(
    `update calls set status = ?, started_at = ?, answered_at = ?, ended_at = ?, ended_reason = ?, fault = ?,
       provider_code = ?, error = ?, provider = ?, node_id = ?, event_sequence = ?, updated_at = ?
     where id = ? and status = ? and event_sequence = ?`,
    after.status,
    after.started_at,
    after.answered_at,
    after.ended_at,
    after.ended_reason,
    after.fault,
    after.provider_code,
    after.error,
    after.provider,
    after.node_id,
    after.event_sequence,
    after.updated_at,
    before.id,
    before.status,
    before.event_sequence,
  );
  if (changed !== 1) throw new Error('the call was moved by somebody else at the same time');
}

/** A call in its next state, with the life-cycle entry and the event of it written. */
async function enter(
  tx: Tx,
  call: CallRow,
  status: CallStatus,
  move: Move,
  eventIds: string[],
): Promise<CallRow> {
  const { at, links } = move.moment;
  const sequence = call.event_sequence + 1;
  const entered: CallRow = {
    ...call,
    ...stateFields(call, status, move),
    status,
    event_sequence: sequence,
    updated_at: at,
  };
  await logLifeCycle(tx, call.id, {
    sequence,
    type: 'state_changed',
    from: call.status,
    to: status,
    at,
    data: entered.ended_reason ? { ended_reason: entered.ended_reason } : {},
  });
  await announce(tx, entered, status, { at, links, eventIds });
  return entered;
}

/** The columns that a state fills in. */
function stateFields(call: CallRow, status: CallStatus, move: Move): Partial<CallRow> {
  const { at } = move.moment;
  const reason = call.ended_reason ?? move.reason ?? null;
  const ending = reason && {
    ended_reason: reason,
    fault: ENDED_REASONS[reason].fault,
    error: ENDED_REASONS[reason].error,
    provider_code: call.provider_code ?? move.providerCode ?? null,
  };
  if (callMachine.isFinal(status)) return { ...ending, ended_at: move.endedAt ?? at };
  if (status === 'ending') return { ...ending };
  if (status === 'connecting') return { started_at: call.started_at ?? at };
  if (status === 'connected') return { started_at: call.started_at ?? at, answered_at: at };
  return {};
}

async function announce(
  tx: Tx,
  call: CallRow,
  status: CallStatus,
  telling: { at: number; links: CallLinks; eventIds: string[] },
): Promise<void> {
  const type = ANNOUNCED[status];
  if (type === undefined || (status === 'initiated' && call.direction !== 'outbound')) return;
  const id = telling.eventIds.shift();
  if (id === undefined) throw new Error('a move was given too few event ids');
  const data = callEventData(call, telling.links);
  await recordEvent(tx, { id, workspace: call.workspace, type, subjectId: call.id, at: telling.at, data });
}

/** One line of a call's life-cycle log, as `GET /api/calls/{call_id}/events` shows it. */
export interface LifeCycleEntry {
  sequence: number;
  type: string;
  from: CallStatus | null;
  to: CallStatus | null;
  at: number;
  data: Readonly<Record<string, unknown>>;
}

/** Adds a line to the life-cycle log. */
export async function logLifeCycle(tx: Tx, callId: string, entry: LifeCycleEntry): Promise<void> {
  await insertInto(tx, 'call_events', {
    call_id: callId,
    sequence: entry.sequence,
    type: entry.type,
    from_status: entry.from,
    to_status: entry.to,
    at: entry.at,
    data: JSON.stringify(entry.data),
  });
}

/** Announces a call that has just been created in its first state. */
export async function announceCreation(tx: Tx, call: CallRow, moment: Moment): Promise<void> {
  await logLifeCycle(tx, call.id, {
    sequence: call.event_sequence,
    type: 'created',
    from: null,
    to: call.status,
    at: moment.at,
    data: {},
  });
  await announce(tx, call, call.status, {
    at: moment.at,
    links: moment.links,
    eventIds: [...moment.eventIds],
  });
}
