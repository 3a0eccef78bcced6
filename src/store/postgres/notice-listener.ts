import type pg from 'pg';
import { sleep, systemClock } from '#kernel/time/clock.js';
import { NOTICE_CHANNEL } from '#store/statements/notify.js';
import type { Inbox } from '#store/threads/inbox.js';
import type { Outbox } from '#store/threads/outbox.js';
import type { Engine } from '#store/threads/serve-database.js';
import type { ThreadFacts } from '#store/threads/thread-protocol.js';

/** The pause before another attempt to connect. */
const RECONNECT_AFTER_MS = 1_000;
/** How often the connection is probed: only a probe shows that a network has silently dropped the connection. */
const PROBE_EVERY_MS = 5_000;

/**
 * Receives the notifications of all processes (`Store.listen`), on a connection that runs no transactions.
 * Notifications that are sent while the connection is lost are lost, too: their receivers also poll. `openPostgres`
 * makes a listener in the reader's thread.
 */
export class NoticeListener {
  readonly #connect: () => Promise<pg.Client>;
  readonly #onNotice: (topic: string, id: string) => void;
  readonly #end = new AbortController();
  readonly #running: Promise<void>;

  /** Starts at once. @param connect opens a connection; called again when that fails, or when the connection is lost */
  constructor(connect: () => Promise<pg.Client>, onNotice: (topic: string, id: string) => void) {
    this.#connect = connect;
    this.#onNotice = onNotice;
    this.#running = this.#run();
  }

  /** Stops, and resolves when the connection is no longer used. */
  async close(): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  /** Listens on one connection after the other, until `close`. */
  async #run(): Promise<void> {
    while (!this.#end.signal.aborted) {
      await this.#listen().catch(() => {});
      await this.#pause(RECONNECT_AFTER_MS);
    }
  }

  /** Listens on one connection until `close`. @throws Error when the connection is lost or does not answer */
  async #listen(): Promise<void> {
    const client = await this.#connect();
    const lost = new Promise<void>((resolve) => client.once('error', resolve).once('end', resolve));
    client.on('error', () => {});
    client.on('notification', ({ payload = '' }) => {
      // The payload is the topic and the id, with a space between them.
      const [topic = '', id = ''] = payload.split(' ');
      this.#onNotice(topic, id);
    });
    try {
      await client.query(`listen ${NOTICE_CHANNEL}`);
      while (!this.#end.signal.aborted) {
        await Promise.race([lost.then(() => this.#fail()), this.#pause(PROBE_EVERY_MS)]);
        // The probe also runs after `close`: if the server does not answer, its timeout ends this loop.
        await client.query('select 1');
      }
    } finally {
      // Not awaited: over a dead network, the end of a connection is never confirmed.
      void client.end().catch(() => {});
    }
  }

  #fail(): never {
    throw new Error('the connection is lost');
  }

  #pause(pauseMs: number): Promise<void> {
    return sleep(systemClock, pauseMs, this.#end.signal);
  }
}

/** An engine with a {@link NoticeListener} next to it, which is closed together with the engine. */
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
