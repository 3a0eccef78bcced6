import { defineUnits } from '../store/unit.js';
import type { CarrierReport } from '../telephony/carrier.js';
import { CallRow } from './call.js';
import { moveCall, type Moment } from './call-progress.js';
import { lockCall, setColumns } from './call-store.js';

export const carrierUnits = defineUnits('carriers', {
  /** The call that a report is about: by our own reference, else by the carrier's id. */
  async find(
    tx,
    report: Pick<CarrierReport, 'carrier' | 'dialRef' | 'providerCallId'>,
  ): Promise<CallRow | null> {
    const byReference =
      report.dialRef &&
      (await tx.get(
        `select calls.* from dial_attempts join calls on calls.id = dial_attempts.call_id
         where dial_attempts.id = ?`,
        report.dialRef,
      ));
    const row =
      byReference ||
      (await tx.get(
        'select * from calls where provider = ? and provider_call_id = ?',
        report.carrier,
        report.providerCallId,
      ));
    return row ? CallRow.parse(row) : null;
  },

  /**
   * Somebody picked up. The report may come before the answer to our own request did: then it also proves that the
   * attempt was placed, and under which id.
   */
  async answered(
    tx,
    args: { callId: string; report: CarrierReport; moment: Moment },
  ): Promise<CallRow | null> {
    const call = await lockCall(tx, args.callId);
    if (!call || call.ended_reason !== null) return null;
    await tx.run(
      `update dial_attempts set status = 'placed', updated_at = ?
       where id = ? and status in ('dialling', 'uncertain')`,
      args.moment.at,
      args.report.dialRef,
    );
    if (call.provider_call_id === null) {
      await setColumns(tx, call.id, { provider_call_id: args.report.providerCallId });
    }
    const moved = await moveCall(tx, call, { to: 'connected', moment: args.moment });
    return { ...moved, provider_call_id: call.provider_call_id ?? args.report.providerCallId };
  },
});
