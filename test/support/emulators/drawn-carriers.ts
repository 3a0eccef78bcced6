import { drawn } from '#test/support/tier.js';
import type { TestedCarrierDefinition } from './tested-carrier.js';
import { TESTED_CARRIERS } from './tested-carriers.js';

/** Carriers with the wire protocol of Twilio. */
const LIKE_TWILIO = ['twilio', 'signalwire', 'generic', 'telnyx_texml'];

/**
 * The carriers of a suite that takes long with each of them: those that are unlike all others there, and a random
 * choice of one that speaks as Twilio does and one that does not. All of them in a soak run.
 */
export function drawnCarriers(
  always: (carrier: TestedCarrierDefinition) => boolean,
): TestedCarrierDefinition[] {
  const others = TESTED_CARRIERS.filter((one) => !always(one));
  const isLikeTwilio = ({ name }: TestedCarrierDefinition) => LIKE_TWILIO.includes(name);
  return [
    ...TESTED_CARRIERS.filter(always),
    ...drawn(1, others.filter(isLikeTwilio)),
    ...drawn(
      1,
      others.filter((one) => !isLikeTwilio(one)),
    ),
  ];
}
