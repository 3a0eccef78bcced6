import { describe, expect, it } from 'vitest';
import { PlayoutLog } from '#conversation/speaking/playout-log.js';

/** Of 100 to 400 ms, and of 1000 to 1200 ms. */
function inTwo(): PlayoutLog {
  const sent = new PlayoutLog();
  for (let at = 100; at < 400; at += 20) sent.add(at, 20);
  for (let at = 1_000; at < 1_200; at += 20) sent.add(at, 20);
  return sent;
}

const heardAt = (sent: PlayoutLog, heardMs: number) => [sent.unheardMs(heardMs), sent.heardEndMs(heardMs)];

describe('the sound of a turn', () => {
  it('that was not sent was not missed', () => {
    const sent = new PlayoutLog();
    expect([sent.startMs, sent.endMs]).toEqual([null, 0]);
    expect(heardAt(sent, -50)).toEqual([0, 0]);
    sent.cutAt(100);
    expect(sent.startMs).toBe(null);
  });

  it('was heard up to a moment, and a break was not missed', () => {
    const sent = inTwo();
    expect([sent.startMs, sent.endMs]).toEqual([100, 1_200]);
    expect(heardAt(sent, 50)).toEqual([500, 0]);
    expect(heardAt(sent, 150)).toEqual([450, 150]);
    expect(heardAt(sent, 700)).toEqual([200, 400]);
    expect(heardAt(sent, 1_050)).toEqual([150, 1_050]);
    expect(heardAt(sent, Infinity)).toEqual([0, 1_200]);
  });

  it.each([
    ['in the midst of it', 1_100, [100, 1_100]],
    ['in a break', 700, [100, 400]],
    ['in the midst of the first', 300, [100, 300]],
    ['before it began', 50, [100, 100]],
  ] as const)('goes on from where it was settled %s, and what was heard remains so', (_, heardMs, span) => {
    const sent = inTwo();
    sent.cutAt(heardMs);
    expect([sent.startMs, sent.endMs]).toEqual(span);
    expect(sent.certainlyHeardMs).toBe(span[1]);
    expect(sent.unheardMs(0)).toBe(0);
    sent.add(2_000, 100);
    expect(sent.unheardMs(0)).toBe(100);
    expect(sent.heardEndMs(0)).toBe(heardMs === 50 ? 0 : span[1]);
    expect(heardAt(sent, 2_050)).toEqual([50, 2_050]);
  });
});
