import { carrierContract } from '#test/contracts/carrier.js';
import { createVonageRig } from './vonage-rig.js';

carrierContract('vonage', () => createVonageRig());
