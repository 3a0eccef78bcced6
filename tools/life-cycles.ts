// The tables of every life cycle, for docs/states.md.
export { attemptMachine } from '../src/calls/queue/dial-attempt.js';
export { callMachine } from '../src/calls/record/call-machine.js';
export { actionMachine } from '../src/calls/live/actions/call-action.js';
export { jobMachine } from '../src/calls/jobs/job.js';
export { batchMachine, recipientMachine } from '../src/batches/record/batch-machine.js';
export { executionMachine } from '../src/schedules/record/schedule-machine.js';
export { deliveryMachine } from '../src/webhooks/deliveries/delivery.js';
export { ENDED_REASONS } from '../src/calls/record/ended-reason.js';
