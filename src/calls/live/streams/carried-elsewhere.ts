/**
 * Another process has to have the sound of a call: the one with the line that it is to be joined with. Its token is not
 * used up.
 */
export class CarriedElsewhere extends Error {
  override readonly name = 'CarriedElsewhere';
  /** Host and port of that process. */
  readonly address: string;
  /** Ends the call where that process cannot be reached. */
  readonly giveUp: () => Promise<void>;

  constructor(address: string, giveUp: () => Promise<void>) {
    super('another process has to have this stream');
    this.address = address;
    this.giveUp = giveUp;
  }
}
