import { IANAZone } from 'luxon';
import { describe, expect, it } from 'vitest';
import { factsOf } from '#policy/numbers/number-facts.js';
import { offsetMs } from '#kernel/time/time-zone.js';
import { ZONES_BY_PREFIX } from '#policy/numbers/number-zones.js';

describe('the properties of a number', () => {
  it.each([
    ['+14155550123', 'US', 'fixed_line_or_mobile', ['America/Los_Angeles']],
    ['+491711234567', 'DE', 'mobile', ['Europe/Berlin']],
    ['+442071234567', 'GB', 'fixed_line', ['Europe/London']],
    ['+390612345678', 'IT', 'fixed_line', ['Europe/Rome']],
    ['+819012345678', 'JP', 'mobile', ['Asia/Tokyo']],
    ['+74951234567', 'RU', 'fixed_line', ['Europe/Moscow']],
    ['+5592912345678', 'BR', 'mobile', ['America/Manaus']],
  ])('%s', (number, country, kind, zones) => {
    expect(factsOf(number)).toEqual({ country, kind, zones, likelyZones: zones });
  });

  it.each([
    ['+61412345678', ['Australia/Sydney'], ['Australia/Perth', 'Australia/Sydney'], ['Indian/Cocos']],
    ['+79161234567', ['Europe/Moscow'], ['Europe/Moscow', 'Asia/Kamchatka'], ['Asia/Almaty']],
    ['+34612345678', ['Europe/Madrid'], ['Europe/Madrid', 'Atlantic/Canary'], []],
    ['+447400123456', ['Europe/London'], ['Europe/London'], ['Europe/Jersey']],
  ])('%s is a mobile, which may be anywhere in its country', (number, likelyZones, within, without) => {
    const facts = factsOf(number);

    expect(facts).toMatchObject({ kind: 'mobile' });
    expect(facts.likelyZones).toEqual(likelyZones);
    expect(facts.zones).toEqual(expect.arrayContaining(within));
    for (const zone of without) expect(facts.zones).not.toContain(zone);
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

  it.each([
    ['+212612345678', 'Africa/Casablanca'],
    ['+213551234567', 'Africa/Algiers'],
    ['+218912345678', 'Africa/Tripoli'],
    ['+211977123456', 'Africa/Juba'],
    ['+50588123456', 'America/Managua'],
    ['+970599123456', 'Asia/Gaza'],
    ['+74012345678', 'Europe/Kaliningrad'],
    ['+79161234567', 'Europe/Kaliningrad'],
    ['+78452123456', 'Europe/Saratov'],
    ['+61740311234', 'Australia/Brisbane'],
    ['+14745550123', 'America/Regina'],
    ['+12507851234', 'America/Fort_Nelson'],
    ['+526141234567', 'America/Chihuahua'],
    ['+56612345678', 'America/Punta_Arenas'],
  ])('%s keeps the hours of %s all year', (number, ownZone) => {
    for (let day = 0; day < 365; day += 1) {
      const at = Date.UTC(2027, 0, 1 + day, 12);
      expect(factsOf(number).zones.map((zone) => offsetMs(zone, at))).toContain(offsetMs(ownZone, at));
    }
  });

  it('may include no zone', () => {
    expect(factsOf('+80012345678').zones).toEqual([]);
    expect(factsOf('+9991234567')).toMatchObject({ country: null, kind: 'unknown', zones: [] });
  });

  it('only name zones that the machine knows', () => {
    const zones = new Set(ZONES_BY_PREFIX.split(/[\s&]+/).filter((word) => /^[A-Z]/.test(word)));

    expect(zones.size).toBeGreaterThan(200);
    expect([...zones].filter((zone) => !IANAZone.isValidZone(zone))).toEqual([]);
  });
});
