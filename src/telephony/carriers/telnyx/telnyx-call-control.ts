import { z } from 'zod';
import { callAddresses } from '#telephony/port/call-addresses.js';
import type { CallMarkup } from '#telephony/port/call-markup.js';
import {
  CarrierError,
  type CarrierTraits,
  type LookUp,
  type PlaceRequest,
  type StreamInstruction,
  type TransferRequest,
} from '#telephony/port/carrier.js';
import type { CallToInstruct, CarrierWebhooks, RemoteCarrier } from '#telephony/port/carrier-webhooks.js';
import {
  apiTraits,
  type CarrierApiContext,
  type CarrierApiOptions,
} from '#telephony/wire/carrier-definition.js';
import { DialGuard } from '#telephony/wire/dial-guard.js';
import type { ApiAnswer } from '#telephony/wire/carrier-http.js';
import { streamAddress } from '#telephony/markup/stream-address.js';
import { requireSuccess, isCallOver, type TelnyxClient } from './telnyx-client.js';
import { readClientState, writeClientState, type ClientState } from './client-state.js';

/** The range of `timeout_secs` (the ring timeout) that Telnyx accepts. */
const RING_SECONDS = { least: 5, most: 600 };
/** Calls per page of the list of active calls, and the most pages read to find one. */
const PAGE_SIZE = 250;
const MAX_PAGES = 8;

// The parts that answers must have: the answer to a dial request, to a look-up, and the list of active calls.
const Placed = z.object({ data: z.object({ call_control_id: z.string().min(1) }) });
const Found = z.object({ data: z.object({ is_alive: z.boolean(), end_time: z.string().nullish() }) });
const ActiveCalls = z.object({
  data: z.array(z.object({ call_control_id: z.string().min(1), client_state: z.string().nullish() })),
  meta: z.object({ cursors: z.object({ after: z.string().nullish() }).nullish() }).nullish(),
});

/** The options and dependencies of {@link TelnyxCallControl}. */
export interface CallControlParts extends CarrierApiContext, CarrierApiOptions {
  api: TelnyxClient;
  /** The id of the Voice API application. */
  connectionId: string;
}

/**
 * The carrier Telnyx with Call Control, through which `calls` dials, transfers and ends calls: Telnyx sends events, and
 * the service answers with commands over the API. Calls have the dial reference in their `client_state`, by which
 * active ones are found.
 *
 * Dial requests and the commands that start a stream have a `command_id`: Telnyx ignores a second command with the same
 * id within a minute. That is enough for copies of events. A dial request might be repeated later than that, so the
 * service does not dial again after a lost answer.
 */
export class TelnyxCallControl implements RemoteCarrier {
  readonly name = 'telnyx';
  readonly traits: CarrierTraits;
  readonly webhooks: CarrierWebhooks;
  readonly #parts: CallControlParts;
  readonly #guard: DialGuard;

  constructor(parts: CallControlParts) {
    this.#parts = parts;
    this.#guard = new DialGuard(parts.clock);
    this.traits = apiTraits(parts, 'best_effort');
    this.webhooks = {
      ...parts.codec,
      verify: parts.verify,
      perform: (call, document, signal) => this.#perform(call, document, signal),
    };
  }

  /** Places a call; resolves with its `call_control_id`. */
  async place(request: PlaceRequest, signal: AbortSignal): Promise<{ providerCallId: string }> {
    this.#guard.requireDialable(request);
    const { api } = this.#parts;
    const answer = await api.post('/calls', this.#dialRequest(request), signal);
    return { providerCallId: parseAnswer(Placed, answer).data.call_control_id };
  }

  /** Ends a call; no error if it is over already. */
  async hangUp(providerCallId: string): Promise<void> {
    await this.#commandUnlessOver(providerCallId, 'hangup', {});
  }

  /**
   * Transfers a call. Both legs get a client state: the end of this call's stream is then not its end, and the end of
   * the second leg ends this call.
   */
  async transfer({ providerCallId, to, from }: TransferRequest, signal: AbortSignal): Promise<void> {
    this.#guard.requireTransferable({ providerCallId, to, from });
    const content = {
      to,
      from,
      client_state: writeClientState({ kind: 'handed_over' }),
      target_leg_client_state: writeClientState({ kind: 'other_leg', providerCallId }),
    };
    requireSuccess(await this.#command(providerCallId, 'transfer', content, signal));
    this.#guard.markTransferred(providerCallId);
    // A failure is harmless: the service closes the stream itself.
    await this.#command(providerCallId, 'streaming_stop', {}).catch(() => {});
  }

  /** Sends DTMF digits into the call. */
  async sendDigits(providerCallId: string, digits: string, signal: AbortSignal): Promise<void> {
    requireSuccess(await this.#command(providerCallId, 'send_dtmf', { digits }, signal));
  }

  /** Looks up a call: by its id, or by the dial reference among the active calls. An ended call may be missing. */
  async lookUp(dialRef: string, providerCallId: string | null): Promise<LookUp> {
    if (providerCallId === null) return this.#findActive(dialRef);
    const answer = await this.#parts.api.get(`/calls/${encodeURIComponent(providerCallId)}`);
    if (isCallOver(answer)) return { found: false };
    const { data: call } = parseAnswer(Found, answer);
    // `is_alive` says nothing: it is false for a call that is being dialled, too. `ringing` means every call in
    // progress, because the API does not say whether it is answered.
    return { found: true, providerCallId, status: call.end_time ? 'completed' : 'ringing' };
  }

  async close(): Promise<void> {
    this.#guard.close();
  }

  /** The body of the request that places a call. */
  #dialRequest({ dialRef, to, from, ringTimeoutSeconds }: PlaceRequest): object {
    const { connectionId, publicUrl, detectsMachines } = this.#parts;
    const { least, most } = RING_SECONDS;
    return {
      connection_id: connectionId,
      to,
      from,
      command_id: dialRef,
      timeout_secs: Math.min(Math.max(ringTimeoutSeconds, least), most),
      client_state: writeClientState({ kind: 'dialled', dialRef }),
      webhook_url: callAddresses(publicUrl(), this.name, dialRef)('status'),
      webhook_url_method: 'POST',
      ...(detectsMachines ? { answering_machine_detection: 'greeting_end' } : {}),
    };
  }

  /** Searches the active calls. A missing call may be over, so its absence does not prove that it was never placed. */
  async #findActive(dialRef: string): Promise<LookUp> {
    const { api, connectionId } = this.#parts;
    let query = `page[limit]=${PAGE_SIZE}`;
    for (let page = 0; page < MAX_PAGES; page++) {
      const path = `/connections/${encodeURIComponent(connectionId)}/active_calls?${query}`;
      const { data: calls, meta } = parseAnswer(ActiveCalls, await api.get(path));
      const call = calls.find(({ client_state: state }) =>
        hasReference(dialRef, readClientState(state ?? null)),
      );
      if (call) return { found: true, providerCallId: call.call_control_id, status: 'ringing' };
      const after = meta?.cursors?.after;
      if (calls.length < PAGE_SIZE || !after) break;
      query = `page[limit]=${PAGE_SIZE}&page[after]=${encodeURIComponent(after)}`;
    }
    return { found: false };
  }

  /**
   * Carries out the first step of markup that is not `say`; ends the call if there is none. Texts are left out, because
   * the carrier's voice would play while the agent talks. The end of a stream is reported by an event, for which the
   * service answers with further markup.
   */
  async #perform(
    { providerCallId, isAnswered }: CallToInstruct,
    document: CallMarkup,
    signal: AbortSignal,
  ): Promise<void> {
    const step = document.find(({ kind }) => kind !== 'say');
    switch (step?.kind) {
      case 'stream': {
        const action = isAnswered ? 'streaming_start' : 'answer';
        // Events may arrive twice: two streams of one call would play over each other. The name of the action suffices
        // as the id, because a call has one stream.
        const content = { ...streamFields(step.stream), command_id: action };
        return this.#commandUnlessOver(providerCallId, action, content, signal);
      }
      case 'reject': {
        const cause = step.reason === 'busy' ? 'USER_BUSY' : 'CALL_REJECTED';
        return this.#commandUnlessOver(providerCallId, 'reject', { cause }, signal);
      }
      case 'dial':
        return this.transfer({ providerCallId, to: step.to, from: step.from }, signal);
      case 'hang_up':
      case 'say':
      case undefined:
        return this.#commandUnlessOver(providerCallId, 'hangup', {}, signal);
    }
  }

  /** Sends a command that is unnecessary if the call is over, in which case a refusal is ignored. */
  async #commandUnlessOver(
    providerCallId: string,
    action: string,
    content: object,
    signal?: AbortSignal,
  ): Promise<void> {
    const answer = await this.#command(providerCallId, action, content, signal);
    if (!isCallOver(answer)) requireSuccess(answer);
  }

  /** Sends a command for a call; resolves with any answer. */
  #command(
    providerCallId: string,
    action: string,
    content: object,
    signal?: AbortSignal,
  ): Promise<ApiAnswer> {
    const path = `/calls/${encodeURIComponent(providerCallId)}/actions/${action}`;
    return this.#parts.api.post(path, content, signal);
  }
}

/** True if a client state has this dial reference. */
function hasReference(dialRef: string, clientState: ClientState | null): boolean {
  return clientState?.kind === 'dialled' && clientState.dialRef === dialRef;
}

/**
 * The fields of a command that starts a stream, with μ-law frames in both directions: by default the caller's audio has
 * the codec of the line, which may be wideband. The command `answer` accepts no stream parameters, so the token is part
 * of the URL.
 */
function streamFields(stream: StreamInstruction): object {
  const { token } = stream.parameters;
  return {
    stream_url: token === undefined ? streamAddress(stream) : `${streamAddress(stream)}/${token}`,
    stream_track: 'inbound_track',
    stream_codec: 'PCMU',
    stream_bidirectional_mode: 'rtp',
    stream_bidirectional_codec: 'PCMU',
  };
}

/** Parses a successful answer. @throws CarrierError for a refusal, and for an answer of the wrong shape */
function parseAnswer<Output>(schema: z.ZodType<Output>, answer: ApiAnswer): Output {
  requireSuccess(answer);
  const parsed = schema.safeParse(answer.json);
  if (parsed.success) return parsed.data;
  throw new CarrierError('unknown', 'server_error', 'the answer of the carrier is not understood');
}
