import { expect, it } from 'vitest';
import { RECIPIENT_REASONS } from '#batches/record/batch.js';
import { errorOf } from '#batches/record/recipient-status.js';
import { ENDED_REASONS } from '#calls/record/ended-reason.js';

it('every reason for an unreached number has a sentence, and no other reason has', () => {
  const silent = RECIPIENT_REASONS.filter((reason) => errorOf(reason) === null);
  const good = Object.entries(ENDED_REASONS).filter(([, { fault }]) => fault === null);
  expect(silent).toEqual(good.map(([reason]) => reason));
  expect(errorOf(null)).toBeNull();
});
