import type pg from 'pg';
import { sleep, systemClock } from '#kernel/time/clock.js';
import { NOTICE_CHANNEL } from '#store/statements/notify.js';
import type { Inbox } from '#store/threads/inbox.js';
import type { Outbox } from '#store/threads/outbox.js';
import type { Engine } from '#store/threads/serve-database.js';
import type { ThreadFacts } from '#store/threads/thread-protocol.js';

/** The pause before another attempt to connect. */
const RECONNECT_AFTER_MS = 1_000;
/** How often the connection is tried: one that a network has dropped silently would hear nothing, for ever. */
const TRY_EVERY_MS = 5_000;

/**
 * Hears the notices of all processes on a connection of its own, which never runs a transaction. While it has none,
 * notices are lost; whoever waits for one also looks by itself.
 */
export class NoticeListener {
  readonly #connect: () => Promise<pg.Client>;
  readonly #onNotice: (topic: string, id: string) => void;
  readonly #end = new AbortController();
  readonly #running: Promise<void>;

  /** @param connect opens a connection; tried again when it fails, or when the connection is lost */
  constructor(connect: () => Promise<pg.Client>, onNotice: (topic: string, id: string) => void) {
    this.#connect = connect;
    this.#onNotice = onNotice;
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#end.signal.aborted) {
      await this.#listen().catch(() => {});
      await this.#pause(RECONNECT_AFTER_MS);
    }
  }

  /** Listens on one connection, until it is lost or closed. */
  async #listen(): Promise<void> {
    const client = await this.#connect();
    const lost = new Promise<void>((resolve) => client.once('error', resolve).once('end', resolve));
    client.on('error', () => {});
    client.on('notification', ({ payload = '' }) => {
      const [topic = '', id = ''] = payload.split(' ');
      this.#onNotice(topic, id);
    });
    try {
      await client.query(`listen ${NOTICE_CHANNEL}`);
      while (!this.#end.signal.aborted) {
        await Promise.race([lost.then(() => this.#refuse()), this.#pause(TRY_EVERY_MS)]);
        // Also before the end: a connection that does not answer this is cut, and keeps no thread from ending.
        await client.query('select 1');
      }
    } finally {
      // A goodbye over a dead network is never answered.
      void client.end().catch(() => {});
    }
  }

  #refuse(): never {
    throw new Error('the connection is lost');
  }

  #pause(pauseMs: number): Promise<void> {
    return sleep(systemClock, pauseMs, this.#end.signal);
  }
}

/** An engine of a thread that also passes on the notices of all processes. */
export class ListeningEngine implements Engine {
  readonly #engine: Engine;
  readonly #listener: NoticeListener;

  constructor(engine: Engine, listener: NoticeListener) {
    this.#engine = engine;
    this.#listener = listener;
  }

  get facts(): ThreadFacts {
    return this.#engine.facts;
  }

  serve(inbox: Inbox, outbox: Outbox): Promise<void> {
    return this.#engine.serve(inbox, outbox);
  }

  async close(): Promise<void> {
    await Promise.all([this.#listener.close(), this.#engine.close()]);
  }
}
