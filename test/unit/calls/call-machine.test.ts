import { describe, expect, it } from 'vitest';
import { callMachine } from '#calls/record/call-machine.js';
import { attemptMachine } from '#calls/queue/dial-attempt.js';
import { ENDED_REASONS } from '#calls/record/ended-reason.js';
import type { Machine } from '#kernel/work/machine.js';

function expectSound<State extends string>(machine: Machine<State>, first: State): void {
  for (const state of machine.states) {
    if (state !== first) expect(machine.path(first, state), `${state} is reachable`).not.toBeNull();
    if (machine.isFinal(state)) continue;
    const ends = machine.states.filter((end) => machine.isFinal(end) && machine.path(state, end) !== null);
    expect(ends, `${state} can end`).not.toEqual([]);
  }
}

describe('the call machine', () => {
  it('reaches every state, and ends from every state', () => expectSound(callMachine, 'queued'));

  it('only moves on: every step leads to a higher rank', () => {
    for (const from of callMachine.states) {
      for (const to of callMachine.rules[from].to) {
        expect(callMachine.rules[to].rank, `${from} → ${to}`).toBeGreaterThan(callMachine.rules[from].rank);
      }
    }
  });

  it('follows the order of the interface when a state is skipped', () => {
    expect(callMachine.path('initiated', 'completed')).toEqual([
      'connecting',
      'connected',
      'active',
      'ending',
      'completed',
    ]);
    expect(callMachine.path('initiated', 'failed')).toEqual(['failed']);
    expect(callMachine.path('active', 'failed')).toEqual(['ending', 'failed']);
  });

  it('has nothing ahead of a call that is over', () => {
    for (const end of ['completed', 'failed', 'missed', 'cancelled'] as const) {
      expect(callMachine.states.filter((state) => callMachine.isAhead(end, state))).toEqual([]);
    }
    expect(callMachine.isAhead('active', 'connected')).toBe(false);
    expect(callMachine.isAhead('connecting', 'connecting')).toBe(false);
  });

  it('has a way from every state on the line to the end that each reason means', () => {
    for (const [reason, { status }] of Object.entries(ENDED_REASONS)) {
      const from = status === 'cancelled' || status === 'missed' ? 'connecting' : 'active';
      expect(callMachine.path(from, status), reason).not.toBeNull();
    }
  });
});

describe('the attempt machine', () => {
  it('reaches every state, and ends from every state', () => expectSound(attemptMachine, 'pending'));

  it('never leads back into the queue once the carrier has taken the call', () => {
    expect(attemptMachine.canMove('placed', 'pending')).toBe(false);
    expect(attemptMachine.path('placed', 'dialling')).toBeNull();
  });
});
