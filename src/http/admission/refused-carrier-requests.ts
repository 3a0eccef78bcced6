import type { FastifyRequest } from 'fastify';
import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import { labelsFor, counterMetric, type MetricSources } from '#metrics/readings.js';
import type { Metric } from '#metrics/exposition.js';
import type { Counters } from '#metrics/counters.js';
import type { CarrierHttpRequest } from '#telephony/port/carrier-webhooks.js';

/** The name of the metric. */
const CARRIER_REQUESTS_REFUSED = 'carrier_requests_refused';
/** At most one log line per carrier, reason and minute: any client can send these requests. */
const LOG_INTERVAL_MS = 60_000;

/** Why a request is refused; a label of the metric. */
const REASONS = ['carrier_not_configured', 'signature_missing', 'signature_wrong'] as const;
type Reason = (typeof REASONS)[number];

/** The dependencies of {@link RefusedCarrierRequests}. */
export interface RefusedCarrierRequestsParts {
  clock: Clock;
  log: Log;
  counters: Counters;
  /** The configured carriers. */
  carriers: readonly string[];
}

/** The metric of refused requests on carrier routes. */
export function refusedCarrierRequestsMetric(sources: MetricSources): Metric {
  return counterMetric(sources, {
    name: CARRIER_REQUESTS_REFUSED,
    help: 'Requests at the addresses of carriers that were refused: not signed, or not as the carrier signs.',
    known: labelsFor('reason', REASONS),
  });
}

/**
 * Logs and counts refused requests on carrier routes, for `CarrierAdmission`. The line has the URL that the signature
 * was checked against, because a wrong public address is the usual reason. Neither body nor query is logged.
 */
export class RefusedCarrierRequests {
  readonly #parts: RefusedCarrierRequestsParts;
  /** By carrier and reason: when the next line may be logged (monotonic), and the refusals since the last line. */
  readonly #sinceLastLine = new Map<string, { nextLineMs: number; refused: number }>();

  constructor(parts: RefusedCarrierRequestsParts) {
    this.#parts = parts;
  }

  /**
   * Counts a refused request, and logs it unless a line of the same carrier and reason was logged within a minute.
   * @param carrier the carrier in the URL; null at `/voice`, which all carriers share
   */
  note(request: FastifyRequest, { url, headers }: CarrierHttpRequest, carrier: string | null): void {
    const { clock, log, counters, carriers } = this.#parts;
    const reason = reasonOf(headers, carrier === null || carriers.includes(carrier));
    counters.add({ name: CARRIER_REQUESTS_REFUSED, labels: { reason } });
    // Carriers that are not configured share one key: any text may be in the URL, and the map must not grow.
    const key = `${reason === 'carrier_not_configured' ? '' : carrier} ${reason}`;
    const { nextLineMs = -Infinity, refused: before = 0 } = this.#sinceLastLine.get(key) ?? {};
    const refused = before + 1;
    const nowMs = clock.monotonicMs();
    if (nowMs < nextLineMs) return void this.#sinceLastLine.set(key, { nextLineMs, refused });
    this.#sinceLastLine.set(key, { nextLineMs: nowMs + LOG_INTERVAL_MS, refused: 0 });
    const facts = { carrier, route: request.routeOptions.url, reason, address: url.split('?')[0] };
    log.info({ ...facts, refused, request_id: request.id }, 'a request of a carrier was refused');
  }
}

/**
 * Why a request was refused, by its headers: carriers sign in a header with `signature` in its name, or with a token in
 * `authorization`.
 */
function reasonOf(headers: CarrierHttpRequest['headers'], isConfigured: boolean): Reason {
  if (!isConfigured) return 'carrier_not_configured';
  const isSigned = Object.keys(headers).some(
    (name) => name.includes('signature') || name === 'authorization',
  );
  return isSigned ? 'signature_wrong' : 'signature_missing';
}
