/**
 * Load shedding, shared by the dialler and the carrier reports: on while more calls are due than one claim can take.
 * Due calls then go first, and only a few reports of carriers are written at a time. It stays off while the slots or
 * the carrier's rate are the limit.
 */
export class LoadShedding {
  #isOn = false;

  get isOn(): boolean {
    return this.#isOn;
  }

  /**
   * Records that the dialler has claimed `count` calls, where `atMost` were allowed. A full claim means more are due.
   */
  recordClaim(count: number, atMost: number): void {
    this.#isOn = count === atMost;
  }

  /** Dialling has stopped: turns load shedding off. */
  end(): void {
    this.#isOn = false;
  }
}
