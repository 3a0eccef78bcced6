import type { Clock } from '../kernel/clock.js';
import type { Log } from '../kernel/log.js';
import type { Store } from '../store/store.js';
import type { Carrier } from '../telephony/carrier.js';
import type { CallEndings } from './call-endings.js';
import type { CallRow } from './call.js';
import { RING_TIMEOUT_SECONDS } from './dialler.js';
import { endingUnits } from './ending-store.js';
import type { EndedReason } from './ended-reason.js';
import type { LiveSessions } from './live-sessions.js';

const ROUND_MS = 1_000;
/** A carrier that has said nothing so long after the ringing time is not going to. */
const CARRIER_MARGIN_MS = 15_000;
/** An answered call whose audio stream has not come by then is dead air. */
const STREAM_PATIENCE_MS = 15_000;
/** A long sentence of the agent, or a caller in mid-sentence, is no silence. */
const SILENCE_MARGIN_MS = 60_000;
/** How long an ending call may take to say goodbye and close its recording. */
const ENDING_PATIENCE_MS = 10_000;

interface WatchdogParts {
  store: Store;
  clock: Clock;
  log: Log;
  carrier: Carrier;
  sessions: LiveSessions;
  endings: CallEndings;
  nodeId: string;
}

/**
 * Ends the calls that went on too long, whatever the audio path is doing: it looks only at the rows and the clock.
 */
export class Watchdog {
  readonly #parts: WatchdogParts;
  #cancelTimer: () => void = () => {};
  #round: Promise<void> = Promise.resolve();
  #stopped = true;

  constructor(parts: WatchdogParts) {
    this.#parts = parts;
  }

  start(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#arm();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelTimer();
    await this.#round;
  }

  #arm(): void {
    this.#cancelTimer = this.#parts.clock.after(ROUND_MS, () => {
      this.#round = this.#look()
        .catch((error: unknown) => this.#parts.log.error({ err: error }, 'watchdog round failed'))
        .then(() => (this.#stopped ? undefined : this.#arm()));
    });
  }

  async #look(): Promise<void> {
    const { store, clock, nodeId } = this.#parts;
    const now = clock.wallMs();
    for (const call of await store.read(endingUnits.underWay, { nodeId })) {
      const reason = overdue(call, now) ?? this.#tooSilent(call, now);
      if (reason) await this.#end(call, reason);
    }
  }

  /** The conversation minds the silence itself; this is for one that hangs. */
  #tooSilent(call: CallRow, now: number): EndedReason | null {
    if (call.status !== 'active') return null;
    const session = this.#parts.sessions.get(call.id);
    if (!session) return now - call.updated_at > STREAM_PATIENCE_MS ? 'stream_error' : null;
    const patienceMs = call.silence_timeout_seconds * 1000 + SILENCE_MARGIN_MS;
    return now - session.heardAt > patienceMs ? 'silence_timeout' : null;
  }

  async #end(call: CallRow, reason: EndedReason): Promise<void> {
    const { carrier, sessions, endings, log } = this.#parts;
    log.info({ call_id: call.id, ended_reason: reason }, 'watchdog ends a call');
    if (call.status === 'active' && sessions.end(call.id, reason)) return;
    sessions.drop(call.id);
    if (call.provider === carrier.name && call.provider_call_id !== null) {
      await carrier.hangUp(call.provider_call_id).catch((error: unknown) => {
        log.warn({ err: error, call_id: call.id }, 'carrier did not hang up');
      });
    }
    await endings.end(call.id, reason);
  }
}

/** Why a call must end now, by the clock alone; null while everything is in time. */
export function overdue(call: CallRow, now: number): EndedReason | null {
  const since = now - (call.answered_at ?? call.started_at ?? call.updated_at);
  switch (call.status) {
    case 'connecting':
      return since > RING_TIMEOUT_SECONDS * 1000 + CARRIER_MARGIN_MS ? 'dial_timeout' : null;
    case 'connected':
      return since > STREAM_PATIENCE_MS ? 'stream_not_opened' : null;
    case 'active':
      return since > call.timeout_seconds * 1000 ? 'max_duration' : null;
    case 'ending':
      return now - call.updated_at > ENDING_PATIENCE_MS ? (call.ended_reason ?? 'stream_error') : null;
    default:
      return null;
  }
}
