import { describe, expect, it } from 'vitest';
import { newSchedule } from '#schedules/record/new-schedule.js';
import { NO_RETRIES } from '#schedules/record/retry.js';
import { planCall } from '#schedules/runs/executions/schedule-call.js';
import type { ExecutionRow, KeptCallOptions } from '#schedules/record/schedule.js';

const AT = Date.UTC(2026, 11, 1, 15);

function scheduleWith(callOptions?: KeptCallOptions) {
  const request = {
    agent_id: 'agent_1',
    phone_number: '+12125550123',
    from_phone: undefined,
    name: 'Reminder',
    description: undefined,
    customer_context: { order: 'tea' },
    metadata: { crm_id: '42' },
    scheduled_time: '2026-12-01T15:00:00Z',
    timezone: 'UTC',
    retry_policy: NO_RETRIES,
    grace_seconds: 300,
    call_window: undefined,
    webhook_url: undefined,
    webhook_events: [],
  };
  const plan = {
    kind: 'one_time' as const,
    timezone: 'UTC',
    scheduled_time: request.scheduled_time,
    scheduled_at: AT,
    dst_adjusted: null,
    cron_expression: null,
    max_occurrences: null,
    next_run_at: AT,
  };
  const made = { id: 'sched_1', workspace: 'default', webhookId: null, timeZoneVersion: 'test', at: AT };
  return newSchedule(request, plan, callOptions ? { ...made, callOptions } : made);
}

const execution = { id: 'exec_1', planned_at: AT } as ExecutionRow;

describe('the call of a schedule', () => {
  it('has the default options of calls', () => {
    const { options, to, scheduleId, executionId, scheduledAt } = planCall(scheduleWith(), execution, AT);
    expect({ to, scheduleId, executionId, scheduledAt }).toEqual({
      to: '+12125550123',
      scheduleId: 'sched_1',
      executionId: 'exec_1',
      scheduledAt: AT,
    });
    expect(options).toMatchObject({
      record_call: true,
      enable_transcription: true,
      timeout_seconds: 1800,
      silence_timeout_seconds: 30,
      customer_context: { order: 'tea' },
      metadata: { crm_id: '42' },
    });
  });

  it('has those of the call in which it was agreed on', () => {
    const kept: KeptCallOptions = {
      record_call: false,
      record_storage: 's3',
      enable_transcription: false,
      transcription_provider: 'other',
      timeout_seconds: 60,
      silence_timeout_seconds: 6,
    };
    expect(planCall(scheduleWith(kept), execution, AT).options).toMatchObject(kept);
  });
});
