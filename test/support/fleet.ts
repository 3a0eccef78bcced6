import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { sleep, systemClock } from '#kernel/time/clock.js';
import { SERVICE_KEY, startService, type Service } from './service.js';
import { temporaryFolder } from './temporary-folder.js';

/** The name by which the world knows the processes: whoever asks for it reaches any of them. */
export const FLEET_DOMAIN = 'voice.example.com';
const RETRY_AFTER_MS = 200;

/**
 * Several processes of the service over one database, behind a balancer that gives each request and each socket to any
 * of them; also to one that is frozen, as balancers do that have not noticed.
 */
export class Fleet {
  readonly folder = temporaryFolder();
  readonly #environment: Readonly<Record<string, string>>;
  readonly #services: (Service | null)[];
  readonly #random: () => number;

  constructor(count: number, environment: Readonly<Record<string, string>>, random: () => number) {
    this.#services = Array.from({ length: count }, () => null);
    this.#random = random;
    this.#environment = {
      SERVER_DOMAIN: FLEET_DOMAIN,
      // Recordings are shared by all of them.
      DATA_DIR: join(this.folder, 'data'),
      ...environment,
    };
  }

  service(index: number): Service {
    return this.#services[index]!;
  }

  /** Those that run, also frozen ones. */
  get running(): number[] {
    return this.#services.flatMap((service, index) => (service === null ? [] : [index]));
  }

  /** @param more settings of this process alone */
  async start(index: number, more: Readonly<Record<string, string>> = {}): Promise<void> {
    const folder = join(this.folder, `process-${index}`);
    mkdirSync(folder, { recursive: true });
    this.#services[index] = await startService(folder, { ...this.#environment, ...more });
  }

  startAll(): Promise<unknown> {
    return Promise.all(this.#services.map((_, index) => this.start(index)));
  }

  async kill(index: number): Promise<void> {
    const service = this.#services[index];
    this.#services[index] = null;
    await service?.kill();
  }

  async killAll(): Promise<void> {
    await Promise.all(this.#services.map((_, index) => this.kill(index)));
  }

  /** Asks a process to end, and waits until it has. */
  async stop(index: number): Promise<number | string | null> {
    const service = this.#services[index]!;
    this.#services[index] = null;
    return service.stop();
  }

  /** The process stands still for so long, with all that it was doing. */
  async freeze(index: number, durationMs: number): Promise<void> {
    const { process } = this.service(index).child;
    process.kill('SIGSTOP');
    await sleep(systemClock, durationMs);
    process.kill('SIGCONT');
  }

  /** Where an address of the service is reached at this moment: at any process that runs. */
  readonly reach = (url: string): string => {
    const { hostname, protocol, pathname, search } = new URL(url);
    if (hostname !== FLEET_DOMAIN) return url;
    const scheme = protocol === 'wss:' ? 'ws' : 'http';
    return `${scheme}://127.0.0.1:${this.#anyPort()}${pathname}${search}`;
  };

  /** Asks any process, and again until one has answered; what changes something is done once. */
  async ask(
    method: string,
    path: string,
    { body, key }: { body?: unknown; key?: string } = {},
  ): Promise<{ status: number; body: unknown }> {
    for (;;) {
      try {
        const answer = await fetch(this.reach(`http://${FLEET_DOMAIN}${path}`), {
          method,
          headers: {
            'x-api-key': SERVICE_KEY,
            ...(key !== undefined && { 'idempotency-key': key }),
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        const text: unknown = await answer.json();
        const isForLater = answer.status >= 500 || answer.status === 408 || answer.status === 409;
        if (!isForLater) return { status: answer.status, body: text };
      } catch {
        // Its process was killed, or is about to listen.
      }
      await sleep(systemClock, RETRY_AFTER_MS);
    }
  }

  #anyPort(): number {
    const running = this.#services.filter((service) => service !== null);
    return running[Math.floor(this.#random() * running.length)]?.port ?? 1;
  }
}
