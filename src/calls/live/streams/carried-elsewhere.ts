/**
 * Thrown when another process must carry a stream: the process with the caller that the call is to be joined with. The
 * token of the stream stays valid, and the socket server proxies the stream to that process.
 */
export class CarriedElsewhere extends Error {
  override readonly name = 'CarriedElsewhere';
  /** The internal host and port of that process. */
  readonly address: string;
  /** Ends the call if that process cannot be reached. */
  readonly giveUp: () => Promise<void>;

  constructor(address: string, giveUp: () => Promise<void>) {
    super('another process has to have this stream');
    this.address = address;
    this.giveUp = giveUp;
  }
}
