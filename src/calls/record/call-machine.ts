import { defineMachine } from '#kernel/work/machine.js';

/**
 * The life cycle of a call (docs/states.md):
 *
 *     queued → initiated → connecting → connected → active → ending → completed
 *        │         │            │            │                   └──→ failed
 *        └─────────┴────────────┴── failed ──┘
 *        └─────────┴────────────┴── cancelled;  missed from initiated or connecting
 *
 * A `queued` call waits for its time; `missed` is for unanswered inbound calls. The API shows a `queued` call with a
 * time as `scheduled`. Only `moveCall` changes the status. If a carrier reports only the end, the call passes through
 * the statuses in between, so that each is announced once and in order.
 */
export const callMachine = defineMachine({
  queued: { rank: 0, to: ['initiated', 'cancelled', 'failed'] },
  initiated: { rank: 1, to: ['connecting', 'cancelled', 'failed', 'missed'] },
  connecting: { rank: 2, to: ['connected', 'cancelled', 'failed', 'missed'] },
  connected: { rank: 3, to: ['active', 'failed'] },
  active: { rank: 4, to: ['ending'] },
  ending: { rank: 5, to: ['completed', 'failed'] },
  completed: { rank: 6, to: [] },
  failed: { rank: 6, to: [] },
  missed: { rank: 6, to: [] },
  cancelled: { rank: 6, to: [] },
});

/** The status of a call, as its row holds it. */
export type CallStatus = keyof typeof callMachine.rules;
/** The statuses of a call that is over. */
export type FinalStatus = 'completed' | 'failed' | 'missed' | 'cancelled';
