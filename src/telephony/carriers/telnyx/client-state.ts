/**
 * The state that the service stores on a call at Telnyx (`client_state`). Every event of the call contains it, whatever
 * URL the event is sent to. `TelnyxCallControl` writes it; `readTelnyxEvent` reads it.
 */
export type ClientState =
  /** An outbound call, with its dial reference. */
  | { kind: 'dialled'; dialRef: string }
  /** A transferred call: the end of its audio stream is not its end. */
  | { kind: 'handed_over' }
  /** The second leg of a transfer, with the id of the first. */
  | { kind: 'other_leg'; providerCallId: string };

/** The text of a state: its kind, and its dial reference or call id. */
const STATE_TEXT = /^(dialled|handed_over|other_leg) ?([\x21-\x7E]{0,256})$/;
/** The form of a dial reference, by which the service names an attempt to dial. */
const REFERENCE = /^dial_[0-9a-z]{26}$/;

/** Encodes a state for the API: text as base64. */
export function writeClientState(state: ClientState): string {
  const identifier =
    state.kind === 'dialled'
      ? ` ${state.dialRef}`
      : state.kind === 'other_leg'
        ? ` ${state.providerCallId}`
        : '';
  return Buffer.from(state.kind + identifier).toString('base64');
}

/** Decodes a state; null if it is missing, or was not written by the service. */
export function readClientState(encoded: string | null): ClientState | null {
  const [, kind, identifier = ''] =
    STATE_TEXT.exec(Buffer.from(encoded ?? '', 'base64').toString('latin1')) ?? [];
  if (kind === 'dialled') return REFERENCE.test(identifier) ? { kind, dialRef: identifier } : null;
  if (kind === 'other_leg') return identifier === '' ? null : { kind, providerCallId: identifier };
  return kind === 'handed_over' ? { kind } : null;
}
