import { recordEvent } from '../events/outbox.js';
import type { CallAnalysis } from '../speech/analysis/analysis.js';
import { LIMIT } from '../store/limit.js';
import { defineUnits, type Tx } from '../store/unit.js';
import type { CallRow } from './call.js';
import { findCall, lockCall, setColumns } from './call-store.js';
import { analysisData, recordingData, transcriptData } from './after-call-data.js';
import { Job } from './job.js';
import { enqueueJob } from './job-queue.js';
import { RecordingRow } from './recording.js';
import { entriesOf } from './talk-rows.js';
import type { TranscriptEntry } from './transcript.js';

/** The end of a piece of work that is announced by an event. */
interface Announcement {
  jobId: string;
  callId: string;
  eventId: string;
  at: number;
}

interface TranscriptAnnouncement extends Announcement {
  transcriptUrl: string;
}

export const jobUnits = defineUnits('jobs', {
  /** Takes due work, and work whose process died with it in hand. */
  async claim(tx, args: { now: number; leaseUntil: number; limit: number }): Promise<Job[]> {
    const rows = await tx.all(
      `update jobs set status = 'running', attempts = attempts + 1, lease_until = ?, updated_at = ?
       where id in (
         select id from jobs
         where (status = 'pending' and due_at <= ?) or (status = 'running' and lease_until <= ?)
         order by due_at, id ${LIMIT}${tx.dialect.skipLocked}
       ) returning *`,
      args.leaseUntil,
      args.now,
      args.now,
      args.now,
      args.limit,
    );
    return rows.map((row) => Job.parse(row)).sort((a, b) => (a.id < b.id ? -1 : 1));
  },

  async nextDueAt(tx): Promise<number | null> {
    const row = await tx.get(
      `select min(due_at) as due_at from (
         select min(due_at) as due_at from jobs where status = 'pending'
         union all select min(lease_until) from jobs where status = 'running') as times`,
    );
    return typeof row?.['due_at'] === 'number' ? row['due_at'] : null;
  },

  /** Work that failed: once more at `dueAt`, or given up when that is null. */
  async failed(tx, args: { jobId: string; dueAt: number | null; error: string; at: number }): Promise<void> {
    await tx.run(
      `update jobs set status = ?, due_at = coalesce(?, due_at), error = ?, lease_until = null, updated_at = ?
       where id = ? and status = 'running'`,
      args.dueAt === null ? 'failed' : 'pending',
      args.dueAt,
      args.error,
      args.at,
      args.jobId,
    );
  },

  /** What the work on a call starts from; null when there is no such call. */
  async material(
    tx,
    args: { callId: string },
  ): Promise<{ call: CallRow; entries: TranscriptEntry[]; recording: RecordingRow | null } | null> {
    const call = await findCall(tx, args.callId);
    if (!call) return null;
    const row = await tx.get(`select * from recordings where call_id = ? and status <> 'deleted'`, call.id);
    return {
      call,
      entries: await entriesOf(tx, [call.id]),
      recording: row ? RecordingRow.parse(row) : null,
    };
  },

  async recordingDone(
    tx,
    args: Announcement & { sizeBytes: number; durationMs: number; recordingUrl: string },
  ): Promise<void> {
    if (!(await finishJob(tx, args))) return;
    const changed = await tx.run(
      `update recordings set status = 'ready', size_bytes = ?, duration_ms = ?
       where call_id = ? and status = 'writing'`,
      args.sizeBytes,
      args.durationMs,
      args.callId,
    );
    if (changed === 0) return;
    const row = await tx.get(`select * from recordings where call_id = ? and status = 'ready'`, args.callId);
    const data = recordingData(RecordingRow.parse(row), args.recordingUrl);
    await announce(tx, args, 'call.recording_ready', data);
  },

  /** The file holds nothing, or is not there: the call has no recording. */
  async recordingLost(tx, args: { jobId: string; callId: string; at: number }): Promise<void> {
    if (!(await finishJob(tx, args))) return;
    await tx.run(
      `update recordings set status = 'deleted' where call_id = ? and status = 'writing'`,
      args.callId,
    );
  },

  async analysisDone(
    tx,
    args: Announcement & { analysis: CallAnalysis; nextJobIds: { summary: string; transcript: string } },
  ): Promise<void> {
    const call = await lockCall(tx, args.callId);
    if (!call || !(await finishJob(tx, args))) return;
    const { summary, ...analysis } = args.analysis;
    const metrics = call.metrics && {
      ...call.metrics,
      customer_sentiment: analysis.sentiment,
      resolution_achieved: analysis.resolution_achieved,
    };
    await setColumns(tx, call.id, {
      summary,
      analysis: JSON.stringify(analysis),
      metrics: metrics && JSON.stringify(metrics),
      updated_at: args.at,
    });
    await announce(tx, args, 'call.analysis_complete', analysisData(args));
    for (const kind of ['summary', 'transcript'] as const) {
      await enqueueJob(tx, { id: args.nextJobIds[kind], kind, callId: call.id, at: args.at });
    }
  },

  async summaryDone(tx, args: TranscriptAnnouncement): Promise<void> {
    await announceTranscript(tx, args, 'call.summary_ready');
  },

  async transcriptDone(tx, args: TranscriptAnnouncement): Promise<void> {
    await announceTranscript(tx, args, 'call.transcript_ready');
  },
});

async function announceTranscript(
  tx: Tx,
  args: TranscriptAnnouncement,
  type: 'call.summary_ready' | 'call.transcript_ready',
): Promise<void> {
  const call = await lockCall(tx, args.callId);
  if (!call || !(await finishJob(tx, args))) return;
  const data = transcriptData(args, call, await entriesOf(tx, [call.id]));
  await announce(tx, args, type, data);
}

/** Closes a piece of work; false when somebody else has closed it. */
async function finishJob(tx: Tx, args: { jobId: string; at: number }): Promise<boolean> {
  const changed = await tx.run(
    `update jobs set status = 'done', lease_until = null, error = null, updated_at = ?
     where id = ? and status = 'running'`,
    args.at,
    args.jobId,
  );
  return changed === 1;
}

async function announce(
  tx: Tx,
  args: Announcement,
  type: Parameters<typeof recordEvent>[1]['type'],
  data: Record<string, unknown>,
): Promise<void> {
  const row = await tx.get('select workspace from calls where id = ?', args.callId);
  await recordEvent(tx, {
    id: args.eventId,
    workspace: String(row?.['workspace']),
    type,
    subjectId: args.callId,
    at: args.at,
    data,
  });
}
