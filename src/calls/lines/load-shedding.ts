/**
 * Whether more calls are due than can be in hand at once. Their time has come, while what is told of calls that are
 * over can wait: it stands back until the rush is over. Where slots or the carrier's pace set the limit, there is none.
 */
export class LoadShedding {
  #isOn = false;

  get isOn(): boolean {
    return this.#isOn;
  }

  /** So many calls were taken to be dialled, of as many as could have been. */
  taken(count: number, atMost: number): void {
    this.#isOn = count === atMost;
  }

  /** Nobody takes any more. */
  end(): void {
    this.#isOn = false;
  }
}
