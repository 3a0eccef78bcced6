// The service without its voices, killed at the step that FAILPOINT names:
//
// - `before dials.failed`, `after dials.claim`: a transaction, by its name. One that has found nothing (an empty list,
//   none) does not count. `after feeds.release 2`: the second time.
// - `after carrier.place`: a request to the carrier
// - `storage.verified` (an upload is done), `file.unlinked` (the first file of a recording is about to be deleted)
//
// The carrier takes CARRIER_CALLS_PER_SECOND, if set. NEAR_THREADS is the compiled `near-threads.ts`, if the database is
// to be served in the thread of the service: a start then takes a third less processor time.
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { buildApp } from '../../dist/app/app.js';
import { readConfig } from '../../dist/config/read-config.js';
import { nameOfTransaction, transactionNamed } from '../../dist/store/transaction.js';
import { createLog } from '../../dist/kernel/log/log.js';

const [, step, times = '1'] = /^(.*?)(?: (\d+))?$/.exec(process.env.FAILPOINT ?? '');
let timesLeft = Number(times);
const passes = (place) => {
  if (place === step && --timesLeft === 0) process.kill(process.pid, 'SIGKILL');
};
const hasFoundNothing = (result) => result === 0 || (Array.isArray(result) && result.length === 0);

/** Announces the beginning and the end of what is done, under its name. */
const announced = async (name, run) => {
  passes(`before ${name}`);
  const result = await run();
  if (!hasFoundNothing(result)) passes(`after ${name}`);
  return result;
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
const { CARRIER_CALLS_PER_SECOND: callsPerSecond, NEAR_THREADS: nearThreads } = process.env;
const threads = nearThreads ? (await import(nearThreads)).startNearThreads() : undefined;
const replaced = {
  log: createLog('ERROR', process.stderr),
  speech: { ...nobody, tts: nobody, stt: nobody, dialogue: () => nobody, warmUp: async () => {} },
  analyst: nobody,
  sandbox: callsPerSecond ? { callsPerSecond: Number(callsPerSecond) } : {},
  store: (store) => ({
    ...bound(store, ['listen', 'backup', 'close']),
    write: (transaction, args) =>
      announced(nameOfTransaction(transaction), () => store.write(transaction, args)),
    read: (transaction, args) =>
      announced(nameOfTransaction(transaction), () => store.read(transaction, args)),
  }),
  carrier: (carrier) => ({
    name: carrier.name,
    traits: carrier.traits,
    ...bound(carrier, ['transfer', 'close']),
    ...Object.fromEntries(
      ['place', 'lookUp', 'hangUp'].map((asked) => [
        asked,
        (...args) => announced(`carrier.${asked}`, () => carrier[asked](...args)),
      ]),
    ),
  }),
  objectStorage: (storage) => ({
    async upload(...args) {
      await storage.upload(...args);
      passes('storage.verified');
    },
    ...bound(storage, ['keyOf', 'put', 'read', 'sizeOf', 'remove', 'signedAddress', 'probe']),
  }),
};
const app = await buildApp(readConfig(process.env), replaced, {}, threads);
const ofTransaction = /^(?:before|after) (?!carrier\.)(.+)$/.exec(step)?.[1];
// A name that is not known would never be passed.
if (ofTransaction) transactionNamed(ofTransaction);
const { port } = await app.listen();
process.stderr.write(`${JSON.stringify({ msg: 'listening', port })}\n`);
