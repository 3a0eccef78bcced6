import { mintStreamToken, streamTokenTransactions } from '#access/tokens/stream-token.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Store } from '#store/store.js';
import type { StreamInstruction } from '#telephony/port/carrier.js';
import type { CallRow } from '#calls/record/call.js';

/**
 * Instructs a carrier where to send the audio of an answered call: the URL of the socket, and a new token for it, whose
 * hash is stored. The token is a parameter of the stream and never part of the URL: carriers strip queries, and logs
 * contain URLs. `CarrierReports` puts the instruction into the answer to the carrier's webhook.
 */
export async function instructStream(
  call: CallRow,
  parts: { store: Store; clock: Clock; ids: Ids; streamUrl: (provider: string) => string },
): Promise<StreamInstruction> {
  const { token, tokenHash, expiresAt } = mintStreamToken(parts);
  await parts.store.write(streamTokenTransactions.keep, { callId: call.id, tokenHash, expiresAt });
  return streamAddress(call, token, parts.streamUrl);
}

/** Like {@link instructStream}, for a token that is already stored, as that of an inbound call (`InboundCalls`). */
export function streamAddress(
  call: Pick<CallRow, 'id' | 'agent_id' | 'provider'>,
  token: string,
  streamUrl: (provider: string) => string,
): StreamInstruction {
  return {
    url: `${streamUrl(call.provider)}/${encodeURIComponent(call.agent_id)}`,
    parameters: { call_id: call.id, token },
  };
}
