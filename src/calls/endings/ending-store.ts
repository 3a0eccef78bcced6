import { z } from 'zod';
import type { Mended } from '../../store/statements/mending.js';
import { places } from '../../store/statements/places.js';
import { defineUnits, type Tx } from '../../store/unit.js';
import { CallRow } from '../record/call.js';
import { moveCall, type Moment } from '../record/call-progress.js';
import { noteOnCall } from '../record/note-on-call.js';
import { finishDamaged, lockDamaged, mendCall } from './damaged-call.js';
import type { EndedReason } from '../record/ended-reason.js';
import { readCall } from '../record/read-call.js';
import type { FinishDetails } from './finish-call.js';

/** A call whose process is gone. */
export interface Orphan {
  call: CallRow;
  /** The attempt that the carrier took, by the reference it knows. */
  placedAs: string | null;
  recording: { fileName: string; createdAt: number } | null;
}

/** As much of a call as tells whether it goes on too long; it is looked at every second. */
const WatchedCall = CallRow.pick({
  id: true,
  direction: true,
  status: true,
  ended_reason: true,
  provider: true,
  provider_call_id: true,
  answered_at: true,
  updated_at: true,
  timeout_seconds: true,
  silence_timeout_seconds: true,
});
export type WatchedCall = z.output<typeof WatchedCall>;

/** Where calls stand that somebody answers, or has answered, and that have no sound yet. */
const AWAITS_STREAM: ReadonlySet<CallRow['status']> = new Set(['initiated', 'connected']);

/** A call that went back to the queue waits there, and nobody minds its time. */
export const IS_DIALLED = `not exists
  (select 1 from dial_attempts where call_id = calls.id and dial_attempts.status = 'pending')`;

/** What is selected beside the call itself. */
const OrphanRow = z.object({
  placed_as: z.string().nullable(),
  file_name: z.string().nullable(),
  recorded_from: z.number().int().nullable(),
});

export const endingUnits = defineUnits('endings', {
  /** An active call enters `ending`, with its reason. Calls that are not active end in one step by `finish`. */
  async begin(tx, args: { callId: string; reason: EndedReason; moment: Moment }): Promise<CallRow | null> {
    const held = await lockDamaged(tx, args.callId);
    if (held?.value.status !== 'active') return held && held.value;
    return beginEnding(tx, held, args);
  },

  /** The line of a call is in other hands: with that its end begins, so that nobody hangs up whom others talk with. */
  async handedOver(tx, args: { callId: string; to: string; moment: Moment }): Promise<void> {
    const held = await lockDamaged(tx, args.callId);
    if (!held) return;
    const { moment, to } = args;
    const told = { type: 'transferred', at: moment.at, data: { to } };
    const call = await noteOnCall(tx, await mendCall(tx, held), told);
    if (call.status === 'active') await moveCall(tx, call, { to: 'ending', moment, reason: 'transferred' });
  },

  async finish(tx, args: { callId: string; details: FinishDetails }): Promise<CallRow | null> {
    const call = await lockDamaged(tx, args.callId);
    return call && finishDamaged(tx, call, args.details);
  },

  /** The same for whoever has not its audio: an active call only begins to end, and null is returned. */
  async finishWithoutAudio(tx, args: { callId: string; details: FinishDetails }): Promise<CallRow | null> {
    const held = await lockDamaged(tx, args.callId);
    if (held?.value.status !== 'active') return held && finishDamaged(tx, held, args.details);
    await beginEnding(tx, held, args.details);
    return null;
  },

  /** The same for a call of a process that is gone; null when it is over, or in other hands by now. */
  async finishOrphan(
    tx,
    args: { callId: string; nodeId: string | null; details: FinishDetails },
  ): Promise<CallRow | null> {
    const held = await lockDamaged(tx, args.callId);
    if (!held || held.value.ended_at !== null || held.value.node_id !== args.nodeId) return null;
    return finishDamaged(tx, held, args.details);
  },

  /** The same for a call whose stream has not come; null when it has begun by now, or the call is over. */
  async finishUnopened(tx, args: { callId: string; details: FinishDetails }): Promise<CallRow | null> {
    const held = await lockDamaged(tx, args.callId);
    if (!held || !AWAITS_STREAM.has(held.value.status)) return null;
    return finishDamaged(tx, held, args.details);
  },

  /**
   * Calls that nobody carries any more: not over, and of a process that is gone. Calls still waiting to be dialled
   * are nobody's orphans.
   */
  async orphans(tx): Promise<Orphan[]> {
    const rows = await tx.all(
      `select calls.*,
         (select id from dial_attempts where call_id = calls.id and status = 'placed') as placed_as,
         (select file_name from recordings where call_id = calls.id and status = 'writing') as file_name,
         (select created_at from recordings where call_id = calls.id and status = 'writing') as recorded_from
       from calls where ended_at is null and node_id is not null
         and node_id not in (select id from nodes) and ${IS_DIALLED}
       order by node_id, id limit 500`,
    );
    return rows.map((row) => {
      const { value: call } = readCall(row);
      const { placed_as, file_name, recorded_from } = OrphanRow.parse(row);
      const recording =
        file_name === null || recorded_from === null
          ? null
          : { fileName: file_name, createdAt: recorded_from };
      return { call, placedAs: placed_as, recording };
    });
  },

  /** A call changes hands: from now on this process answers for it. False when it has left those hands before. */
  async adopt(tx, args: { callId: string; from: string | null; nodeId: string }): Promise<boolean> {
    const changed = await tx.run(
      'update calls set node_id = ? where id = ? and node_id = ? and ended_at is null',
      args.nodeId,
      args.callId,
      args.from,
    );
    return changed === 1;
  },

  /** Ends the leases of processes that are gone: their attempts are settled at once instead of when time is up. */
  async releaseLeases(tx, args: { now: number }): Promise<number> {
    return tx.run(
      `update dial_attempts set lease_until = ?
       where status in ('claimed', 'dialling', 'uncertain') and lease_until > ?
         and node_id not in (select id from nodes)`,
      args.now,
      args.now,
    );
  },

  /** What the watchdog must look at: calls of this process that are under way. */
  async underWay(tx, args: { nodeId: string }): Promise<WatchedCall[]> {
    const rows = await tx.all(
      `select ${Object.keys(WatchedCall.shape).join(', ')}
       from calls where ended_at is null and node_id = ? and ${IS_DIALLED} order by id`,
      args.nodeId,
    );
    return rows.flatMap((row) => WatchedCall.safeParse(row).data ?? []);
  },

  /** Which of some calls are over, or in the hands of another process. */
  async notOurs(tx, args: { callIds: readonly string[]; nodeId: string }): Promise<CallRow[]> {
    const rows = await tx.all(
      `select * from calls where id in (${places(args.callIds)}) and (ended_at is not null or node_id <> ?)`,
      ...args.callIds,
      args.nodeId,
    );
    return rows.map((row) => readCall(row).value);
  },
});

async function beginEnding(
  tx: Tx,
  held: Mended<CallRow>,
  { reason, moment }: { reason: EndedReason; moment: Moment },
): Promise<CallRow> {
  return moveCall(tx, await mendCall(tx, held), { to: 'ending', moment, reason });
}
