import { liveCallsContract } from '#test/contracts/live-calls.js';
import { CallRig } from '#test/support/call-rig.js';
import { EchoCalls } from '#test/support/live-calls.js';

liveCallsContract('of the service', async () => {
  const rig = await CallRig.started();
  return {
    calls: rig.callService.streams,
    async right() {
      await rig.create();
      await rig.until(() => rig.carrier.placed.length === 1);
      const instruction = await rig.carrier.answer();
      return { kind: 'token', token: instruction!.parameters['token']! };
    },
    until: (isTrue) => rig.until(isTrue),
  };
});

liveCallsContract('that echo', async () => {
  const calls = new EchoCalls();
  return {
    calls,
    right: async () => ({ kind: 'token', token: 'st_1' }),
    until: (isTrue) => calls.until(isTrue),
  };
});
