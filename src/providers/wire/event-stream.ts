/** One event of a server-sent stream: the `data` of a block, whose lines are joined. */
export type EventText = string;

/**
 * The data of server-sent events, as their bytes come: cut anywhere, several in a packet, with any line ending.
 * Comments and the names of events are left out: models repeat the name inside of the data.
 */
export class EventReader {
  readonly #decoder = new TextDecoder();
  /** What has come of a line that has not ended. */
  #line = '';
  #data: string[] = [];

  /** The events that `bytes` complete. */
  read(bytes: Uint8Array): EventText[] {
    return this.#take(this.#decoder.decode(bytes, { stream: true }));
  }

  /** The event that the end of the stream completes: some servers leave out the blank line after the last one. */
  end(): EventText[] {
    return this.#take(`${this.#decoder.decode()}\n\n`);
  }

  #take(text: string): EventText[] {
    const lines = (this.#line + text).split('\n');
    this.#line = lines.pop() ?? '';
    const events: EventText[] = [];
    for (const ended of lines) {
      const line = ended.endsWith('\r') ? ended.slice(0, -1) : ended;
      if (line === '') {
        if (this.#data.length > 0) events.push(this.#data.join('\n'));
        this.#data = [];
      } else if (line.startsWith('data:')) {
        this.#data.push(line.slice(line.startsWith('data: ') ? 'data: '.length : 'data:'.length));
      }
    }
    return events;
  }
}
