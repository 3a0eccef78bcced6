import { describe, expect, it } from 'vitest';
import { isTechnical, recordEnd, INITIAL_STATE, type Verdict } from '#batches/settling/circuit-breaker.js';
import type { EndedReason } from '#calls/record/ended-reason.js';

/** Ends one after the other, so many milliseconds apart; what follows from each. */
function verdictsOn(reasons: readonly EndedReason[], apartMs = 1_000): Verdict[] {
  let state = INITIAL_STATE;
  return reasons.map((reason, at) => {
    const judged = recordEnd(state, { at: at * apartMs, reason });
    state = judged.state;
    return judged.verdict;
  });
}

const times = (count: number, reason: EndedReason) => Array.from({ length: count }, () => reason);

describe('the circuit breaker', () => {
  it('pauses when more than half of at least five ends were technical', () => {
    const bad = times(3, 'stream_error');
    expect(verdictsOn([...bad, 'busy', 'busy'])).toEqual([
      null,
      null,
      null,
      null,
      { kind: 'pause', reason: '3 of the last 5 calls failed for technical reasons' },
    ]);
    expect(verdictsOn(times(4, 'stream_error')).at(-1)).toBeNull();
    expect(verdictsOn([...bad, 'busy', 'busy', 'busy'].toReversed() as EndedReason[]).at(-1)).toBeNull();
  });

  it('drops ends older than two minutes', () => {
    expect(verdictsOn(times(20, 'stream_error'), 30_000).at(-1)).toBeNull();
    expect(verdictsOn(times(20, 'stream_error'), 29_000).at(-1)).toMatchObject({ kind: 'pause' });
  });

  it('has nothing against people', () => {
    for (const reason of [
      'busy',
      'no_answer',
      'rejected',
      'voicemail',
      'suppressed',
      'invalid_number',
    ] as const) {
      expect(isTechnical(reason), reason).toBe(false);
      expect(verdictsOn(times(50, reason)).every((verdict) => verdict === null)).toBe(true);
    }
  });

  it.each(['server_shutdown', 'server_crash'] as const)(
    'counts the calls that one %s of the service took as one failure',
    (reason) => {
      const verdicts = verdictsOn(['agent_hangup', ...times(8, reason), 'agent_hangup', 'busy', 'busy'], 100);
      expect(verdicts.filter((verdict) => verdict !== null)).toEqual([]);
    },
  );

  it('pauses all the same when the service dies again and again', () => {
    const deaths = Array.from({ length: 5 }, () => ['server_crash', 'server_crash'] as const).flat();
    expect(verdictsOn(deaths, 10_000).at(-1)).toMatchObject({ kind: 'pause' });
  });

  it('aborts after twenty errors of the carrier in a row, and not when one call went well in between', () => {
    expect(verdictsOn(times(20, 'provider_error')).at(-1)).toMatchObject({ kind: 'abort' });
    const mended: EndedReason[] = [...times(19, 'provider_error'), 'agent_hangup', 'provider_error'];
    expect(verdictsOn(mended).filter((verdict) => verdict?.kind === 'abort')).toEqual([]);
  });

  it('aborts soon when the carrier refuses the account or the caller id', () => {
    const verdicts = verdictsOn(times(5, 'provider_refused'));
    expect(verdicts.map((verdict) => verdict?.kind)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      'abort',
    ]);
    expect(verdicts.at(-1)!.reason).toContain('credentials');
  });

  it('remembers little', () => {
    let state = INITIAL_STATE;
    for (let at = 0; at < 1_000; at += 1) ({ state } = recordEnd(state, { at, reason: 'busy' }));
    expect(JSON.parse(state.recent_ends)).toHaveLength(100);
  });

  it('drops an unreadable state', () => {
    for (const recent_ends of ['', '{bad', '{}', '[{"at":"soon"}]']) {
      const { state, verdict } = recordEnd(
        { recent_ends, refusals_in_row: 19 },
        { at: 7, reason: 'provider_error' },
      );
      expect(verdict).toMatchObject({ kind: 'abort' });
      expect(state).toEqual({ recent_ends: '[{"at":7,"technical":true}]', refusals_in_row: 20 });
    }
  });

  it('goes by the newest ends, however many there were in two minutes', () => {
    const verdicts = verdictsOn([...times(100, 'busy'), ...times(51, 'stream_error')], 100);
    expect(verdicts.at(-2)).toBeNull();
    expect(verdicts.at(-1)).toEqual({
      kind: 'pause',
      reason: '51 of the last 100 calls failed for technical reasons',
    });
  });
});
