// The service without voices, which exits at once and silently at the failure point FAILPOINT. Its carrier accepts
// CARRIER_CALLS_PER_SECOND, if set.
import { buildApp } from '../../dist/app/app.js';
import { readConfig } from '../../dist/config/read-config.js';
import { createLog } from '../../dist/kernel/log/log.js';

const nobody = { name: 'nobody', close: async () => {} };
const callsPerSecond = process.env.CARRIER_CALLS_PER_SECOND;
const app = await buildApp(readConfig(process.env), {
  log: createLog('ERROR', process.stderr),
  speech: { ...nobody, tts: nobody, stt: nobody, dialogue: () => nobody, warmUp: async () => {} },
  analyst: nobody,
  sandbox: callsPerSecond ? { callsPerSecond: Number(callsPerSecond) } : {},
  failpoint: (place) => {
    if (place === process.env.FAILPOINT) process.kill(process.pid, 'SIGKILL');
  },
});
const { port } = await app.listen();
process.stderr.write(`${JSON.stringify({ msg: 'listening', port })}\n`);
