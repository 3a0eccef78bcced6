import { beforeAll, describe, expect, it } from 'vitest';
import { isOpenAt } from '#policy/hours/calling-hours.js';
import type { CallWindow } from '#policy/hours/call-window.js';
import { decide } from '#policy/deciding/decide.js';
import type { Question } from '#policy/deciding/decision.js';
import { factsOf } from '#policy/numbers/number-facts.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import { isCallingTime, slowVerdict } from './slow-oracle.js';
import { cases } from '#test/support/tier.js';

const HOUR_MS = 3_600_000;
const WORK_DAYS = 0b0011111;
const NINE_TO_FIVE: CallWindow = { startMinute: 540, endMinute: 1020, days: WORK_DAYS, timezone: null };
const CAPS = [
  { attempts: 3, hours: 24 },
  { attempts: 7, hours: 168 },
];
/** A Wednesday, 12:00 in Berlin. */
const NOON = Date.parse('2026-11-25T11:00:00Z');
const BERLIN = '+4930123456';

function rules(changes: Partial<PolicyRules> = {}): PolicyRules {
  const usual = { window: NINE_TO_FIVE, ownWindow: null, caps: CAPS, countries: null };
  return { mode: 'enforce', fallbackZone: 'UTC', ...usual, ...changes };
}

function question(changes: Partial<Question> = {}): Question {
  return { phoneNumber: BERLIN, now: NOON, suppression: null, attempts: [], ...changes };
}

const hoursAgo = (...hours: number[]) => hours.map((hour) => NOON - hour * HOUR_MS);

describe('in every mode', () => {
  it.each(['off', 'warn', 'enforce'] as const)('%s: suppressed numbers are not called', (mode) => {
    const suppression = { reason: 'opt_out', until: null };

    expect(decide(question({ suppression }), rules({ mode }))).toEqual({
      verdict: 'skip',
      reason: 'suppressed',
      findings: [{ objection: 'suppressed', enforced: true, until: null, detail: 'opt_out' }],
    });
  });

  it('a suppression that expires defers nothing after its expiry', () => {
    const until = NOON + HOUR_MS;
    const suppression = { reason: 'other', until };
    const verdictAt = (now: number) => decide(question({ suppression, now }), rules({ mode: 'off' })).verdict;

    expect([verdictAt(until - 1), verdictAt(until)]).toEqual(['skip', 'dial']);
  });

  it.each([
    ['+19005551234', 'premium_number'],
    ['+97912345678', 'premium_number'],
    ['+881612345678', 'satellite_number'],
    ['+870773123456', 'satellite_number'],
    ['+1234567', 'short_code'],
  ])('%s is never called (%s)', (phoneNumber, objection) => {
    const decision = decide(question({ phoneNumber }), rules({ mode: 'off' }));

    expect(decision).toMatchObject({ verdict: 'skip', reason: 'premium_number', findings: [{ objection }] });
  });

  it.each(['+15551234567', '+1234567890', '+15550100001', '+18005551234', '+29022222'])(
    '%s is called: no plan has to know a number',
    (phoneNumber) => {
      expect(decide(question({ phoneNumber }), rules({ mode: 'off' })).verdict).toBe('dial');
    },
  );

  it('only allowed countries are called', () => {
    const only = rules({ mode: 'off', countries: ['DE'] });

    expect(decide(question(), only).verdict).toBe('dial');
    expect(decide(question({ phoneNumber: '+33123456789' }), only)).toMatchObject({
      reason: 'country_not_allowed',
      findings: [{ detail: 'FR' }],
    });
    expect(decide(question({ phoneNumber: '+15551234567' }), only)).toMatchObject({
      reason: 'country_not_allowed',
      findings: [{ detail: null }],
    });
  });

  it('a call window is enforced always, calling hours only in enforce', () => {
    const evening = question({ now: NOON + 8 * HOUR_MS });
    const opensAt = Date.parse('2026-11-26T08:00:00Z');

    for (const mode of ['off', 'warn'] as const) {
      expect(decide(evening, rules({ mode })).verdict).toBe('dial');
      expect(decide(evening, rules({ mode, window: null, ownWindow: NINE_TO_FIVE }))).toMatchObject({
        verdict: 'defer',
        until: opensAt,
      });
    }
  });
});

describe('the mode', () => {
  const lateAndOften = question({ now: NOON + 8 * HOUR_MS, attempts: hoursAgo(1, 2, 3) });

  it('off ignores hours and caps', () => {
    expect(decide(lateAndOften, rules({ mode: 'off' }))).toEqual({ verdict: 'dial', findings: [] });
  });

  it('warn dials and records both', () => {
    const decision = decide(lateAndOften, rules({ mode: 'warn' }));

    expect(decision.verdict).toBe('dial');
    expect(decision.findings).toEqual([
      { objection: 'attempt_cap', enforced: false, until: NOON + 21 * HOUR_MS, detail: '3 in 24 h' },
      {
        objection: 'outside_calling_window',
        enforced: false,
        until: Date.parse('2026-11-26T08:00:00Z'),
        detail: 'Europe/Berlin',
      },
    ]);
  });

  it('enforce defers until both allow it', () => {
    expect(decide(lateAndOften, rules())).toMatchObject({ verdict: 'defer', reason: 'attempt_cap' });
  });
});

describe('attempt caps', () => {
  it('count an attempt for exactly their period', () => {
    const at = (ms: number) => decide(question({ attempts: [...hoursAgo(1, 2), NOON - ms] }), rules());

    expect(at(24 * HOUR_MS)).toEqual({ verdict: 'dial', findings: [] });
    expect(at(24 * HOUR_MS - 1)).toMatchObject({ verdict: 'defer', until: NOON + 1, reason: 'attempt_cap' });
  });

  it('defer until the last of them ends, in any order', () => {
    const caps = [
      { attempts: 2, hours: 24 },
      { attempts: 1, hours: 2 },
    ];
    const attempts = hoursAgo(1, 3);
    for (const told of [caps, caps.toReversed()])
      expect(decide(question({ attempts }), rules({ window: null, caps: told }))).toMatchObject({
        verdict: 'defer',
        until: NOON + 21 * HOUR_MS,
        findings: [{ detail: '2 in 24 h' }],
      });
  });

  it('may span a week', () => {
    const decision = decide(question({ attempts: hoursAgo(30, 40, 50, 60, 70, 80, 160) }), rules());

    expect(decision).toMatchObject({ verdict: 'defer', until: NOON + 8 * HOUR_MS + 13 * HOUR_MS });
    expect(decision.findings[0]).toMatchObject({ detail: '7 in 168 h', until: NOON + 8 * HOUR_MS });
  });
});

describe('calling hours', () => {
  it('must be open in every zone that a number may be in', () => {
    const anywhereInTheUnitedStates = '+18005551234';
    const zones = factsOf(anywhereInTheUnitedStates).zones;
    const decision = decide(question({ phoneNumber: anywhereInTheUnitedStates }), rules());

    expect(zones).toContain('Pacific/Honolulu');
    expect(zones).not.toContain('Pacific/Guam');
    expect(decision).toMatchObject({ verdict: 'defer' });
    const until = (decision as { until: number }).until;
    expect(isOpenAt(NINE_TO_FIVE, zones, until)).toBe(true);
    expect(isOpenAt(NINE_TO_FIVE, zones, until - 1)).toBe(false);
  });

  it('without a common opening are a reason not to call', () => {
    const window = { ...NINE_TO_FIVE, endMinute: 600 };

    expect(decide(question({ phoneNumber: '+18005551234' }), rules({ window }))).toMatchObject({
      verdict: 'skip',
      reason: 'outside_calling_window',
      findings: [{ until: null }],
    });
  });

  it('of a number without a place use the fallback zone', () => {
    const night = Date.parse('2026-11-25T03:00:00Z');
    const nowhere = question({ phoneNumber: '+80012345678', now: night });

    expect(decide(nowhere, rules()).verdict).toBe('defer');
    expect(decide(nowhere, rules({ fallbackZone: 'Asia/Tokyo' })).verdict).toBe('dial');
  });
});

describe('random inputs', () => {
  const NUMBERS = [
    BERLIN,
    '+14155550123',
    '+12125550123',
    '+442071234567',
    '+61291234567',
    '+911123456789',
    '+97221234567',
    '+56221234567',
    '+20221234567',
    '+212522123456',
    '+27111234567',
    '+64212345678',
    '+16045550123',
    '+35312345678',
    '+18095550123',
    '+881612345678',
    '+19005551234',
  ];
  let random: () => number;
  beforeAll(() => {
    let seed = 20_261_125;
    random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed / 2_147_483_648;
    };
  });
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]!;
  const between = (least: number, most: number) => least + Math.floor(random() * (most - least));

  function randomWindow(): CallWindow {
    const startMinute = between(0, 1_320);
    return {
      startMinute,
      endMinute: between(startMinute + 30, 1_441),
      days: random() < 0.7 ? 127 : between(1, 128),
      timezone: random() < 0.2 ? pick(['America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata']) : null,
    };
  }

  function randomCase(): { asked: Question; by: PolicyRules } {
    const now = between(Date.parse('2026-01-01T00:00:00Z'), Date.parse('2029-01-01T00:00:00Z'));
    const attempts = Array.from({ length: between(0, 9) }, () => now - between(0, 200 * HOUR_MS));
    return {
      asked: {
        phoneNumber: pick(NUMBERS),
        now,
        suppression: random() < 0.02 ? { reason: 'opt_out', until: null } : null,
        attempts,
      },
      by: rules({
        mode: pick(['off', 'warn', 'enforce', 'enforce']),
        window: random() < 0.9 ? randomWindow() : null,
        ownWindow: random() < 0.4 ? randomWindow() : null,
      }),
    };
  }

  /** Refused kinds come before all other checks. */
  function expected(asked: Question, by: PolicyRules) {
    const refused = ['satellite', 'premium_rate'].includes(factsOf(asked.phoneNumber).kind);
    if (refused && !asked.suppression) return { verdict: 'skip', reason: 'premium_number' };
    return slowVerdict(asked, by, factsOf(asked.phoneNumber).zones);
  }

  it('give the same decisions as a minute-by-minute search', () => {
    const verdicts = { dial: 0, defer: 0, skip: 0 };
    for (let turn = 0; turn < cases(2_000, 8_000, 100_000); turn += 1) {
      const { asked, by } = randomCase();
      const decision = decide(asked, by);
      const { verdict, ...more } = expected(asked, by);
      const isSame =
        decision.verdict === verdict &&
        Object.entries(more).every(([field, value]) => Reflect.get(decision, field) === value);
      if (!isSame) expect.fail(JSON.stringify({ asked, by, decision, expected: { verdict, ...more } }));
      verdicts[decision.verdict] += 1;
    }
    for (const count of Object.values(verdicts)) expect(count).toBeGreaterThan(cases(100, 400, 5_000));
  });

  it('give the openings of a calendar', () => {
    for (let turn = 0; turn < cases(300, 700, 5_000); turn += 1) {
      const { asked, by } = randomCase();
      if (!by.window) continue;
      const zones = factsOf(pick(NUMBERS.slice(0, 13))).zones;
      const isOpen = isOpenAt(by.window, zones, asked.now);
      if (isOpen !== isCallingTime(by.window, zones, asked.now)) {
        expect.fail(JSON.stringify({ window: by.window, zones, at: asked.now }));
      }
    }
  });
});
