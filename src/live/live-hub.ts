import type { Clock } from '#kernel/time/clock.js';
import type { LiveEventName, LiveMessage } from './live-message.js';

/** Selects the messages for a client: those of a workspace that meet all other conditions. */
export interface LiveFilter {
  workspace: string;
  /** Null for all calls. */
  callId: string | null;
  /** Null for all batches. */
  batchId: string | null;
  /** Null for all types. */
  types: readonly LiveEventName[] | null;
}

/** One client of the live stream (server-sent events). */
export interface LiveClient {
  /** Sends one event in its wire format. Returns at once. */
  send(text: string): void;
  /** Ends the stream: the service stops. */
  end(): void;
}

/**
 * Messages kept per workspace for clients that reconnect: as soon as there are twice as many, only this many of the
 * newest stay.
 */
const KEPT_MESSAGES = 2_000;
/** How long messages are kept after the last client of a workspace has left: it may only be reloading its page. */
const LINGER_MS = 60_000;

/** A message that is kept for clients that reconnect, with its text. */
interface KeptMessage {
  sequence: number;
  message: LiveMessage;
  text: string;
}

/** A connected client, and its filter. */
interface ConnectedClient extends LiveFilter {
  client: LiveClient;
}

/** The clients of one workspace, and the messages kept for them. */
interface Audience {
  members: Set<ConnectedClient>;
  kept: KeptMessage[];
  /** Messages up to this sequence number are not kept. */
  forgottenUpTo: number;
  /** Cancels the removal of an audience without clients, which is due {@link LINGER_MS} after the last one left. */
  cancelLinger: () => void;
}

/**
 * Delivers live messages to the clients of the live stream of this process. Each message is serialised once for all
 * clients. An event id names this process and a sequence number: a reconnecting client gets the messages after its last
 * id, or a `sync` message if they are no longer kept. Used by `LiveService`.
 */
export class LiveHub {
  readonly #clock: Clock;
  readonly #process: string;
  readonly #audiences = new Map<string, Audience>();
  readonly #onWatched: (isWatched: boolean) => void;
  #sequence = 0;

  /**
   * @param process names this process in event ids
   * @param onWatched called with true when the first client of any workspace arrives, with false a minute after the
   *   last client of all has left
   */
  constructor(parts: { clock: Clock; process: string; onWatched: (isWatched: boolean) => void }) {
    this.#clock = parts.clock;
    this.#process = parts.process;
    this.#onWatched = parts.onWatched;
  }

  /** Number of clients. */
  get clients(): number {
    return [...this.#audiences.values()].reduce((sum, { members }) => sum + members.size, 0);
  }

  /** True if the workspace has clients, or had one within the last minute. */
  isWatched(workspace: string): boolean {
    return this.#audiences.has(workspace);
  }

  /** Sends a message to the clients whose filter it meets, and keeps it; without an audience it is dropped. */
  publish(message: LiveMessage): void {
    const audience = this.#audiences.get(message.workspace);
    if (!audience) return;
    const sequence = ++this.#sequence;
    const text = eventText(this.#idOf(sequence), message);
    // Partial words are superseded by the next ones, so they are not kept for reconnecting clients.
    if (message.name !== 'call.partial') keepMessage(audience, { sequence, message, text });
    for (const member of audience.members) if (matches(member, message)) member.client.send(text);
  }

  /**
   * Adds a client; returns a function that removes it.
   * @param lastId id of the last event received; null for a new client
   */
  join(filter: LiveFilter, client: LiveClient, lastId: string | null): () => void {
    const audience = this.#audienceOf(filter.workspace);
    const member: ConnectedClient = { ...filter, client };
    this.#sendMissed(audience, member, lastId);
    audience.members.add(member);
    return () => {
      if (!audience.members.delete(member) || audience.members.size > 0) return;
      audience.cancelLinger = this.#clock.after(LINGER_MS, () => this.#removeAudience(filter.workspace));
    };
  }

  /** Ends every client's stream. */
  close(): void {
    for (const [workspace, { members, cancelLinger }] of this.#audiences) {
      cancelLinger();
      for (const { client } of members) client.end();
      this.#removeAudience(workspace);
    }
  }

  /** Sends a client the newest event id; to a reconnecting client also the messages that it has missed, or `sync`. */
  #sendMissed({ kept, forgottenUpTo }: Audience, member: ConnectedClient, lastId: string | null): void {
    // An event with an id and no data: the client stores the id, and reports no event.
    member.client.send(`retry: 2000\nid: ${this.#idOf(this.#sequence)}\n\n`);
    if (lastId === null) return;
    const sequence = this.#sequenceOf(lastId);
    if (sequence === null || sequence < forgottenUpTo || sequence > this.#sequence) {
      const { workspace } = member;
      const message = { name: 'sync', workspace, callId: null, batchId: null, data: {} } as const;
      return member.client.send(eventText(this.#idOf(this.#sequence), message));
    }
    for (const { sequence: keptSequence, message, text } of kept)
      if (keptSequence > sequence && matches(member, message)) member.client.send(text);
  }

  /** The audience of a workspace, which the first client creates. */
  #audienceOf(workspace: string): Audience {
    const existing = this.#audiences.get(workspace);
    if (existing) {
      existing.cancelLinger();
      return existing;
    }
    const audience: Audience = {
      members: new Set(),
      kept: [],
      forgottenUpTo: this.#sequence,
      cancelLinger: () => {},
    };
    this.#audiences.set(workspace, audience);
    if (this.#audiences.size === 1) this.#onWatched(true);
    return audience;
  }

  #removeAudience(workspace: string): void {
    if (this.#audiences.delete(workspace) && this.#audiences.size === 0) this.#onWatched(false);
  }

  #idOf(sequence: number): string {
    return `${this.#process}-${sequence}`;
  }

  /** The sequence number of an event id; null for an id of another process. */
  #sequenceOf(id: string): number | null {
    const at = id.lastIndexOf('-');
    const digits = id.slice(at + 1);
    return id.slice(0, at) === this.#process && /^\d{1,15}$/.test(digits) ? Number(digits) : null;
  }
}

/** Keeps a message; the oldest are dropped when there are too many. */
function keepMessage(audience: Audience, kept: KeptMessage): void {
  audience.kept.push(kept);
  // Cut by halves: shifting all messages for each new one would cost more than sending it.
  if (audience.kept.length < KEPT_MESSAGES * 2) return;
  const dropped = audience.kept.splice(0, KEPT_MESSAGES);
  audience.forgottenUpTo = dropped.at(-1)!.sequence;
}

/** True if a client with this filter receives the message. */
function matches({ callId, batchId, types }: LiveFilter, message: LiveMessage): boolean {
  if (types !== null && !types.includes(message.name)) return false;
  if (callId !== null && message.callId !== callId) return false;
  return batchId === null || message.batchId === batchId;
}

/** A message as a server-sent event. JSON has no raw line breaks, so it is one line of data. */
function eventText(id: string, { name, data }: Pick<LiveMessage, 'name' | 'data'>): string {
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
