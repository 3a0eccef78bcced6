/**
 * Thrown by `AudioStreams` when another process must carry a stream: in a warm transfer, the process with the caller's
 * audio joins the person's call with it. The token of the stream stays valid, and the audio socket proxies the stream
 * to that process.
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
