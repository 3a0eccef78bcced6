import type { Clock } from '#kernel/time/clock.js';
import { FRAME_MS, frameSamples } from '#media/samples/audio.js';
import { TurnListener } from '#telephony/sandbox/callees/turn-listener.js';
import { joined } from '#test/support/telephone-line.js';
import type { AnsweredBy } from './phone-network.js';

/** What a person says on the phone. */
export interface Talk {
  /** Sentences at 8 kHz, one after each turn of the other side. */
  sentences: readonly Int16Array[];
  /** Speaks first. */
  speaksFirst?: boolean;
  /** Interrupts a turn of the other side after this time. */
  interruptsAfterMs?: number;
  /** Repeats the last sentence after further turns. */
  repeats?: boolean;
  /** Hangs up after all sentences and one more turn of the other side. */
  thenHangsUp?: boolean;
}

/** A person: kind, sentences, and time until the hang-up. */
interface OnThePhone {
  answeredBy?: AnsweredBy | undefined;
  talk?: Talk | undefined;
  staysMs?: number | undefined;
}

const SAMPLE_RATE_HZ = 8000;
const FRAME_LENGTH = frameSamples(SAMPLE_RATE_HZ);

/** A person on the phone: hears frames of 20 ms and says the sentences in turn. */
export class Person {
  readonly answeredBy: AnsweredBy;
  /** Called when this person hangs up; set by the call. */
  onHangUp: () => void = () => {};
  readonly #talk: Talk;
  readonly #heard: Int16Array[] = [];
  readonly #listener = new TurnListener();
  readonly #cancelStay: () => void;
  /** The length of the other side's present turn. */
  #turnMs = 0;
  #sentencesSaid = 0;
  #speech = new Int16Array(0);

  constructor(clock: Clock, phone: OnThePhone) {
    this.answeredBy = phone.answeredBy ?? { kind: 'human' };
    this.#talk = phone.talk ?? { sentences: [] };
    this.#cancelStay =
      phone.staysMs === undefined ? () => {} : clock.after(phone.staysMs, () => this.hangUp());
    if (this.#talk.speaksFirst) this.#sayNext();
  }

  /** All audio received, including silence, at 8 kHz. */
  get heard(): Int16Array {
    return joined(this.#heard);
  }

  /** The loudness of each 20 ms (RMS of 16-bit samples). */
  get levels(): number[] {
    return this.#heard.map(rms);
  }

  /** Audio received above the line's noise, in milliseconds. */
  get heardSpeechMs(): number {
    return this.levels.filter((level) => level > 100).length * FRAME_MS;
  }

  get hasSaidEverything(): boolean {
    return this.#sentencesSaid >= this.#talk.sentences.length && this.#speech.length === 0;
  }

  hangUp(): void {
    this.#cancelStay();
    this.onHangUp();
  }

  /** The call is over for this person. */
  leave(): void {
    this.#cancelStay();
    this.onHangUp = () => {};
  }

  /** Advances by one frame: takes the audio heard (null is silence), returns the audio said (null is silence). */
  frame(heard: Int16Array | null): Int16Array | null {
    this.#heard.push(heard ? heard.slice() : new Int16Array(FRAME_LENGTH));
    const change = this.#listener.hear(heard);
    this.#turnMs = this.#listener.isInTurn ? this.#turnMs + FRAME_MS : 0;
    const isOver = change === 'ended' || this.#turnMs === this.#talk.interruptsAfterMs;
    if (isOver && this.#speech.length === 0) this.#takeTurn();
    if (this.#speech.length === 0) return null;
    const said = new Int16Array(FRAME_LENGTH);
    said.set(this.#speech.subarray(0, FRAME_LENGTH));
    this.#speech = this.#speech.subarray(FRAME_LENGTH);
    return said;
  }

  #takeTurn(): void {
    if (!this.hasSaidEverything) this.#sayNext();
    else if (this.#talk.repeats) this.#say(this.#talk.sentences.at(-1));
    else if (this.#talk.thenHangsUp) this.hangUp();
  }

  #sayNext(): void {
    this.#say(this.#talk.sentences[this.#sentencesSaid]);
    this.#sentencesSaid += 1;
  }

  #say(sentence: Int16Array = new Int16Array(0)): void {
    this.#speech = sentence.slice();
  }
}

function rms(samples: Int16Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / samples.length);
}
