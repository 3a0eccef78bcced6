import type { CarrierPool } from '#telephony/carrier-pool.js';
import type { CallServiceParts } from './call-service-parts.js';
import { CallEndings } from '#calls/endings/call-endings.js';
import { createTxContexts, type TxContexts } from '#calls/endings/tx-contexts.js';
import { InboundCalls } from '#calls/inbound/inbound-calls.js';
import { LoadShedding } from '#calls/lines/load-shedding.js';
import { hangUp } from '#calls/lines/hang-up.js';
import { CallLegCache } from '#calls/lines/call-leg-cache.js';
import { Slots } from '#calls/lines/slots.js';
import { LiveSessions } from '#calls/live/sessions/live-sessions.js';
import { instructStream } from '#calls/live/streams/stream-instruction.js';
import type { CallRow } from '#calls/record/call.js';
import { CarrierReports } from '#calls/reports/carrier-reports.js';

/** The parts between carriers and calls, and the state that they share. */
export interface CarrierSide {
  carriers: CarrierPool;
  /** The receiver of the carriers' reports. */
  host: CarrierReports;
  inbound: InboundCalls;
  /** The call legs that this process has placed. */
  lines: CallLegCache;
  loadShedding: LoadShedding;
  txContexts: TxContexts;
  slots: Slots;
  sessions: LiveSessions;
  endings: CallEndings;
}

/**
 * Creates the parts between carriers and calls. The carriers open last: from then on, they deliver reports to `host`.
 * @param onEnd called with every call whose end this process has written
 */
export function openCarrierSide(parts: CallServiceParts, onEnd: (call: CallRow) => void): CarrierSide {
  const { store, clock, ids, log, links, callBacks, failpoint, settings } = parts;
  const slots = new Slots({ ...settings, capacity: settings.maxConcurrentCalls });
  const sessions = new LiveSessions();
  const lines = new CallLegCache();
  const loadShedding = new LoadShedding();
  const txContexts = createTxContexts({ clock, ids, links: (callId) => links.of(callId) });
  const endings = new CallEndings({ store, clock, txContexts, slots, callBacks, onEnd });
  const shared = { store, clock, log, txContexts, endings };
  const inbound = new InboundCalls({
    ...shared,
    ...settings,
    ids,
    slots,
    nodeId: parts.node.id,
    providers: parts.providers,
    ask: (question) => parts.askReceiver(question),
  });
  const { streamUrl } = settings;
  const host = new CarrierReports({
    ...shared,
    failpoint,
    sessions,
    lines,
    loadShedding,
    inbound,
    streamFor: (call) => instructStream(call, { store, clock, ids, streamUrl }),
    hangUp: (call) => hangUp(call, { carriers, clock, log }),
  });
  const carriers = parts.openCarriers(host);
  return { carriers, host, inbound, lines, loadShedding, txContexts, slots, sessions, endings };
}
