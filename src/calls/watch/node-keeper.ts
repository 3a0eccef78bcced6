import { join } from 'node:path';
import type { Clock } from '../../kernel/clock.js';
import type { Log } from '../../kernel/log.js';
import { Rounds } from '../../kernel/rounds.js';
import { Trouble } from '../../kernel/trouble.js';
import { Turnstile } from '../../kernel/turnstile.js';
import type { RecordedFile } from '../../media/recording.js';
import type { Store } from '../../store/store.js';
import type { CarrierHost, LookUp } from '../../telephony/carrier.js';
import type { CarrierPool } from '../../telephony/carrier-pool.js';
import type { CallEndings } from '../endings/call-endings.js';
import type { CallRow } from '../record/call.js';
import { answerWithin } from '../lines/carrier-answer.js';
import type { DialTimings } from '../dialling/dial-timings.js';
import { endingUnits, type Orphan } from '../endings/ending-store.js';
import { hangUp } from '../lines/hang-up.js';
import { nodeUnits, type Heartbeat } from './node-store.js';
import { LONGEST_RING_MS } from './overdue.js';

const HEARTBEAT_MS = 5_000;
/** A process whose heartbeat stood still while we looked so often is dead, and its calls are nobody's. */
const SILENT_LOOKS = 4;
/** How many of them are brought to their end at the same time: a carrier may take its time for each. */
const ORPHANS_AT_ONCE = 16;

export interface NodeKeeperParts {
  store: Store;
  clock: Clock;
  log: Log;
  carriers: CarrierPool;
  host: CarrierHost;
  endings: CallEndings;
  timings: DialTimings;
  node: { id: string; address: string };
  recordingsDir: string;
  repair(path: string): Promise<RecordedFile>;
  /** Attempts may have become free to be settled. */
  nudgeReconciler(): void;
}

/**
 * Keeps this process known as alive, and brings the calls of dead processes to their end. Who is dead is judged by what
 * was seen here, look by look: clocks of two machines differ and jump, and when the database was away nobody's heart
 * could be heard.
 */
export class NodeKeeper {
  readonly #parts: NodeKeeperParts;
  readonly #seen = new Map<string, Heartbeat & { silentLooks: number }>();
  readonly #heart: Rounds;
  #recovery: Promise<void> | null = null;
  readonly #trouble: Trouble;

  constructor(parts: NodeKeeperParts) {
    this.#parts = parts;
    this.#heart = new Rounds(parts.clock, { everyMs: HEARTBEAT_MS, round: () => this.#beat() });
    this.#trouble = new Trouble({ failed: 'heartbeat failed', over: 'heart beats again' }, parts);
  }

  /** Registers the process and recovers what an earlier one left behind. */
  async start(): Promise<void> {
    const { store, clock, node } = this.#parts;
    await store.write(nodeUnits.register, { ...node, at: clock.wallMs() });
    this.#heart.start();
    await this.#recoverOnce();
  }

  /** Begins nothing further. */
  halt(): void {
    this.#heart.halt();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#heart.stop(), this.#recovery]);
    await this.#parts.store.write(nodeUnits.leave, { id: this.#parts.node.id });
  }

  async #beat(): Promise<void> {
    try {
      await this.#pulse();
      this.#trouble.over();
    } catch (error) {
      this.#trouble.met(error);
    }
  }

  /** A recovery may take long: the heart does not wait for it. */
  async #pulse(): Promise<void> {
    const { store, clock, node, log } = this.#parts;
    await store.write(nodeUnits.heartbeat, { ...node, at: clock.wallMs() });
    this.#recoverOnce().catch((error: unknown) => log.error({ err: error }, 'recovery failed'));
  }

  #recoverOnce(): Promise<void> {
    this.#recovery ??= this.#recover().finally(() => (this.#recovery = null));
    return this.#recovery;
  }

  async #recover(): Promise<void> {
    const { store, clock, log } = this.#parts;
    await this.#buryTheDead();
    const released = await store.write(endingUnits.releaseLeases, { now: clock.wallMs() });
    if (released > 0) this.#parts.nudgeReconciler();
    const turnstile = new Turnstile(ORPHANS_AT_ONCE);
    const settle = async (orphan: Orphan): Promise<boolean> => {
      if (this.#heart.isHalted) return false;
      return this.#settle(orphan).catch((error: unknown) => {
        log.error({ err: error, call_id: orphan.call.id }, 'call of a dead process was not recovered');
        return false;
      });
    };
    const orphans = await store.read(endingUnits.orphans, {});
    const settled = await Promise.all(orphans.map((orphan) => turnstile.pass(() => settle(orphan))));
    const calls = settled.filter((isSettled) => isSettled).length;
    if (calls > 0) log.warn({ calls }, 'calls of a dead process were ended or taken over');
  }

  async #buryTheDead(): Promise<void> {
    const { store, node, log } = this.#parts;
    const others = await store.read(nodeUnits.others, { id: node.id });
    const looks = others.map((other) => {
      const before = this.#seen.get(other.id);
      const isSilent = before?.heartbeat_at === other.heartbeat_at;
      return { ...other, silentLooks: isSilent ? before.silentLooks + 1 : 0 };
    });
    this.#seen.clear();
    for (const look of looks) this.#seen.set(look.id, look);
    const dead = looks.filter((look) => look.silentLooks >= SILENT_LOOKS);
    if (dead.length === 0) return;
    for (const { id, address } of dead)
      log.warn({ node: id, address }, 'another process is silent: it is dead');
    await store.write(nodeUnits.bury, { dead });
  }

  /** Whether anything was done: what is still being dialled is left to the reconciler. */
  async #settle(orphan: Orphan): Promise<boolean> {
    const { call, placedAs } = orphan;
    // Whoever called in hears nobody: the token of their socket died with its process, or is about to.
    if (call.status === 'initiated' && call.direction === 'inbound') return this.#end(call);
    // Still being dialled, with an outcome that nobody wrote down: the reconciler asks the carrier.
    if (call.status === 'initiated' || (call.status === 'connecting' && placedAs === null)) return false;
    if (call.status === 'connecting' && placedAs !== null) return this.#askCarrier(call, placedAs);
    return this.#end(call, await this.#endOf(orphan));
  }

  /** It was ringing. If it still is, this process takes it over; else the carrier says how it ended. */
  async #askCarrier(call: CallRow, dialRef: string): Promise<boolean> {
    const { store, host, clock, node } = this.#parts;
    const found = await this.#lookUp(call, dialRef);
    // Answered and over while nobody was here: whoever picked up heard nothing, and no talk may be announced.
    if (!found.found || found.status === 'completed') return this.#end(call);
    const changed = { callId: call.id, from: call.node_id, nodeId: node.id };
    if (!(await store.write(endingUnits.adopt, changed))) return false;
    if (found.status === 'ringing') return true;
    await host.report({
      carrier: call.provider,
      dialRef,
      providerCallId: found.providerCallId,
      status: found.status,
      code: null,
      hungUpBy: null,
      at: clock.wallMs(),
    });
    return true;
  }

  /** A carrier that cannot be asked is asked again, for as long as the phone may ring. */
  async #lookUp(call: CallRow, dialRef: string): Promise<LookUp> {
    const { carriers, clock, timings } = this.#parts;
    const carrier = carriers.find(call.provider);
    if (carrier === null) return { found: false };
    return answerWithin(clock, timings.requestTimeoutMs, () =>
      carrier.lookUp(dialRef, call.provider_call_id),
    ).catch((error: unknown) => {
      if (clock.wallMs() - call.updated_at < LONGEST_RING_MS) throw error;
      return { found: false };
    });
  }

  /** False when somebody has it by now. */
  async #end(call: CallRow, when: { endedAt?: number } = {}): Promise<boolean> {
    const ended = await this.#parts.endings.endOrphan(call, when);
    if (ended) await hangUp(ended, this.#parts);
    return ended !== null;
  }

  /** The recording knows best how long the talk went on. */
  async #endOf({ call, recording }: Orphan): Promise<{ endedAt: number }> {
    const { recordingsDir, repair } = this.#parts;
    const file = recording && (await repair(join(recordingsDir, recording.fileName)).catch(() => null));
    return { endedAt: recording && file ? recording.createdAt + file.durationMs : call.updated_at };
  }
}
