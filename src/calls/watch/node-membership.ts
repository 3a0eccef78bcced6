import type { ModuleContext } from '#store/module-context.js';
import { PeriodicTask } from '#kernel/work/periodic-task.js';
import { FailureLog } from '#kernel/log/failure-log.js';
import { nodeTransactions, type Heartbeat, type NodeIdentity, type ThisNode } from './node-store.js';
import type { Recovery } from './recovery.js';
import { watchTransactions } from './watch-store.js';

/** The interval of heartbeats, and of the checks of the other processes. */
const HEARTBEAT_MS = 5_000;
/** After this many checks (20 s) with an unchanged heartbeat, a process counts as dead, and its calls as orphaned. */
const SILENT_CHECKS = 4;

/** The dependencies of {@link NodeMembership}. */
export interface NodeMembershipParts extends Pick<ModuleContext, 'store' | 'clock' | 'log'> {
  node: ThisNode;
  recovery: Recovery;
  /** Called with the number of living processes that share the work, this one included. */
  onProcesses(count: number): void;
  /** Wakes the reconciler: leases of dead processes have ended. */
  wakeReconciler(): void;
}

/**
 * Writes the heartbeat of this process, detects dead processes, and recovers what they left: leases of dial attempts,
 * and calls (by `Recovery`). `CallEngine` starts and stops it. A process counts as dead after several checks without a
 * new heartbeat, not by the time in its heartbeat: the clocks of two machines differ and jump, and while the database
 * was unavailable, no process could write a heartbeat.
 */
export class NodeMembership {
  readonly #parts: NodeMembershipParts;
  /** The other processes at the last check, by id; `silentChecks`: the checks in a row without a new heartbeat. */
  readonly #seen = new Map<string, Heartbeat & { silentChecks: number }>();
  readonly #heartbeatTask: PeriodicTask;
  readonly #failures: FailureLog;

  constructor(parts: NodeMembershipParts) {
    this.#parts = parts;
    this.#heartbeatTask = new PeriodicTask(parts.clock, {
      everyMs: HEARTBEAT_MS,
      run: () => this.#sendHeartbeat(),
    });
    this.#failures = new FailureLog({ failed: 'heartbeat failed', recovered: 'heart beats again' }, parts);
  }

  /** Registers this process, and begins to recover the calls of dead processes. */
  async start(): Promise<void> {
    await this.#parts.store.write(nodeTransactions.register, this.#heartbeat);
    this.#heartbeatTask.start();
    await this.#checkOtherProcesses();
  }

  /** Begins no further heartbeat or recovery. */
  halt(): void {
    this.#heartbeatTask.halt();
    this.#parts.recovery.halt();
  }

  /** Waits for the recoveries in progress, and removes this process from the table of processes. */
  async stop(): Promise<void> {
    await this.#heartbeatTask.stop();
    const { store, log, node, recovery } = this.#parts;
    await recovery.settled();
    await store.write(nodeTransactions.leave, { id: node.id }).catch((error: unknown) => {
      // The other processes notice the missing heartbeat.
      log.warn({ err: error }, 'the end of this process was not written');
    });
  }

  get #heartbeat(): NodeIdentity & { at: number } {
    const { clock, node } = this.#parts;
    return { ...node, address: node.address(), at: clock.wallMs() };
  }

  /** Writes a heartbeat, then checks the other processes. */
  async #sendHeartbeat(): Promise<void> {
    try {
      await this.#parts.store.write(nodeTransactions.heartbeat, this.#heartbeat);
      await this.#checkOtherProcesses();
      this.#failures.succeeded();
    } catch (error) {
      this.#failures.failed(error);
    }
  }

  /** Removes dead processes, ends their leases of dial attempts, and begins to recover their calls. */
  async #checkOtherProcesses(): Promise<void> {
    const { store, clock, recovery } = this.#parts;
    await this.#removeDeadProcesses();
    const released = await store.write(watchTransactions.releaseLeases, { now: clock.wallMs() });
    if (released > 0) this.#parts.wakeReconciler();
    await recovery.begin();
  }

  /** Counts the checks without a new heartbeat, and removes the processes that are silent for too many of them. */
  async #removeDeadProcesses(): Promise<void> {
    const { store, node, log, onProcesses } = this.#parts;
    const others = await store.read(nodeTransactions.others, { id: node.id });
    const checked = others.map((other) => {
      const lastSeen = this.#seen.get(other.id);
      const isSilent = lastSeen?.heartbeat_at === other.heartbeat_at;
      return { ...other, silentChecks: isSilent ? lastSeen.silentChecks + 1 : 0 };
    });
    this.#seen.clear();
    for (const other of checked) this.#seen.set(other.id, other);
    const dead = checked.filter((other) => other.silentChecks >= SILENT_CHECKS);
    onProcesses(1 + checked.length - dead.length);
    if (dead.length === 0) return;
    for (const { id, address } of dead)
      log.warn({ node: id, address }, 'another process is silent: it is dead');
    await store.write(nodeTransactions.remove, { dead });
  }
}
