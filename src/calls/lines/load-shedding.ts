/**
 * Load shedding: on while more calls are due than one claim of the dialler takes. `Dialler` turns it on and off.
 * `CarrierReports` then writes only a few reports at a time, so that due calls go first. While free slots or the rate
 * limit allow less than a full claim, load shedding is off.
 */
export class LoadShedding {
  #isOn = false;

  get isOn(): boolean {
    return this.#isOn;
  }

  /**
   * Records that the dialler has claimed `count` calls of at most `atMost`. After a full claim, more calls may be due.
   */
  recordClaim(count: number, atMost: number): void {
    this.#isOn = count === atMost;
  }

  /** Turns load shedding off, because dialling has stopped. */
  turnOff(): void {
    this.#isOn = false;
  }
}
