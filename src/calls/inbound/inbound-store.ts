import { keepStreamToken } from '#access/tokens/stream-token.js';
import { answeringAgent, answeringLookup } from '#agents/answering.js';
import type { Lookup } from '#agents/definitions/lookup.js';
import type { KnownProviders } from '#providers/choose-providers.js';
import { defineTransactions, ofNone, shareCommits, type Tx } from '#store/transaction.js';
import { CallRow, type NewCall } from '#calls/record/call.js';
import type { TxContext } from '#calls/record/call-progress.js';
import { createCall } from '#calls/record/create-call.js';
import { finishCall, type FinishDetails } from '#calls/endings/finish-call.js';
import { noteOnCall } from '#calls/record/note-on-call.js';

/** An inbound call to create, and the agents that may answer it. */
export interface ReceiveCall {
  /** The call as announced. Its workspace is replaced by that of the called number, if the number is registered. */
  call: NewCall;
  /** The agent that a lookup chose; ignored unless it is an active agent of the workspace. */
  chosenId: string | null;
  /** Why a lookup failed; null if none did. */
  lookupFailure: string | null;
  /** The id of the default agent, if this transaction has to create it. */
  newAgentId: string;
  token: { tokenHash: string; expiresAt: number };
  context: TxContext;
  providers: KnownProviders;
  /** How the call ends because no slot is free; null if it has a slot. */
  endIfFull: FinishDetails | null;
  /** How the call ends if no agent answers the called number. */
  endIfNoAgent: FinishDetails;
}

/** The failure of a lookup whose chosen agent does not exist or is not active. */
export const UNKNOWN_AGENT = 'unknown_agent';

/** The transactions of `InboundCalls`. */
export const inboundTransactions = defineTransactions('inbound', {
  /** The lookup to make for an announced call; null if none is configured, or if the call is already stored. */
  async lookup(
    tx,
    args: {
      provider: string;
      providerCallId: string | null;
      calledNumber: string;
      workspace: string;
      providers: KnownProviders;
    },
  ): Promise<Lookup | null> {
    const known = await findKnown(tx, { provider: args.provider, provider_call_id: args.providerCallId });
    return known === null ? answeringLookup(tx, args) : null;
  },

  /**
   * Stores a call that a carrier announces, with a token for its audio socket. A repeated announcement returns the same
   * call and stores a new token.
   */
  async receive(tx, args: ReceiveCall): Promise<CallRow> {
    const known = await findKnown(tx, args.call);
    const call = known ?? (await receiveNew(tx, args));
    if (call.ended_reason === null) await keepStreamToken(tx, { callId: call.id, ...args.token });
    return call;
  },
});

shareCommits(inboundTransactions, {
  lookup: ofNone,
  receive: ({ call }) => `${call.provider} ${call.provider_call_id ?? call.id}`,
});

async function receiveNew(tx: Tx, args: ReceiveCall): Promise<CallRow> {
  const { call, chosenId, newAgentId, context } = args;
  const { workspace, agent, answers } = await answeringAgent(tx, {
    calledNumber: call.to_phone,
    workspace: call.workspace,
    chosenId,
    newAgentId,
    at: context.at,
    providers: args.providers,
  });
  const received = await createCall(tx, { call: { ...call, workspace }, agent, context });
  const isChoiceInvalid = chosenId !== null && agent.id !== chosenId;
  const failure = args.lookupFailure ?? (isChoiceInvalid ? UNKNOWN_AGENT : null);
  const noted = failure === null ? received : await noteOnCall(tx, received, noteOf(failure, context.at));
  const end = args.endIfFull ?? (answers ? null : args.endIfNoAgent);
  return end === null ? noted : finishCall(tx, noted, end);
}

function noteOf(reason: string, at: number) {
  return { type: 'lookup_failed', at, data: { reason } };
}

async function findKnown(
  tx: Tx,
  { provider, provider_call_id: legId }: Pick<NewCall, 'provider' | 'provider_call_id'>,
): Promise<CallRow | null> {
  if (legId === null) return null;
  const row = await tx.get(
    'select * from calls where provider = ? and provider_call_id = ?',
    provider,
    legId,
  );
  return row ? CallRow.parse(row) : null;
}
