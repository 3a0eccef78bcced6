import { describe, expect, it } from 'vitest';
import { transitionFor, type TalkEvent, type TalkState } from '#conversation/talk/talk-machine.js';

const STATES: TalkState[] = [
  'opening',
  'listening',
  'thinking',
  'speaking',
  'yielding',
  'connecting',
  'greeted',
  'leaving',
  'parting',
  'closing',
  'ended',
];
const EVENTS: TalkEvent[] = [
  'sounded',
  'said',
  'said_goodbye',
  'said_transfer',
  'not_connected',
  'utterance',
  'input',
  'nothing_said',
  'overlap',
  'barge_in',
  'false_alarm',
  'idle',
  'silence',
  'machine',
  'beeped',
  'faded',
];

/** Every state that can be reached from `from`. */
function reachable(from: TalkState): Set<TalkState> {
  const seen = new Set([from]);
  for (const state of seen) {
    for (const event of EVENTS) {
      const move = transitionFor(state, event);
      if (move) seen.add(move.to);
    }
  }
  return seen;
}

describe('the table of a talk', () => {
  it('reaches every state, and from every state the end', () => {
    expect([...reachable('opening')].sort()).toEqual([...STATES].sort());
    for (const state of STATES) expect(reachable(state)).toContain('ended');
  });

  it('hears nothing after the end', () => {
    for (const event of EVENTS) expect(transitionFor('ended', event)).toBeNull();
  });

  it('loses nothing that the caller says while the call lives', () => {
    for (const state of STATES.filter((other) => other !== 'ended')) {
      expect(transitionFor(state, 'utterance')?.action).toMatch(/^(note|answer|weigh)$/);
    }
  });

  it('is interrupted only while it speaks, and hangs up for silence only while it listens', () => {
    expect(STATES.filter((state) => transitionFor(state, 'barge_in'))).toEqual(['speaking', 'yielding']);
    expect(STATES.filter((state) => transitionFor(state, 'overlap'))).toEqual(['speaking']);
    expect(transitionFor('yielding', 'false_alarm')).toEqual({ to: 'speaking', action: 'resume' });
    expect(STATES.filter((state) => transitionFor(state, 'silence'))).toEqual(['listening']);
    expect(STATES.filter((state) => transitionFor(state, 'idle'))).toEqual(['listening']);
  });
});
