import { storeStreamToken } from '#access/tokens/stream-token.js';
import { inboundAgent, findCalledNumber, type InboundAgent } from '#agents/inbound-agent.js';
import type { Lookup } from '#agents/definitions/lookup.js';
import type { PhoneNumberRow } from '#agents/phone-numbers/phone-number.js';
import type { KnownProviders } from '#providers/choose-providers.js';
import { defineTransactions, shareCommits, type Tx } from '#store/transaction.js';
import { CallRow, type NewCall } from '#calls/record/call.js';
import type { TxContext } from '#calls/record/call-progress.js';
import { createCall } from '#calls/record/create-call.js';
import { finishCall, type FinishDetails } from '#calls/endings/finish-call.js';
import { noteOnCall } from '#calls/record/life-cycle-log.js';

/** An inbound call that a carrier announces, the result of its lookup, and how the call ends if it cannot be taken. */
export interface ReceiveCall {
  /**
   * The call as its carrier announces it. Its workspace is replaced by that of the called number, if the number is
   * registered.
   */
  call: NewCall;
  /** The agent that a lookup chose; ignored unless it is an active agent of the workspace. */
  chosenId: string | null;
  /** Why the lookup failed; null if it did not, or if none was made. */
  lookupFailure: string | null;
  /** The token for the call's audio socket. */
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
  /**
   * Stores a call that a carrier announces, with a token for its audio socket. A repeated announcement returns the
   * stored call, and stores a new token unless the call is over.
   */
  async receive(tx, args: ReceiveCall): Promise<CallRow> {
    const { stored, number } = await findCallAndNumber(tx, args);
    if (stored) return withToken(tx, stored, args);
    return receiveNew(tx, await findAgent(tx, number, args), args);
  },

  /**
   * Like `receive`, but stores nothing if the called number or its agent names a lookup: the lookup must be made first.
   */
  async receiveUnlessLookup(tx, args: ReceiveCall): Promise<{ call: CallRow } | { lookup: Lookup }> {
    const { stored, number } = await findCallAndNumber(tx, args);
    if (stored) return { call: withToken(tx, stored, args) };
    const found = await findAgent(tx, number, args);
    return found.lookup ? { lookup: found.lookup } : { call: await receiveNew(tx, found, args) };
  },
});

// Announcements of one leg run in order, those of different legs may share a commit.
shareCommits(inboundTransactions, { receive: legKeyOf, receiveUnlessLookup: legKeyOf });

/** The call, if it is stored already, and the called number, if it is registered. */
async function findCallAndNumber(tx: Tx, { call }: ReceiveCall) {
  const [stored, number] = await Promise.all([findStored(tx, call), findCalledNumber(tx, call.to_phone)]);
  return { stored, number };
}

/** The agent that answers the call, and the workspace that it belongs to. */
function findAgent(tx: Tx, number: PhoneNumberRow | null, args: ReceiveCall): Promise<InboundAgent> {
  const { call, chosenId, context, providers } = args;
  const { workspace } = call;
  return inboundAgent(tx, { number, workspace, chosenId, at: context.at, providers });
}

/** Stores a new call, with a note about a failed lookup; ends it at once if it has no slot or no agent. */
async function receiveNew(
  tx: Tx,
  { workspace, agent, isAvailable }: InboundAgent,
  args: ReceiveCall,
): Promise<CallRow> {
  const { call, chosenId, context } = args;
  const received = await createCall(tx, { call: { ...call, workspace }, agent, context });
  const isChoiceInvalid = chosenId !== null && agent.id !== chosenId;
  const failure = args.lookupFailure ?? (isChoiceInvalid ? UNKNOWN_AGENT : null);
  const noted = failure === null ? received : noteOnCall(tx, received, failedLookupNote(failure, context.at));
  const end = args.endIfFull ?? (isAvailable ? null : args.endIfNoAgent);
  return withToken(tx, end === null ? noted : await finishCall(tx, noted, end), args);
}

/** Stores the token for the audio of a call, unless the call is over. Returns the call. */
function withToken(tx: Tx, call: CallRow, { token }: ReceiveCall): CallRow {
  if (call.ended_reason === null) storeStreamToken(tx, { callId: call.id, ...token });
  return call;
}

/** The leg of an announced call, by its carrier and the carrier's id. */
function legKeyOf({ call }: ReceiveCall): string {
  return `${call.provider} ${call.provider_call_id ?? call.id}`;
}

/** The entry of a failed lookup in the call's life-cycle log. */
function failedLookupNote(reason: string, at: number) {
  return { type: 'lookup_failed' as const, at, data: { reason } };
}

/** The call that the carrier has announced before under the same id; null for a new call. */
async function findStored(
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
