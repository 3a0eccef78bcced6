import type { PendingWork } from '#test/support/emulators/pending-work.js';
import type { EmulatorLog } from '#test/support/emulators/emulator-log.js';
import type { Person } from '#test/support/emulators/person.js';
import type { Resampling } from '#media/samples/resampler.js';
import type { PacingTimer } from '#media/pacing/pacing-timer.js';
import type { CallRecord } from './call-record.js';
import type { EventContent } from './call-requests.js';
import { MediaSocket } from './media-socket.js';
import { readActions, type NccoAction } from './ncco.js';

export interface SocketCallParts {
  pacingTimer: PacingTimer;
  resampling: Resampling;
  log: EmulatorLog;
  pending: PendingWork;
  reach: (url: string) => string;
  /** Sends an event of the socket's leg; resolves with the body of the answer. */
  tell(further?: EventContent): Promise<string | null>;
}

/** A call that streams to a socket, which is a separate leg. */
export interface SocketCall {
  leg: CallRecord;
  person: Person;
  sockets: MediaSocket[];
}

/**
 * Connects a call with a socket; resolves when the socket is closed. For a synchronous connection the result is the
 * NCCO from the service's answer to that event.
 */
export async function openSocket(
  action: Extract<NccoAction, { action: 'connect' }>,
  { leg, person, sockets }: SocketCall,
  parts: SocketCallParts,
  signal: AbortSignal,
): Promise<readonly NccoAction[] | null> {
  const [endpoint] = action.endpoint;
  if (endpoint.type !== 'websocket') return null;
  const { pacingTimer, resampling, log, pending, reach, tell } = parts;
  const complain = (text: string) => log.complain(400, text);
  const socket = new MediaSocket(
    { url: reach(endpoint.uri), contentType: endpoint['content-type'], headers: endpoint.headers },
    { pacingTimer, resampling, person, complain },
  );
  sockets.push(socket);
  const stop = () => socket.stop();
  signal.addEventListener('abort', stop, { once: true });
  if (leg.moveTo('started')) void tell();
  await pending.during(socket.settled);
  if (socket.isOpen && leg.moveTo('answered')) void tell();
  const end = await socket.ended;
  signal.removeEventListener('abort', stop);
  if (end === 'not_opened') {
    complain('the socket could not be opened');
    leg.moveTo('failed');
    return replacementIn(await tell(), action);
  }
  const answer = end === 'service' ? await tell({ status: 'disconnected' }) : null;
  if (leg.moveTo('completed')) void tell();
  return replacementIn(answer, action);
}

/** An answer that is no NCCO leaves the running one. */
function replacementIn(
  answer: string | null,
  { eventType }: Extract<NccoAction, { action: 'connect' }>,
): readonly NccoAction[] | null {
  return eventType === 'synchronous' && answer?.startsWith('[') ? readActions(answer) : null;
}
