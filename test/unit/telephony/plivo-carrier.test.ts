import { carrierContract } from '../../contracts/carrier.js';
import { openPlivoRig } from './plivo-rig.js';

carrierContract('plivo', openPlivoRig);
