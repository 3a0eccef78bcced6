import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import { PeriodicTask } from '#kernel/work/periodic-task.js';
import { FailureLog } from '#kernel/log/failure-log.js';
import type { Store } from '#store/store.js';
import { nodeTransactions, type Heartbeat } from './node-store.js';
import type { Recovery } from './recovery.js';
import { watchTransactions } from './watch-store.js';

const HEARTBEAT_MS = 5_000;
/** A process whose heartbeat stood still while we looked so often is dead, and its calls are nobody's. */
const SILENT_LOOKS = 4;

export interface NodeMembershipParts {
  store: Store;
  clock: Clock;
  log: Log;
  node: { id: string; address(): string };
  recovery: Recovery;
  /** How many processes share the work, as far as is known, this one among them. */
  onProcesses(count: number): void;
  /** Attempts may have become free to be settled. */
  wakeReconciler(): void;
}

/**
 * Keeps this process known as alive, and finds out which others are dead: by what was seen here, look by look, because
 * clocks of two machines differ and jump, and when the database was away nobody's heart could be heard.
 */
export class NodeMembership {
  readonly #parts: NodeMembershipParts;
  readonly #seen = new Map<string, Heartbeat & { silentLooks: number }>();
  readonly #heart: PeriodicTask;
  readonly #failures: FailureLog;

  constructor(parts: NodeMembershipParts) {
    this.#parts = parts;
    this.#heart = new PeriodicTask(parts.clock, { everyMs: HEARTBEAT_MS, run: () => this.#beat() });
    this.#failures = new FailureLog({ failed: 'heartbeat failed', recovered: 'heart beats again' }, parts);
  }

  /** Registers the process, and begins to recover what an earlier one left behind. */
  async start(): Promise<void> {
    await this.#parts.store.write(nodeTransactions.register, this.#entry);
    this.#heart.start();
    await this.#checkOtherProcesses();
  }

  /** Begins nothing further. */
  halt(): void {
    this.#heart.halt();
    this.#parts.recovery.halt();
  }

  async stop(): Promise<void> {
    await this.#heart.stop();
    const { store, log, node, recovery } = this.#parts;
    await recovery.settled();
    await store.write(nodeTransactions.leave, { id: node.id }).catch((error: unknown) => {
      // The others find out by themselves.
      log.warn({ err: error }, 'the end of this process was not written');
    });
  }

  get #entry(): { id: string; address: string; at: number } {
    const { clock, node } = this.#parts;
    return { id: node.id, address: node.address(), at: clock.wallMs() };
  }

  async #beat(): Promise<void> {
    try {
      await this.#parts.store.write(nodeTransactions.heartbeat, this.#entry);
      await this.#checkOtherProcesses();
      this.#failures.worked();
    } catch (error) {
      this.#failures.failed(error);
    }
  }

  async #checkOtherProcesses(): Promise<void> {
    const { store, clock, recovery } = this.#parts;
    await this.#removeDeadProcesses();
    const released = await store.write(watchTransactions.releaseLeases, { now: clock.wallMs() });
    if (released > 0) this.#parts.wakeReconciler();
    await recovery.begin();
  }

  async #removeDeadProcesses(): Promise<void> {
    const { store, node, log, onProcesses } = this.#parts;
    const others = await store.read(nodeTransactions.others, { id: node.id });
    const looks = others.map((other) => {
      const before = this.#seen.get(other.id);
      const isSilent = before?.heartbeat_at === other.heartbeat_at;
      return { ...other, silentLooks: isSilent ? before.silentLooks + 1 : 0 };
    });
    this.#seen.clear();
    for (const look of looks) this.#seen.set(look.id, look);
    const dead = looks.filter((look) => look.silentLooks >= SILENT_LOOKS);
    onProcesses(1 + looks.length - dead.length);
    if (dead.length === 0) return;
    for (const { id, address } of dead)
      log.warn({ node: id, address }, 'another process is silent: it is dead');
    await store.write(nodeTransactions.remove, { dead });
  }
}
