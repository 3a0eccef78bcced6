import { requireCallingAgent } from '#agents/definitions/needed-variables.js';
import { defineTransactions } from '#store/transaction.js';

/** Calls behind the expected duration and cost. */
const CALLS_LOOKED_AT = 200;

export const preflightTransactions = defineTransactions('preflights', {
  /** The variables that an agent needs. @throws Problem `agent_not_found` */
  async neededBy(tx, args: { workspace: string; agentId: string }): Promise<readonly string[]> {
    return (await requireCallingAgent(tx, args.workspace, args.agentId, 'agent_id')).needed.names;
  },

  /** Averages of the latest answered calls of a workspace; null if there are none. */
  async experience(
    tx,
    args: { workspace: string },
  ): Promise<{ talkSeconds: number; costUsd: number; calls: number } | null> {
    const row = await tx.get(
      `select count(*) as calls, avg(ended_at - answered_at) as talk_ms, avg(cost_usd) as cost_usd from (
         select ended_at, answered_at, cost_usd from calls
         where workspace = ? and answered_at is not null and ended_at is not null and direction = 'outbound'
         order by created_at desc, id desc limit ${CALLS_LOOKED_AT}) as latest`,
      args.workspace,
    );
    const calls = Number(row?.['calls'] ?? 0);
    if (calls === 0) return null;
    return { calls, talkSeconds: Number(row?.['talk_ms']) / 1_000, costUsd: Number(row?.['cost_usd']) };
  },
});
