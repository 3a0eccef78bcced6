const NAMES = [
  'access/idempotency-store',
  'access/stream-token-store',
  'agents/agent-store',
  'calls/backlog-store',
  'calls/call-off-store',
  'calls/call-store',
  'calls/carrier-recording-store',
  'calls/carrier-store',
  'calls/dial-store',
  'calls/ending-store',
  'calls/inbound-store',
  'calls/job-store',
  'calls/node-store',
  'calls/recording-store',
  'calls/retention-store',
  'calls/stream-store',
  'calls/talk-store',
  'policy/decision-store',
  'policy/suppression-store',
  'schedules/call-back-store',
];

/** The modules whose units the room of the calls runs, and those that look into its tables. */
export const CALL_UNITS: readonly URL[] = [
  ...NAMES.map((name) => new URL(`../../src/${name}.ts`, import.meta.url)),
  new URL('./call-look-units.ts', import.meta.url),
];
