import { carrierContract } from '#test/contracts/carrier.js';
import { createTexmlRig } from './texml-rig.js';

carrierContract('telnyx_texml', createTexmlRig);
