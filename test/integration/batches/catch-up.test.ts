import { expect, it, onTestFinished } from 'vitest';
import { BatchService } from '#batches/batch-service.js';
import { readIntake } from '#batches/intake/intake.js';
import { batchChangeTransactions } from '#batches/scheduled-calls/batch-changes.js';
import type { ScheduleHandles } from '#schedules/schedule-handles.js';
import { CallRig } from '#test/support/call-rig.js';
import { PRINCIPAL } from '#test/support/principal.js';

const HOUR_MS = 3_600_000;
const PAUSED = { status: 'paused', pause_reason: 'the service was not running when it was due' };

/** Calls and batches composed as in the service, with one line. */
async function openBoth() {
  const rig = await CallRig.open({ maxConcurrentCalls: 1 });
  const { store, clock, ids, callService } = rig;
  const batchService = new BatchService({
    store,
    clock,
    ids,
    log: rig.log.log,
    callService,
    schedules: {} as ScheduleHandles,
    settings: {
      defaultTimezone: 'UTC',
      planningHorizonDays: 3_653,
      rules: rig.rules,
      callsPerSecond: Number.POSITIVE_INFINITY,
      maxConcurrentCalls: 1,
    },
  });
  await batchService.catchUp();
  await callService.start();
  batchService.start();
  onTestFinished(() => batchService.stop());
  return { rig, batchService, batches: batchService.batches };
}

function intakeOf(fields: object, ...to_number: string[]) {
  const body = new TextEncoder().encode(JSON.stringify({ to_number, ...fields }));
  const answer = readIntake({ mode: 'strict', format: 'json', body, fields: {} });
  if (answer.kind !== 'read') throw new Error('no batch');
  return answer.intake;
}

it('after a suspend until the night, queued numbers are not called', async () => {
  const { rig, batches } = await openBoth();
  const numbers = ['+14155550101', '+14155550102', '+14155550103'];
  const { id } = await batches.create(PRINCIPAL, intakeOf({}, ...numbers), () => null);
  await rig.until(() => rig.carrier.placed.length === 1);

  rig.clock.setWall(rig.clock.wallMs() + 12 * HOUR_MS);
  await rig.carrier.report('busy');
  await rig.pass(5_000);

  expect(rig.carrier.placed.map(({ to }) => to)).toEqual([numbers[0]]);
  await rig.until(async () => (await batches.get(PRINCIPAL, id)).live_calls === 0);
  expect(await batches.get(PRINCIPAL, id)).toMatchObject({ ...PAUSED, failed_calls: 1, pending_calls: 2 });
});

it('a service that comes back with other time-zone data begins a batch at its local time', async () => {
  const { rig, batchService, batches } = await openBoth();
  const written = '2026-12-01 09:00:00';
  const { id } = await batches.create(
    PRINCIPAL,
    intakeOf({ scheduled_time: written }, '+14155550101'),
    () => null,
  );
  const byOtherData = { time: { written, at: Date.parse('2026-12-01T07:00:00Z') }, zone: 'Europe/Berlin' };
  const args = { workspace: PRINCIPAL.workspace, id, change: byOtherData, at: rig.clock.wallMs() };
  await rig.store.write(batchChangeTransactions.change, args);
  await batchService.catchUp();
  expect(await batches.get(PRINCIPAL, id)).toMatchObject({ scheduled_at: '2026-12-01T08:00:00.000Z' });
});
