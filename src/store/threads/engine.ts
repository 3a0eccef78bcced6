import type { Inbox } from './inbox.js';
import type { Outbox } from './outbox.js';
import type { ThreadFacts } from './thread-protocol.js';

/** A database inside a store thread: it takes units from an inbox and puts what came of them into an outbox. */
export interface Engine {
  readonly facts: ThreadFacts;
  /** Serves until the inbox is closed and empty. A rejection means that the database is lost, and ends the thread. */
  serve(inbox: Inbox, outbox: Outbox): Promise<void>;
  /** Lets go of the database; nothing is in hand any more. */
  close(): Promise<void>;
}
