import { IANAZone } from 'luxon';
import { describe, expect, it } from 'vitest';
import { factsOf } from '../../../src/policy/number-facts.js';
import { ZONES_BY_PREFIX } from '../../../src/policy/number-zones.js';

describe('what a number tells about itself', () => {
  it.each([
    ['+14155550123', 'US', 'fixed_line_or_mobile', ['America/Los_Angeles']],
    ['+491711234567', 'DE', 'mobile', ['Europe/Berlin']],
    ['+442071234567', 'GB', 'fixed_line', ['Europe/London']],
    ['+390612345678', 'IT', 'fixed_line', ['Europe/Rome']],
    ['+819012345678', 'JP', 'mobile', ['Asia/Tokyo']],
    ['+79161234567', 'RU', 'mobile', ['Europe/Moscow']],
  ])('%s', (number, country, kind, zones) => {
    expect(factsOf(number)).toEqual({ country, kind, zones });
  });

  it.each([
    ['+61550123456', ['Australia/Perth', 'Australia/Sydney', 'Australia/Lord_Howe'], ['Indian/Cocos']],
    ['+18005551234', ['America/New_York', 'Pacific/Honolulu'], ['Pacific/Guam', 'America/Toronto']],
    ['+15550100001', ['America/New_York', 'Pacific/Honolulu'], ['Pacific/Guam', 'America/Toronto']],
  ])('%s may be in several zones of its country', (number, within, without) => {
    const { zones } = factsOf(number);

    expect(zones).toEqual(expect.arrayContaining(within));
    for (const zone of without) expect(zones).not.toContain(zone);
  });

  it('may be that it is in no place', () => {
    expect(factsOf('+80012345678').zones).toEqual([]);
    expect(factsOf('+9991234567')).toEqual({ country: null, kind: 'unknown', zones: [] });
  });

  it('is known to the time-zone data of the machine', () => {
    const zones = new Set(ZONES_BY_PREFIX.split(/[\s&]+/).filter((word) => /^[A-Z]/.test(word)));

    expect(zones.size).toBeGreaterThan(200);
    expect([...zones].filter((zone) => !IANAZone.isValidZone(zone))).toEqual([]);
  });
});
