import { expect, it, onTestFinished } from 'vitest';
import { BatchCentre } from '../../../src/batches/batch-centre.js';
import { readIntake } from '../../../src/batches/intake/intake.js';
import type { ScheduleHandles } from '../../../src/schedules/schedule-handles.js';
import { CallRig } from '../../support/call-rig.js';
import { PRINCIPAL } from '../../support/principal.js';

const HOUR_MS = 3_600_000;
const PAUSED = { status: 'paused', pause_reason: 'the service was not running when it was due' };

/** Calls and batches as the house puts them together, with one line to call by. */
async function openBoth() {
  const rig = await CallRig.open({ maxConcurrentCalls: 1 });
  const { store, clock, ids, centre } = rig;
  const centreOfBatches = new BatchCentre({
    store,
    clock,
    ids,
    log: rig.log.log,
    centre,
    schedules: {} as ScheduleHandles,
    settings: { defaultTimezone: 'UTC', rules: rig.rules, callsPerSecond: null, maxConcurrentCalls: 1 },
  });
  await centreOfBatches.returned();
  await centre.start();
  centreOfBatches.start();
  onTestFinished(() => centreOfBatches.stop());
  return { rig, batches: centreOfBatches.batches };
}

function intakeOf(...to_number: string[]) {
  const body = new TextEncoder().encode(JSON.stringify({ to_number }));
  const answer = readIntake({ manner: 'strict', format: 'json', body, fields: {} });
  if (answer.kind !== 'read') throw new Error('no batch');
  return answer.intake;
}

it('a machine that wakes up at night calls nobody who stood in the queue when it fell asleep', async () => {
  const { rig, batches } = await openBoth();
  const numbers = ['+14155550101', '+14155550102', '+14155550103'];
  const { id } = await batches.create(PRINCIPAL, intakeOf(...numbers), () => null);
  await rig.until(() => rig.carrier.placed.length === 1);

  rig.clock.setWall(rig.clock.wallMs() + 12 * HOUR_MS);
  await rig.carrier.report('busy');
  await rig.pass(5_000);

  expect(rig.carrier.placed.map(({ to }) => to)).toEqual([numbers[0]]);
  await rig.until(async () => (await batches.get(PRINCIPAL, id)).live_calls === 0);
  expect(await batches.get(PRINCIPAL, id)).toMatchObject({ ...PAUSED, failed_calls: 1, pending_calls: 2 });
});
