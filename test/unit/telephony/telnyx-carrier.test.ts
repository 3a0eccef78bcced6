import { carrierContract } from '#test/contracts/carrier.js';
import { createTelnyxRig } from './telnyx-rig.js';

carrierContract('telnyx', createTelnyxRig);
