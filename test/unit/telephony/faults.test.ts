import { expect, it } from 'vitest';
import { readFaults } from '#telephony/sandbox/faults.js';

it('faults are read as a setting names them', () => {
  expect(readFaults('latency_ms=50, lost_answers=0.03')).toEqual({ latencyMs: 50, lostAnswers: 0.03 });
});

it.each([
  'lost_answers',
  'lost_answers=',
  'lost_answers=2',
  'latency_ms=-1',
  'latency_ms=1=2',
  'rain=1',
  'constructor=1',
])('faults that nobody knows are none: %s', (written) => {
  expect(readFaults(written)).toBeNull();
});
