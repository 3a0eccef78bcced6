import { HearingUse, SpeakingUse, type CallCost, type CallUsage } from '#calls/record/call-cost.js';
import { findCall, lockCall } from '#calls/record/call-rows.js';
import { enqueueJob } from '#calls/jobs/job-queue.js';
import type { CallRow } from '#calls/record/call.js';
import { modelUsesOf } from '#calls/talk/model-rows.js';
import { flag } from '#store/statements/columns.js';
import { defineTransactions, type Tx } from '#store/transaction.js';
import { costOf, knownUsd, withCarrierPrice } from './cost-of-call.js';
import { isBuiltInProvider, type PriceTable } from './prices.js';

// Stores what a call has used and cost: at the end of its talk (`AudioStreams`), and again when its carrier reports a
// price (`CarrierPrices`, `CarrierReports`).

/** The delay after a talk before its price is first requested: carriers need some time to compute it. */
const FIRST_REQUEST_DELAY_MS = 60_000;

/** The transactions on the usage and cost of calls. */
export const costTransactions = defineTransactions('call_costs', {
  /**
   * Stores the usage and cost of a talk before the call ends, so that the events of its end carry both. Queues the
   * request for the carrier's price, if the carrier can be asked for it.
   * @param args.endedAt when the talk was over (epoch milliseconds)
   * @param args.asksPrice whether the carrier can be asked for its price
   */
  async settle(
    tx,
    args: { callId: string; endedAt: number; prices: PriceTable; asksPrice: boolean },
  ): Promise<void> {
    const call = await lockCall(tx, args.callId);
    if (!call) return;
    const usage = await usageOf(tx, call, args.endedAt);
    const cost = costOf(usage, args.prices, call.carrier_price_usd);
    await tx.run('update calls set usage = ? where id = ?', JSON.stringify(usage), call.id);
    await storeCost(tx, call.id, cost);
    if (!args.asksPrice || call.carrier_price_usd !== null) return;
    const at = args.endedAt + FIRST_REQUEST_DELAY_MS;
    enqueueJob(tx, { kind: 'price', callId: call.id, at });
  },

  /** Stores the carrier's own price in US dollars, which may arrive before or after `settle`. */
  async carrierPriced(tx, args: { callId: string; usd: number }): Promise<void> {
    await storeCarrierPrice(tx, args);
  },

  /** The call leg whose price must be requested; null if the price is known or the call does not exist. */
  async unpriced(tx, args: { callId: string }): Promise<UnpricedLeg | null> {
    const call = await findCall(tx, args.callId);
    if (!call || call.carrier_price_usd !== null || call.provider_call_id === null) return null;
    return { carrier: call.provider, providerCallId: call.provider_call_id, endedAt: call.ended_at };
  },
});

/** A call leg whose carrier has reported no price. */
export interface UnpricedLeg {
  carrier: string;
  providerCallId: string;
  /** Epoch milliseconds; null while the call goes on. */
  endedAt: number | null;
}

/**
 * Stores the price that a carrier charges for a call, and corrects the call's cost. Also used by the batches module,
 * inside the transaction that corrects the cost of the batch. Returns the call before and after the change; null when
 * the call does not exist.
 */
export async function storeCarrierPrice(
  tx: Tx,
  { callId, usd }: { callId: string; usd: number },
): Promise<{ before: CallRow; after: CallRow } | null> {
  const before = await lockCall(tx, callId);
  if (!before) return null;
  await tx.run('update calls set carrier_price_usd = ? where id = ?', usd, callId);
  if (before.cost === null) return { before, after: before };
  const cost = withCarrierPrice(before.cost, usd);
  await storeCost(tx, callId, cost);
  return { before, after: { ...before, cost, cost_usd: knownUsd(cost) } };
}

async function storeCost(tx: Tx, callId: string, cost: CallCost): Promise<void> {
  await tx.run(
    'update calls set cost = ?, cost_usd = ?, cost_is_complete = ? where id = ?',
    JSON.stringify(cost),
    knownUsd(cost),
    flag(cost.is_complete),
    callId,
  );
}

/** What a call has used up to `endedAt` (epoch milliseconds). */
async function usageOf(tx: Tx, call: CallRow, endedAt: number): Promise<CallUsage> {
  const tools = await tx.get('select count(*) as calls from call_tools where call_id = ?', call.id);
  const talkMs = call.answered_at === null ? 0 : Math.max(0, endedAt - call.answered_at);
  return {
    carrier: { provider: call.provider, seconds: Math.ceil(talkMs / 1_000) },
    hearing: await hearingOf(tx, call),
    thinking: await modelUsesOf(tx, call.id),
    speaking: await speakingOf(tx, call.id),
    tools: Number(tools?.['calls'] ?? 0),
  };
}

/** The use of voices, by provider and model. */
async function speakingOf(tx: Tx, callId: string): Promise<SpeakingUse[]> {
  const rows = await tx.all(
    `select provider, model, count(*) as sentences, sum(characters) as characters, sum(sound_ms) as sound_ms
     from call_speech_uses where call_id = ? and leg = 'speaking' group by provider, model order by provider, model`,
    callId,
  );
  return rows.map(({ provider, model, sentences, characters, sound_ms }) =>
    SpeakingUse.parse({
      provider,
      model,
      sentences: Number(sentences),
      characters: Number(characters),
      sound_seconds: Number(sound_ms) / 1_000,
    }),
  );
}

/**
 * The use of speech recognisers. The call's chosen recogniser, unless it is built in, is listed with null seconds if it
 * reported no usage.
 */
async function hearingOf(tx: Tx, call: CallRow): Promise<HearingUse[]> {
  // The sum is null unless every use has a duration.
  const rows = await tx.all(
    `select provider, model, case when count(sound_ms) = count(*) then sum(sound_ms) end as sound_ms
     from call_speech_uses where call_id = ? and leg = 'hearing' group by provider, model order by provider, model`,
    call.id,
  );
  const reported = rows.map(({ provider, model, sound_ms }) =>
    HearingUse.parse({ provider, model, sound_seconds: sound_ms === null ? null : Number(sound_ms) / 1_000 }),
  );
  const chosen = call.providers?.transcription;
  if (
    chosen === undefined ||
    isBuiltInProvider(chosen) ||
    reported.some(({ provider }) => provider === chosen)
  )
    return reported;
  return [...reported, { provider: chosen, model: null, sound_seconds: null }];
}
