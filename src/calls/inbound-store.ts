import { keepStreamToken } from '../access/stream-token-store.js';
import { answeringAgent } from '../agents/answering.js';
import { defineUnits, type Tx } from '../store/unit.js';
import { CallRow, type NewCall } from './call.js';
import type { Moment } from './call-progress.js';
import { createCall } from './create-call.js';
import { finishCall, type FinishDetails } from './finish-call.js';

export interface ReceiveCall {
  /** Its workspace is where calls to numbers that nobody registered belong. */
  call: NewCall;
  /** The id of the default agent, should it have to be made. */
  newAgentId: string;
  token: { tokenHash: string; expiresAt: number };
  moment: Moment;
  /** There is no room for it: it is written down, and over. */
  turnedAway: FinishDetails | null;
}

export const inboundUnits = defineUnits('inbound', {
  /**
   * Takes in a call that a carrier announces, with a token for its socket. The same call announced again is the same
   * call, with another token.
   */
  async receive(tx, args: ReceiveCall): Promise<CallRow> {
    const known = await findKnown(tx, args.call);
    const call = known ?? (await receiveNew(tx, args));
    if (call.ended_reason === null) await keepStreamToken(tx, { callId: call.id, ...args.token });
    return call;
  },
});

async function receiveNew(tx: Tx, { call, newAgentId, moment, turnedAway }: ReceiveCall): Promise<CallRow> {
  const { workspace, agent } = await answeringAgent(tx, {
    calledNumber: call.to_phone,
    workspace: call.workspace,
    newAgentId,
    at: moment.at,
  });
  const received = await createCall(tx, { call: { ...call, workspace }, agent, moment });
  return turnedAway === null ? received : finishCall(tx, received, turnedAway);
}

async function findKnown(tx: Tx, { provider, provider_call_id: line }: NewCall): Promise<CallRow | null> {
  if (line === null) return null;
  const row = await tx.get('select * from calls where provider = ? and provider_call_id = ?', provider, line);
  return row ? CallRow.parse(row) : null;
}
