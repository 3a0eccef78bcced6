/**
 * What we write on a call at Telnyx (`client_state`): it comes back with every event of that call, whatever address the
 * event is sent to.
 */
export type CallMark =
  /** A call of ours, with our reference. */
  | { kind: 'dialled'; dialRef: string }
  /** It goes on between its other end and somebody else: that its stream ends is not its end. */
  | { kind: 'handed_over' }
  /** The line to whom a call was handed over to; the call is named. */
  | { kind: 'other_leg'; providerCallId: string };

const WRITTEN = /^(dialled|handed_over|other_leg) ?([\x21-\x7E]{0,256})$/;
const REFERENCE = /^dial_[0-9a-z]{26}$/;

/** A mark as the API takes it: base64. */
export function writeMark(mark: CallMark): string {
  const about =
    mark.kind === 'dialled' ? ` ${mark.dialRef}` : mark.kind === 'other_leg' ? ` ${mark.providerCallId}` : '';
  return Buffer.from(mark.kind + about).toString('base64');
}

/** What was written on a call; null for nothing, and for what somebody else has written. */
export function readMark(written: string | null): CallMark | null {
  const [, kind, about = ''] = WRITTEN.exec(Buffer.from(written ?? '', 'base64').toString('latin1')) ?? [];
  if (kind === 'dialled') return REFERENCE.test(about) ? { kind, dialRef: about } : null;
  if (kind === 'other_leg') return about === '' ? null : { kind, providerCallId: about };
  return kind === 'handed_over' ? { kind } : null;
}
