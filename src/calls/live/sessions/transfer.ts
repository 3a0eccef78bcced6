import type { ModuleContext } from '#store/module-context.js';
import { decide } from '#policy/deciding/decide.js';
import { rulesForTransfer, type PolicyRules } from '#policy/deciding/policy-rules.js';
import { suppressionTransactions } from '#policy/suppressions/suppression-store.js';
import { CarrierError } from '#telephony/port/carrier.js';
import type { CarrierPool } from '#telephony/carrier-pool.js';
import type { CallEndings } from '#calls/endings/call-endings.js';
import { answerWithin } from '#calls/lines/answer-within.js';
import type { CallRow } from '#calls/record/call.js';
import { talkTransactions } from '#calls/talk/talk-store.js';

/** The timeout of the carrier's answer to a transfer request. */
const TRANSFER_TIMEOUT_MS = 10_000;

/** The dependencies of {@link transferCall}. */
export interface TransferParts extends Pick<ModuleContext, 'store' | 'clock' | 'log'> {
  carriers: CarrierPool;
  rules: PolicyRules;
  endings: Pick<CallEndings, 'storeHandover'>;
}

/** The outcome of a transfer request. `unknown`: the carrier may have done it. */
export type TransferOutcome = 'done' | 'not_done' | 'unknown';

/**
 * Transfers a live call to a number (E.164) at its carrier, without asking the person there. Never fails; the call's
 * life-cycle log holds the outcome. Used by `AudioStreams`.
 */
export async function transferCall(
  call: CallRow,
  to: string,
  parts: TransferParts,
): Promise<TransferOutcome> {
  const { store, clock, log, endings } = parts;
  const { outcome, error } = await requestTransfer(call, to, parts).then(
    () => ({ outcome: 'done', error: null }) as const,
    failureOf,
  );
  log.info({ call_id: call.id, error }, error === null ? 'transferred' : 'transfer_failed');
  const note = { type: 'transfer_failed' as const, at: clock.wallMs(), data: { to, error } };
  const writing =
    error === null
      ? endings.storeHandover(call.id, to)
      : store.write(talkTransactions.note, { callId: call.id, ...note });
  await writing.catch((thrown: unknown) =>
    log.error({ err: thrown, call_id: call.id }, 'a transfer was not noted'),
  );
  return outcome;
}

/** The outcome of a failed request. Only a carrier's error can say that the transfer was not done. */
function failureOf(thrown: unknown): { outcome: TransferOutcome; error: CarrierError['reason'] } {
  if (!(thrown instanceof CarrierError)) return { outcome: 'unknown', error: 'server_error' };
  return { outcome: thrown.outcome === 'unknown' ? 'unknown' : 'not_done', error: thrown.reason };
}

/**
 * Checks a transfer by the calling policy and requests it from the carrier. @throws CarrierError, or the adapter's
 * error
 */
async function requestTransfer(
  call: CallRow,
  to: string,
  { store, clock, carriers, rules }: TransferParts,
): Promise<void> {
  const carrier = carriers.find(call.provider);
  const transfer = carrier?.transfer?.bind(carrier);
  const providerCallId = call.provider_call_id;
  if (providerCallId === null || !transfer)
    throw new CarrierError('not_dialled', 'refused', 'the line cannot be handed over');
  const now = clock.wallMs();
  const suppressionQuery = { workspace: call.workspace, phoneNumbers: [to], now };
  const [entry] = await store.read(suppressionTransactions.check, suppressionQuery).catch(() => {
    throw new CarrierError('not_dialled', 'server_error', 'the suppression list cannot be read');
  });
  const suppression = entry ? { reason: entry.reason, until: entry.expires_at } : null;
  // No attempts: the rules of a transfer have no attempt caps.
  const policyQuestion = { phoneNumber: to, now, suppression, attempts: [] };
  if (decide(policyQuestion, rulesForTransfer(rules)).verdict !== 'dial')
    throw new CarrierError('not_dialled', 'refused', 'the calling policy does not allow this number');
  const from = call.direction === 'outbound' ? call.from_phone : call.to_phone;
  // Some inbound calls have no called number. A carrier would accept the request, and then not connect the caller.
  if (from === '') throw new CarrierError('not_dialled', 'refused', 'there is no number to call from');
  await answerWithin(clock, TRANSFER_TIMEOUT_MS, (signal) => transfer({ providerCallId, to, from }, signal));
}
