import { describe, expect, it } from 'vitest';
import { retryReasonsOf } from '../../../src/schedules/record/retry.js';
import { CarrierError } from '../../../src/telephony/carrier.js';
import { CallRig } from '../../support/call-rig.js';

const lost = () => Promise.reject(new CarrierError('unknown', 'timeout', 'no answer'));

describe('a call of which nobody knows whether it rang', () => {
  it('ends as uncertain, which is never tried again, also when its carrier cannot be asked', async () => {
    const rig = await CallRig.started();
    rig.carrier.traits = { ...rig.carrier.traits, lookUp: 'best_effort' };
    rig.carrier.answers.push(lost);
    rig.carrier.found = () => {
      throw new CarrierError('unknown', 'server_error', 'down');
    };
    const call = await rig.create();
    await rig.pass(400_000, 1_000);
    const { ended_reason } = await rig.call(call.id);
    expect(ended_reason).toBe('uncertain');
    expect(retryReasonsOf('uncertain')).toEqual([]);
    expect(rig.carrier.placed).toHaveLength(1);
  });

  it('is looked up twice after each request that was lost, before it is dialled again', async () => {
    const rig = await CallRig.started();
    rig.carrier.answers.push(lost, lost);
    await rig.create();
    for (let i = 0; i < 100 && rig.carrier.placed.length < 2; i += 1) await rig.pass(500);
    expect(rig.carrier.lookedUp).toHaveLength(2);
    for (let i = 0; i < 100 && rig.carrier.placed.length < 3; i += 1) await rig.pass(500);
    expect(rig.carrier.lookedUp).toHaveLength(4);
  });
});
