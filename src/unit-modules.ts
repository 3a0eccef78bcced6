import { builtModuleUrl } from './kernel/worker.js';

/** Every module that declares units of work: what the store's threads load. */
const PATHS = [
  './access/api-key-store.js',
  './access/idempotency-store.js',
  './access/secret-store.js',
  './access/stream-token-store.js',
  './agents/agent-store.js',
  './agents/phone-number-store.js',
  './batches/batch-load-store.js',
  './batches/batch-store.js',
  './batches/feed-store.js',
  './batches/batch-change-store.js',
  './batches/handle-store.js',
  './batches/queued-call-store.js',
  './batches/preflight-store.js',
  './batches/recipient-change-store.js',
  './batches/results-store.js',
  './batches/settle-store.js',
  './calls/call-off-store.js',
  './calls/call-store.js',
  './calls/carrier-store.js',
  './calls/dial-store.js',
  './calls/ending-store.js',
  './calls/job-store.js',
  './calls/node-store.js',
  './calls/recording-store.js',
  './calls/stream-store.js',
  './calls/talk-store.js',
  './policy/decision-store.js',
  './policy/suppression-store.js',
  './schedules/schedule-handle-store.js',
  './schedules/schedule-store.js',
  './schedules/scheduler-store.js',
  './store/ping.js',
  './webhooks/delivery-log-store.js',
  './webhooks/delivery-store.js',
  './webhooks/webhook-store.js',
];

export const unitModules: readonly URL[] = PATHS.map(
  (path) => new URL(path, builtModuleUrl(import.meta.url)),
);
