// `npm start`: sets up what is missing, then becomes the service. One process, so that signals reach the service.
import { setUpToRun } from './setup.mjs';

await setUpToRun();
await import('../dist/main.js');
