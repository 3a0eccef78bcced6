import { carrierContract } from '#test/contracts/carrier.js';
import { openPlivoRig } from './plivo-rig.js';

carrierContract('plivo', openPlivoRig);
