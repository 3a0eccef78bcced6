import { expect, it } from 'vitest';
import {
  transferMove,
  type TransferEvent,
  type TransferState,
} from '#calls/live/transfers/transfer-machine.js';

const STATES: TransferState[] = ['calling', 'offering', 'joined', 'over'];
const EVENTS: TransferEvent[] = ['picked_up', 'accepted', 'leg_ended', 'taken_back', 'too_late'];

/** Every way of a warm transfer: whatever is not here does not matter. */
const MOVES: Record<string, string> = {
  'calling picked_up': 'offering offer',
  'calling leg_ended': 'over give_back',
  'calling taken_back': 'over hang_up',
  'calling too_late': 'over withdraw',
  'offering accepted': 'joined join',
  'offering leg_ended': 'over give_back',
  'offering taken_back': 'over hang_up',
  'offering too_late': 'over withdraw',
  'joined leg_ended': 'over part',
  'joined taken_back': 'over hang_up',
};

it.each(STATES.flatMap((state) => EVENTS.map((event) => [state, event] as const)))(
  '%s, %s',
  (state, event) => {
    const move = transferMove(state, event);
    expect(move && `${move.to} ${move.action}`).toBe(MOVES[`${state} ${event}`] ?? null);
  },
);

it('ends from wherever it stands, with either line, and stays ended', () => {
  for (const state of STATES.filter((one) => one !== 'over'))
    for (const event of ['leg_ended', 'taken_back'] as const)
      expect(transferMove(state, event)?.to, `${state} ${event}`).toBe('over');
});
