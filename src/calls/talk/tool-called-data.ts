import type { ToolReport } from '#dialogue/dialogue-observer.js';
import { toInstant } from '#kernel/time/clock.js';
import type { CallRow } from '#calls/record/call.js';

/**
 * The `data` of the webhook event `call.tool_called` (docs/events.md), which is recorded after each tool call of a
 * talk.
 * @param options.isKept whether the call keeps a transcript; without one, arguments and result are null
 */
export function toolCalledData(
  call: CallRow,
  report: ToolReport,
  { isKept }: { isKept: boolean },
): Record<string, unknown> {
  return {
    call_id: call.id,
    agent_id: call.agent_id,
    direction: call.direction,
    custom_metadata: call.metadata,
    tool_call_id: report.id,
    name: report.name,
    arguments: isKept ? report.arguments : null,
    status: report.status,
    result: isKept ? report.result : null,
    started_at: toInstant(report.startedAt),
    latency_ms: Math.round(report.latencyMs),
  };
}
