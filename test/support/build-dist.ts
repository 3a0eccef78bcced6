import { buildDist } from '../../tools/build.mjs';

export const setup = buildDist;
