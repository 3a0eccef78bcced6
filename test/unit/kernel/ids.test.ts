import { randomBytes } from 'node:crypto';
import { fromUUIDBytes, TypeID } from 'typeid-js';
import { describe, expect, it } from 'vitest';
import { createIds, derivedId, sequencedId, typeId } from '#kernel/ids/ids.js';
import { FakeClock } from '#test/support/fake-clock.js';

describe('ids', () => {
  it('are TypeIDs with their prefix', () => {
    const id = createIds(new FakeClock()).next('call');
    expect(id).toMatch(/^call_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    expect(TypeID.fromString(id).getType()).toBe('call');
  });

  it('equal those of typeid-js', () => {
    for (let i = 0; i < 1_000; i += 1) {
      const uuid = randomBytes(16);
      uuid[0]! &= 0x7f;
      expect(typeId('call', uuid)).toBe(fromUUIDBytes('call', uuid));
    }
  });

  it('sort by creation, also within a millisecond and when the wall clock is set back', async () => {
    const clock = new FakeClock();
    const ids = createIds(clock);
    const made = Array.from({ length: 500 }, () => ids.next('evt'));
    await clock.advance(1);
    made.push(ids.next('evt'));
    clock.setWall(clock.wallMs() - 60_000);
    made.push(ids.next('evt'), ids.next('evt'));
    expect([...made].sort()).toEqual(made);
    expect(new Set(made).size).toBe(made.length);
  });

  it('contain their creation time', () => {
    const clock = new FakeClock(Date.UTC(2027, 0, 2));
    const uuid = TypeID.fromString(createIds(clock).next('call')).toUUID();
    expect(Number.parseInt(uuid.replace('-', '').slice(0, 12), 16)).toBe(Date.UTC(2027, 0, 2));
  });

  it('are accompanied by secrets of the given size', () => {
    const ids = createIds(new FakeClock());
    expect(ids.secret(24)).toHaveLength(24);
    expect(ids.secret(24).equals(ids.secret(24))).toBe(false);
  });
});

describe('derived ids', () => {
  const at = Date.UTC(2027, 0, 2);

  it('stay the same in later releases, whose transactions may repeat earlier ones', () => {
    expect(derivedId('job', at, 'call_x', 'analysis')).toBe('job_01mb9v4c00ezwsx16tv8qqfkdx');
    expect(sequencedId('evt', at, 3, 'call_x', 'call.completed')).toBe('evt_01mb9v4c00e008000c3thfv0c9');
  });

  it('differ in each of their parts', () => {
    const ids = [
      derivedId('job', at, 'call_x', 'analysis'),
      derivedId('job', at, 'call_x', 'recording'),
      derivedId('job', at, 'call_y', 'analysis'),
      derivedId('job', at + 1, 'call_x', 'analysis'),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('sort by their sequence within a millisecond', () => {
    const ids = [1, 2, 3, 40].map((sequence) => sequencedId('evt', at, sequence, `call_${sequence}`));
    expect([...ids].sort()).toEqual(ids);
  });
});
