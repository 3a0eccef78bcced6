const NAMES = [
  'access/idempotency-store',
  'access/stream-token-store',
  'agents/agent-store',
  'calls/after-call/job-store',
  'calls/backlog-store',
  'calls/call-store',
  'calls/dialling/dial-store',
  'calls/endings/call-off-store',
  'calls/endings/ending-store',
  'calls/inbound/inbound-store',
  'calls/live/stream-store',
  'calls/recordings/recording-store',
  'calls/reports/carrier-recording-store',
  'calls/reports/carrier-store',
  'calls/retention-store',
  'calls/talk/talk-store',
  'calls/watch/node-store',
  'policy/decision-store',
  'policy/suppression-store',
  'schedules/call-backs/call-back-store',
];

/** The modules whose units the room of the calls runs, and those that look into its tables. */
export const CALL_UNITS: readonly URL[] = [
  ...NAMES.map((name) => new URL(`../../src/${name}.ts`, import.meta.url)),
  new URL('./call-look-units.ts', import.meta.url),
];
