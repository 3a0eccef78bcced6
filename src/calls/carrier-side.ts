import type { CarrierPool } from '#telephony/carrier-pool.js';
import type { CallServiceParts } from './call-service-parts.js';
import type { CallPrice } from '#calls/after-call/carrier-prices.js';
import { CallEndings } from '#calls/endings/call-endings.js';
import { createTxContexts, type TxContexts } from '#calls/endings/tx-contexts.js';
import { InboundCalls } from '#calls/inbound/inbound-calls.js';
import { LoadShedding } from '#calls/lines/load-shedding.js';
import { hangUp } from '#calls/lines/hang-up.js';
import { CallLegCache } from '#calls/lines/call-leg-cache.js';
import { Slots } from '#calls/lines/slots.js';
import { ActionExchange } from '#calls/live/actions/action-exchange.js';
import { CallSteering } from '#calls/live/actions/call-steering.js';
import { performAction } from '#calls/live/actions/perform-action.js';
import { LiveSessions } from '#calls/live/sessions/live-sessions.js';
import { instructStream } from '#calls/live/streams/stream-instruction.js';
import type { CallRow } from '#calls/record/call.js';
import { CarrierReports } from '#calls/reports/carrier-reports.js';

/** The objects between carriers and calls, and the state that they share. */
export interface CarrierSide {
  carriers: CarrierPool;
  /** The receiver of the carriers' reports. */
  host: CarrierReports;
  inbound: InboundCalls;
  /** The call legs that this process has placed. */
  legs: CallLegCache;
  loadShedding: LoadShedding;
  txContexts: TxContexts;
  slots: Slots;
  sessions: LiveSessions;
  /** Passes actions on live calls between processes. */
  exchange: ActionExchange;
  /** The actions of operators on live calls. */
  steering: CallSteering;
  endings: CallEndings;
}

/**
 * Creates the part of the calls module that faces the carriers: reports, inbound calls, live sessions and call ends.
 * Used by `CallService`.
 * @param on.end called with every call whose end this process has written
 * @param on.price stores the price that a carrier reports for a call
 */
export function openCarrierSide(
  parts: CallServiceParts,
  on: { end: (call: CallRow) => void; price: (price: CallPrice) => Promise<void> },
): CarrierSide {
  const { store, clock, ids, log, links, callBacks, settings } = parts;
  const slots = new Slots({ ...settings, capacity: settings.maxConcurrentCalls });
  const sessions = new LiveSessions();
  const legs = new CallLegCache();
  const loadShedding = new LoadShedding();
  const txContexts = createTxContexts({ clock, links: (callId) => links.of(callId) });
  const endings = new CallEndings({ store, clock, txContexts, slots, callBacks, onEnd: on.end });
  const shared = { store, clock, log, txContexts, endings };
  const nodeId = parts.node.id;
  // The objects refer to each other in a circle: functions below use `carriers` and `steering`, which are created last.
  // These functions run only for a call or a request, when all objects exist.
  const exchange: ActionExchange = new ActionExchange({
    ...shared,
    ids,
    nodeId,
    liveCalls: () => sessions.count,
    perform: (request) => performAction(request, { sessions, endings, steering }),
  });
  const inbound = new InboundCalls({
    ...shared,
    ...settings,
    ids,
    slots,
    nodeId,
    providers: parts.providers,
    ask: (question) => parts.askReceiver(question),
  });
  const { streamUrl } = settings;
  const host = new CarrierReports({
    ...shared,
    sessions,
    exchange,
    legs,
    loadShedding,
    inbound,
    keepPrice: on.price,
    streamFor: (call) => instructStream(call, { store, clock, ids, streamUrl }),
    hangUp: (call) => hangUp(call, { carriers, clock, log }),
  });
  // The carriers need `host`, to which they report.
  const carriers = parts.openCarriers(host);
  const steering = new CallSteering({ store, clock, sessions, exchange, carriers, nodeId });
  return {
    carriers,
    host,
    inbound,
    legs,
    loadShedding,
    txContexts,
    slots,
    sessions,
    exchange,
    steering,
    endings,
  };
}
