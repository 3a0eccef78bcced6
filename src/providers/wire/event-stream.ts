/** The data of one server-sent event: the joined `data` lines of a block. */
export type EventText = string;

/**
 * Parses server-sent events (the streamed answers of models) from bytes cut anywhere, with lines that end with LF or
 * CRLF. Comments and event names are ignored: vendors repeat the name inside the data. Used by `repairedChunks`.
 */
export class EventReader {
  readonly #decoder = new TextDecoder();
  /** The beginning of an unfinished line. */
  #line = '';
  /** The `data` lines of an unfinished event. */
  #data: string[] = [];

  /** The events completed by `bytes`. */
  read(bytes: Uint8Array): EventText[] {
    return this.#take(this.#decoder.decode(bytes, { stream: true }));
  }

  /** The event completed by the end of the stream: some servers omit the last blank line. */
  end(): EventText[] {
    return this.#take(`${this.#decoder.decode()}\n\n`);
  }

  /** Adds decoded text; returns the events that it completes. */
  #take(text: string): EventText[] {
    const lines = (this.#line + text).split('\n');
    this.#line = lines.pop() ?? '';
    const events: EventText[] = [];
    for (const rawLine of lines) {
      const line = rawLine.endsWith('\r') ? rawLine.slice(0, -1) : rawLine;
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
