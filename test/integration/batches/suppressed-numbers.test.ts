import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNumbers } from '#policy/decisions/numbers.js';
import { BatchRig, numbersOf } from '#test/support/batch-rig.js';
import { later, type BatchAnswer } from '#test/support/batches.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';
import { databaseOn, engines } from '#test/support/engines.js';

describe.each(engines)('why a number of a batch will not be called, on %s', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    const { databaseUrl } = await databaseOn(engine);
    service = await buildTestService(databaseUrl ? { environment: { DATABASE_URL: databaseUrl } } : {});
  });
  afterAll(() => service?.close());

  const post = async <Answer = BatchAnswer>(path: string, body: object) => {
    const { status, body: answer } = await service.request('POST', path, body);
    expect(status, JSON.stringify(answer)).toBeLessThan(300);
    return answer as Answer;
  };
  const decisionsOf = async (number: string) => {
    const { body } = await service.request('GET', `/api/numbers/${encodeURIComponent(number)}/decisions`);
    return (body as { data: Record<string, unknown>[] }).data.map(
      ({ call_id, moment, verdict, reason, explanation }) => ({
        call_id,
        moment,
        verdict,
        reason,
        explanation,
      }),
    );
  };
  const refusalOf = (call_id: unknown) => ({
    call_id,
    moment: 'accepted',
    verdict: 'skip',
    reason: 'suppressed',
    explanation: 'Not to be called: the number is on the suppression list (opt_out).',
  });

  it('is on record from when it was accepted, for each that is on the list', async () => {
    const numbers = numbersOf(450);
    const refused = [numbers[0]!, numbers[7]!, numbers[449]!];
    await post('/api/suppressions/import', { phone_numbers: refused, reason: 'opt_out' });
    // This suppression ends before the number's turn.
    const ending = { phone_number: numbers[1], expires_at: later(1) };
    await post('/api/suppressions', ending);
    const batch = await post('/batch/schedule-call', {
      to_number: [...numbers, numbers[7]],
      scheduled_time: later(),
    });

    for (const number of refused) {
      const callId = batch.calls.find(({ phone_number }) => phone_number === number)?.call_id;
      const expected = refusalOf(callId ?? expect.stringMatching(/^call_/));
      expect(await decisionsOf(number)).toEqual([expected]);
    }
    expect(await decisionsOf(numbers[1]!)).toEqual([]);
    expect(await decisionsOf(numbers[2]!)).toEqual([]);
  });

  it('is on record when it comes onto the list later, as of a single call', async () => {
    const number = '+14155550188';
    const scheduled_time = later();
    const batch = await post('/batch/schedule-call', {
      to_number: [number, '+14155550189'],
      scheduled_time,
    });
    const single = await post<{ id: string }>('/outbound-call', { to_number: number, scheduled_time });
    await post('/api/suppressions', { phone_number: number, reason: 'opt_out' });

    const told = await decisionsOf(number);
    expect(told).toHaveLength(3);
    expect(told).toContainEqual(refusalOf(batch.call_ids[0]));
    expect(told).toContainEqual(refusalOf(single.id));
    expect(told.at(-1)).toMatchObject({ call_id: single.id, verdict: 'dial' });
    expect(await decisionsOf('+14155550189')).toEqual([]);
  });
});

it('is forgotten with a batch that was never finished', async () => {
  const rig = await BatchRig.open();
  const [number] = numbersOf(1);
  await rig.suppress(number!);
  await rig.dieWhileMaking(2);
  const decided = async () => {
    const { store, clock, rules } = rig;
    const asked = { workspace: 'default', phoneNumber: number!, verdict: undefined };
    const ever = { decidedAfter: undefined, decidedBefore: undefined };
    return (await createNumbers({ store, clock, rules }).decisions({ ...asked, ...ever }, null, 9)).items;
  };
  expect(await decided()).toHaveLength(1);
  await rig.clock.advance(60_001);
  await rig.feed();
  expect(await decided()).toEqual([]);
});
