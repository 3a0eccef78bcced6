import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SenderRig } from './sender-rig.js';
import { webhookTestTransactions } from './webhook-transactions.js';

const SERVER_ERROR = { outcome: 'server_error', statusCode: 500 } as const;

interface Policy {
  max_attempts: number;
  backoff_multiplier: number;
  initial_delay_seconds: number;
  max_delay_seconds: number;
}

const policies = fc.record<Policy>({
  max_attempts: fc.integer({ min: 0, max: 20 }),
  backoff_multiplier: fc.double({ min: 1, max: 10, noNaN: true }),
  initial_delay_seconds: fc.integer({ min: 1, max: 86_400 }),
  max_delay_seconds: fc.integer({ min: 1, max: 86_400 }),
});

/** The waits between the end of each attempt and the beginning of the next one. */
async function waitsOf(rig: SenderRig, webhookId: string): Promise<number[]> {
  const attempts = await rig.store.read(webhookTestTransactions.attempts, { webhookId });
  return attempts
    .slice(1)
    .map((row, index) => Number(row['started_at']) - Number(attempts[index]!['ended_at']));
}

function plannedMs(policy: Policy, retry: number): number {
  const grown = policy.initial_delay_seconds * policy.backoff_multiplier ** (retry - 1);
  return Math.min(grown, policy.max_delay_seconds) * 1_000;
}

describe('a receiver that fails every time', () => {
  it('is retried after 60, 300 and 900 seconds, and then no more', async () => {
    const rig = await SenderRig.open();
    rig.answer = () => SERVER_ERROR;
    rig.tookMs = 1_500;
    const { id } = await rig.register();
    await rig.happens();
    await rig.run();

    const waits = await waitsOf(rig, id);
    expect(waits).toHaveLength(3);
    for (const [index, planned] of [60_000, 300_000, 900_000].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(planned);
      expect(waits[index]).toBeLessThanOrEqual(planned * 1.2);
    }
    expect(new Set(rig.sent.map(({ body }) => String(body))).size).toBe(1);
    expect(new Set(rig.sent.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await rig.statuses()).toEqual({ failed: 1 });
  });

  it('is retried by each of 50 policies', async () => {
    const rig = await SenderRig.open();
    rig.answer = () => SERVER_ERROR;
    const sample = fc.sample(policies, { numRuns: 50, seed: 7 });
    const webhooks = [];
    for (const policy of sample) webhooks.push({ policy, ...(await rig.register({ retry_policy: policy })) });
    await rig.happens();
    // Of one receiver alone so many failures in a row would make it be tried less often.
    await rig.run(undefined, () => rig.store.write(webhookTestTransactions.forgetFailures, {}));

    for (const { policy, id } of webhooks) {
      const waits = await waitsOf(rig, id);
      expect(waits).toHaveLength(policy.max_attempts);
      for (const [index, wait] of waits.entries()) {
        const planned = plannedMs(policy, index + 1);
        expect(wait).toBeGreaterThanOrEqual(planned);
        expect(wait).toBeLessThanOrEqual(planned * 1.2);
      }
    }
    expect(await rig.statuses()).toEqual({ failed: 50 });
  });

  it.each([
    ['rate_limited', 429],
    ['server_error', 503],
  ] as const)(
    'is left in peace for as long as it asks, but not for ever: %s, %i',
    async (outcome, statusCode) => {
      const rig = await SenderRig.open();
      const { id } = await rig.register();
      const asked = ['600', '10', '999999'];
      rig.answer = () => ({ outcome, statusCode, retryAfter: asked.shift() ?? null });
      await rig.happens();
      await rig.run();

      const waits = await waitsOf(rig, id);
      expect(waits[0]).toBe(600_000);
      expect(waits[1]).toBeGreaterThanOrEqual(300_000);
      expect(waits[1]).toBeLessThanOrEqual(360_000);
      expect(waits[2]).toBe(3_600_000);
    },
  );

  it('has its Retry-After ignored with a status that does not define it', async () => {
    const rig = await SenderRig.open();
    const { id } = await rig.register({ retry_policy: { max_attempts: 1 } });
    rig.answer = () => ({ ...SERVER_ERROR, retryAfter: '600' });
    await rig.happens();
    await rig.run();

    const [wait] = await waitsOf(rig, id);
    expect(wait).toBeGreaterThanOrEqual(60_000);
    expect(wait).toBeLessThanOrEqual(72_000);
  });
});

describe('an attempt', () => {
  it.each([
    ['client_error', 404],
    ['redirect', 307],
    ['blocked_address', null],
  ] as const)('that will not get better ends the delivery at once: %s', async (outcome, statusCode) => {
    const rig = await SenderRig.open();
    rig.answer = () => ({ outcome, statusCode });
    await rig.register();
    await rig.happens();
    await rig.run();

    expect(rig.sent).toHaveLength(1);
    expect(await rig.statuses()).toEqual({ failed: 1 });
  });

  it('of 500 and then one of 200 is a delivery with two attempts', async () => {
    const rig = await SenderRig.open();
    const answers = [SERVER_ERROR];
    rig.answer = () => answers.shift() ?? {};
    const { id } = await rig.register();
    await rig.happens();
    await rig.run();

    const attempts = await rig.store.read(webhookTestTransactions.attempts, { webhookId: id });
    expect(attempts.map((row) => row['outcome'])).toEqual(['server_error', 'success']);
    expect(await rig.statuses()).toEqual({ delivered: 1 });
  });
});
