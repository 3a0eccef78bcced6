import { join } from 'node:path';
import type { Clock } from '../kernel/clock.js';
import type { Log } from '../kernel/log.js';
import type { RecordedFile } from '../media/recording.js';
import type { Store } from '../store/store.js';
import type { Carrier, CarrierHost } from '../telephony/carrier.js';
import type { CallEndings } from './call-endings.js';
import type { CallRow } from './call.js';
import { endingUnits, type Orphan } from './ending-store.js';
import { nodeUnits } from './node-store.js';

const HEARTBEAT_MS = 5_000;
/** A process that was not heard of for so long is dead, and its calls are nobody's. */
const DEAD_AFTER_MS = 20_000;

export interface NodeKeeperParts {
  store: Store;
  clock: Clock;
  log: Log;
  carrier: Carrier;
  host: CarrierHost;
  endings: CallEndings;
  node: { id: string; address: string };
  recordingsDir: string;
  repair(path: string): Promise<RecordedFile>;
  /** Attempts may have become free to be settled. */
  nudgeReconciler(): void;
}

/** Keeps this process known as alive, and brings the calls of dead processes to their end. */
export class NodeKeeper {
  readonly #parts: NodeKeeperParts;
  #cancelTimer: () => void = () => {};
  #beat: Promise<void> = Promise.resolve();
  #stopped = true;

  constructor(parts: NodeKeeperParts) {
    this.#parts = parts;
  }

  /** Registers the process and recovers what an earlier one left behind. */
  async start(): Promise<void> {
    const { store, clock, node } = this.#parts;
    this.#stopped = false;
    await store.write(nodeUnits.register, { ...node, at: clock.wallMs() });
    await this.#recover();
    this.#arm();
  }

  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#cancelTimer();
    await this.#beat;
    await this.#parts.store.write(nodeUnits.leave, { id: this.#parts.node.id });
  }

  #arm(): void {
    this.#cancelTimer = this.#parts.clock.after(HEARTBEAT_MS, () => {
      this.#beat = this.#pulse()
        .catch((error: unknown) => this.#parts.log.error({ err: error }, 'heartbeat failed'))
        .then(() => (this.#stopped ? undefined : this.#arm()));
    });
  }

  async #pulse(): Promise<void> {
    const { store, clock, node } = this.#parts;
    await store.write(nodeUnits.heartbeat, { id: node.id, at: clock.wallMs() });
    await this.#recover();
  }

  async #recover(): Promise<void> {
    const { store, clock, log } = this.#parts;
    const now = clock.wallMs();
    const aliveAfter = now - DEAD_AFTER_MS;
    const released = await store.write(endingUnits.releaseLeases, { aliveAfter, now });
    if (released > 0) this.#parts.nudgeReconciler();
    for (const orphan of await store.read(endingUnits.orphans, { aliveAfter })) {
      await this.#settle(orphan).catch((error: unknown) => {
        log.error({ err: error, call_id: orphan.call.id }, 'call of a dead process was not recovered');
      });
    }
  }

  async #settle(orphan: Orphan): Promise<void> {
    const { call, placedAs } = orphan;
    // Still being dialled, with an outcome that nobody wrote down: the reconciler asks the carrier.
    if (call.status === 'initiated' || (call.status === 'connecting' && placedAs === null)) return;
    if (call.status === 'connecting' && placedAs !== null) return this.#askCarrier(call, placedAs);
    await this.#hangUp(call);
    await this.#end(orphan);
  }

  /** It was ringing. If it still is, this process takes it over; else the carrier says how it ended. */
  async #askCarrier(call: CallRow, dialRef: string): Promise<void> {
    const { store, carrier, host, clock, node, endings } = this.#parts;
    const found = await carrier.lookUp(dialRef);
    // Answered and over while nobody was here: whoever picked up heard nothing, and no talk may be announced.
    if (!found.found || found.status === 'completed') {
      await endings.end(call.id, 'server_crash');
      return;
    }
    await store.write(endingUnits.adopt, { callId: call.id, nodeId: node.id });
    if (found.status === 'ringing') return;
    await host.report({
      carrier: carrier.name,
      dialRef,
      providerCallId: found.providerCallId,
      status: found.status,
      code: null,
      hungUpBy: null,
      at: clock.wallMs(),
    });
  }

  async #hangUp(call: CallRow): Promise<void> {
    const { carrier, log } = this.#parts;
    if (call.provider !== carrier.name || call.provider_call_id === null) return;
    await carrier.hangUp(call.provider_call_id).catch((error: unknown) => {
      log.warn({ err: error, call_id: call.id }, 'carrier did not hang up');
    });
  }

  /** The recording knows best how long the talk went on. */
  async #end({ call, recording }: Orphan): Promise<void> {
    const { endings, recordingsDir, repair } = this.#parts;
    const file = recording && (await repair(join(recordingsDir, recording.fileName)).catch(() => null));
    const endedAt = recording && file ? recording.createdAt + file.durationMs : call.updated_at;
    await endings.end(call.id, 'server_crash', { endedAt });
  }
}
