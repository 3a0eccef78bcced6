// The service without its voices, which dies at the place that FAILPOINT names, at once and without a word: one of its
// own places, or one of its storages: `storage.verified` (an upload is done), `file.unlinked` (the first file of a
// recording is about to be deleted). Its carrier takes CARRIER_CALLS_PER_SECOND, where that is set.
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { buildApp } from '../../dist/app/app.js';
import { readConfig } from '../../dist/config/read-config.js';
import { createLog } from '../../dist/kernel/log/log.js';

const passes = (place) => {
  if (place === process.env.FAILPOINT) process.kill(process.pid, 'SIGKILL');
};
const { unlink } = fs;
fs.unlink = async (path) => {
  if (String(path).endsWith('.wav')) passes('file.unlinked');
  return unlink(path);
};
syncBuiltinESMExports();

const nobody = { name: 'nobody', close: async () => {} };
const bound = (object, methods) =>
  Object.fromEntries(methods.map((method) => [method, (...args) => object[method](...args)]));
const callsPerSecond = process.env.CARRIER_CALLS_PER_SECOND;
const app = await buildApp(readConfig(process.env), {
  log: createLog('ERROR', process.stderr),
  speech: { ...nobody, tts: nobody, stt: nobody, dialogue: () => nobody, warmUp: async () => {} },
  analyst: nobody,
  sandbox: callsPerSecond ? { callsPerSecond: Number(callsPerSecond) } : {},
  failpoint: passes,
  objectStorage: (storage) => ({
    async upload(...args) {
      await storage.upload(...args);
      passes('storage.verified');
    },
    ...bound(storage, ['keyOf', 'put', 'read', 'sizeOf', 'remove', 'signedAddress', 'probe']),
  }),
});
const { port } = await app.listen();
process.stderr.write(`${JSON.stringify({ msg: 'listening', port })}\n`);
