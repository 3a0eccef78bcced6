import { describe, expect, it } from 'vitest';
import { attemptMachine, whereMayBecome } from '#calls/queue/dial-attempt.js';

describe('the condition under which attempts may be moved', () => {
  it('names the states that the table leads from', () => {
    expect(whereMayBecome('placed')).toBe("status in ('pending', 'claimed', 'dialling', 'uncertain')");
    expect(whereMayBecome('dialling')).toBe("status in ('claimed')");
  });

  it('lets nothing out of a final state', () => {
    for (const status of attemptMachine.states)
      expect(attemptMachine.leadingTo(status)).not.toContain('ended');
  });
});
