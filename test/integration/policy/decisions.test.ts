import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toInstant } from '#kernel/time/clock.js';
import { decisionTransactions } from '#policy/decisions/decision-store.js';
import type { PolicyAsk } from '#policy/decisions/ask-policy.js';
import { createNumbers } from '#policy/decisions/numbers.js';
import { policyPurges } from '#policy/policy-retention.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import { suppressionTransactions } from '#policy/suppressions/suppression-store.js';
import type { Store } from '#store/store.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { startTestStore } from '#test/support/store.js';

const HOUR_MS = 3_600_000;
/** A Wednesday, 12:00 in Berlin. */
const NOON = Date.parse('2026-11-25T11:00:00Z');
const RULES: PolicyRules = {
  mode: 'enforce',
  window: { startMinute: 540, endMinute: 1200, days: 127, timezone: null },
  ownWindow: null,
  caps: [
    { attempts: 3, hours: 24 },
    { attempts: 7, hours: 168 },
  ],
  countries: null,
  fallbackZone: 'UTC',
};

let store: Store;
const clock = new FakeClock(NOON);
beforeAll(async () => {
  store = await startTestStore();
});
afterAll(() => store.close());

let serial = 0;
let phoneNumber: string;
beforeEach(() => {
  phoneNumber = `+4930${String(1_000_000 + (serial += 1))}`;
});

const idOf = (prefix: string, at: number) => `${prefix}_${String(at).padStart(26, '0')}`;

function ask(at: number, changes: Partial<PolicyAsk> = {}) {
  const now = NOON + at;
  return store.write(decisionTransactions.ask, {
    workspace: 'default',
    phoneNumber,
    moment: 'dialling',
    subjectId: idOf('dial', at + serial * 1e12),
    callId: idOf('call', at),
    now,
    rules: RULES,
    ...changes,
  });
}

function decisions(more: { verdict?: ('dial' | 'defer' | 'skip')[]; limit?: number } = {}) {
  const numbers = createNumbers({ store, clock, rules: RULES });
  const filter = { workspace: 'default', phoneNumber, verdict: more.verdict };
  return numbers.decisions(
    { ...filter, decidedAfter: undefined, decidedBefore: undefined },
    null,
    more.limit ?? 50,
  );
}

describe('a decision', () => {
  it('is stored whatever the verdict, with an explanation, newest first', async () => {
    await ask(0, { moment: 'accepted', subjectId: idOf('call', 0) });
    await ask(1);
    await ask(9 * HOUR_MS);
    await ask(9 * HOUR_MS + 1, { rules: { ...RULES, mode: 'warn' } });
    const { items } = await decisions();

    expect(items.map(({ moment, verdict, explanation }) => ({ moment, verdict, explanation }))).toEqual([
      {
        moment: 'dialling',
        verdict: 'dial',
        explanation:
          'Dialled, although it was not calling time in Europe/Berlin; that is only noted while COMPLIANCE_MODE is warn.',
      },
      {
        moment: 'dialling',
        verdict: 'defer',
        explanation:
          'Not called, and not to be called before 2026-11-26T08:00:00.000Z: it was not calling time in Europe/Berlin.',
      },
      { moment: 'dialling', verdict: 'dial', explanation: 'Dialled: nothing speaks against it.' },
      { moment: 'accepted', verdict: 'dial', explanation: 'Accepted: nothing speaks against it.' },
    ]);
    expect((await decisions({ verdict: ['defer'] })).items).toHaveLength(1);
    expect((await decisions({ limit: 3 })).next).toEqual({ createdAt: NOON + 1, id: items[2]!.subject_id });
  });

  it('counts for caps if it was dialled, not if it was accepted or deferred', async () => {
    for (let at = 0; at < 5; at += 1) {
      await ask(at, { moment: 'accepted', subjectId: idOf('call', at) });
    }
    for (let at = 10; at < 13; at += 1) expect((await ask(at)).verdict).toBe('dial');

    // The first attempt is a day old at noon, within the calling hours.
    expect(await ask(20)).toMatchObject({
      verdict: 'defer',
      reason: 'attempt_cap',
      until: NOON + 10 + 24 * HOUR_MS,
    });
    expect((await ask(24 * HOUR_MS + 10)).verdict).toBe('dial');
  });

  it('for the same attempt replaces the one before', async () => {
    const again = { subjectId: idOf('dial', 77) };
    for (let at = 0; at < 5; at += 1) expect((await ask(at, again)).verdict).toBe('dial');

    expect((await decisions()).items).toMatchObject([{ decided_at: '2026-11-25T11:00:00.004Z' }]);
    expect((await ask(9, again)).verdict).toBe('dial');
  });

  it('for the same attempt is recorded again in warn', async () => {
    const rules: PolicyRules = { ...RULES, mode: 'warn', caps: [{ attempts: 1, hours: 24 }] };
    await ask(0, { rules });
    const again = { subjectId: idOf('dial', 77), rules };
    for (const at of [1, 2]) {
      const { findings } = await ask(at, again);
      expect(findings.map(({ objection }) => objection)).toEqual(['attempt_cap']);
    }
  });

  it('is listed from an instant on, on one page only', async () => {
    for (const at of [0, 1, 2, 3]) await ask(at, { moment: 'accepted', subjectId: idOf('call', at) });
    const numbers = createNumbers({ store, clock, rules: RULES });
    const from = { verdict: undefined, decidedAfter: NOON + 1, decidedBefore: undefined };
    const filter = { workspace: 'default', phoneNumber, ...from };
    const first = await numbers.decisions(filter, null, 2);
    const second = await numbers.decisions(filter, first.next, 2);
    expect([...first.items, ...second.items].map(({ subject_id }) => subject_id)).toEqual(
      [3, 2, 1].map((at) => idOf('call', at)),
    );
    expect(second.next).toBeNull();
  });

  it('belongs to one workspace', async () => {
    for (let at = 0; at < 3; at += 1) await ask(at, { workspace: 'elsewhere' });

    expect((await ask(10)).verdict).toBe('dial');
    expect((await decisions()).items).toHaveLength(1);
  });

  it('is made for the time of dialling', async () => {
    const night = { moment: 'accepted', subjectId: idOf('call', 1) } as const;

    expect((await ask(12 * HOUR_MS, { ...night, dialAt: NOON + 24 * HOUR_MS })).verdict).toBe('dial');
  });

  it('reads the suppression list until an entry expires', async () => {
    const entry = {
      id: idOf('sup', 1),
      workspace: 'default',
      phoneNumber,
      at: NOON,
      expiresAt: NOON + HOUR_MS,
      reason: 'opt_out' as const,
      source: 'call' as const,
      note: null,
      callId: idOf('call', 1),
    };
    await store.write(suppressionTransactions.add, { entry, kept: null });

    expect(await ask(1, { rules: { ...RULES, mode: 'off' } })).toMatchObject({
      verdict: 'skip',
      reason: 'suppressed',
    });
    expect((await ask(HOUR_MS)).verdict).toBe('dial');
    expect((await decisions()).items[1]?.explanation).toBe(
      'Not called: the number is on the suppression list (opt_out, until 2026-11-25T12:00:00.000Z).',
    );
  });

  it('holds caps for concurrent attempts', async () => {
    const asked = await Promise.all(Array.from({ length: 12 }, (_, at) => ask(at)));

    expect(asked.filter(({ verdict }) => verdict === 'dial')).toHaveLength(3);
  });
});

describe('the history', () => {
  it('is read for many numbers', async () => {
    await ask(0);
    await ask(1);
    const quiet = '+4930999999';
    const histories = await store.read(decisionTransactions.histories, {
      workspace: 'default',
      phoneNumbers: [phoneNumber, quiet],
      now: NOON + 2,
    });

    expect([...histories.keys()]).toEqual([phoneNumber]);
    expect(
      histories
        .get(phoneNumber)
        ?.attempts.map(({ at }) => at)
        .sort(),
    ).toEqual([NOON, NOON + 1]);
  });

  it('is shown for a number', async () => {
    await ask(-26 * HOUR_MS);
    await ask(-1);
    const numbers = createNumbers({ store, clock, rules: RULES });

    expect(await numbers.get('default', phoneNumber)).toMatchObject({
      phone_number: phoneNumber,
      country: 'DE',
      kind: 'fixed_line',
      time_zones: ['Europe/Berlin'],
      suppressed: false,
      calling_window: { start: '09:00', end: '20:00', timezone: null },
      window_open: true,
      window_opens_at: '2026-11-25T11:00:00.000Z',
      attempts: [
        { hours: 24, used: 1, limit: 3 },
        { hours: 168, used: 2, limit: 7 },
      ],
      compliance_mode: 'enforce',
      verdict: 'dial',
      explanation: 'May be called: nothing speaks against it.',
    });
  });
});

describe('old data', () => {
  const DAY_MS = 24 * HOUR_MS;
  const forget = async (now: number) => {
    const forgotten = policyPurges(store, 30).map((purge) => purge(now));
    return Promise.all(forgotten);
  };

  it('is deleted after its retention period', async () => {
    await forget(NOON + 20 * DAY_MS);
    for (const at of [-31 * DAY_MS, -30 * DAY_MS - 1, -30 * DAY_MS, -1]) await ask(at);
    const [decisionsFirst] = policyPurges(store, 30);
    const kept = async () => (await decisions()).items.map((decision) => decision.decided_at);

    expect(await decisionsFirst!(NOON)).toBe(false);
    expect(await kept()).toEqual([toInstant(NOON - 1), toInstant(NOON - 30 * DAY_MS)]);
    await decisionsFirst!(NOON + 1);
    expect(await kept()).toEqual([toInstant(NOON - 1)]);
  });

  it('includes suppressions that have expired, and no others', async () => {
    const entry = {
      id: idOf('sup', 9 + serial),
      workspace: 'default',
      phoneNumber,
      at: NOON,
      callId: null,
      reason: 'opt_out' as const,
      source: 'api' as const,
      note: null,
      expiresAt: NOON + HOUR_MS,
    };
    await store.write(suppressionTransactions.add, { entry, kept: null });
    await store.write(suppressionTransactions.add, {
      entry: { ...entry, id: idOf('sup', 1e6), phoneNumber: '+493088888888', expiresAt: null },
      kept: null,
    });
    await forget(NOON + HOUR_MS - 1);
    const kept = () =>
      store.read(suppressionTransactions.check, {
        workspace: 'default',
        phoneNumbers: [phoneNumber, '+493088888888'],
        now: NOON,
      });

    expect(await kept()).toHaveLength(2);
    await forget(NOON + HOUR_MS);
    expect((await kept()).map((row) => row.expires_at)).toEqual([null]);
  });
});
