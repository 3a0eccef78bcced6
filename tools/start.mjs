// `npm start`: sets up what is missing, then becomes the service. One process, so that signals reach the service.
import { setUpOrExit } from './setup.mjs';

await setUpOrExit();
await import('../dist/main.js');
