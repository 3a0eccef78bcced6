import { Problem } from '#kernel/errors/errors.js';
import { defineUnits, type Tx } from '#store/unit.js';
import { requireCall } from '#calls/record/call-rows.js';
import { RecordingRow, type GapOfRecording } from './recording.js';

export const recordingUnits = defineUnits('recordings', {
  /** A recording that can be heard; `workspace` null for whoever holds a signed link. */
  async get(tx, args: { workspace: string | null; callId: string }): Promise<RecordingRow> {
    if (args.workspace !== null) await requireCall(tx, { workspace: args.workspace, id: args.callId });
    return requireRecording(tx, args.callId);
  },

  /** What a recording lacks that is about to be complete. */
  async keepGaps(tx, args: { callId: string; gaps: readonly GapOfRecording[] }): Promise<void> {
    const gaps = JSON.stringify(args.gaps);
    await tx.run(
      `update recordings set gaps = ? where call_id = ? and status = 'writing'`,
      gaps,
      args.callId,
    );
  },

  async remove(tx, args: { workspace: string; callId: string }): Promise<void> {
    await requireCall(tx, { workspace: args.workspace, id: args.callId });
    const recording = await requireRecording(tx, args.callId);
    await tx.run(`update recordings set status = 'deleted' where id = ?`, recording.id);
  },
});

async function requireRecording(tx: Tx, callId: string): Promise<RecordingRow> {
  const row = await tx.get(`select * from recordings where call_id = ? and status = 'ready'`, callId);
  if (!row) {
    throw new Problem(
      'recording_not_found',
      'There is no recording: the call is not over, or was not recorded.',
    );
  }
  return RecordingRow.parse(row);
}
