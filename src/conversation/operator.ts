import { FRAME_MS, frameSamples } from '#media/samples/audio.js';
import { createListening, type Listening } from '#conversation/hearing/listening.js';
import { FrameQueue } from '#conversation/line/frame-queue.js';
import { RelayedSound, type PersonOnLine } from '#conversation/line/relayed-sound.js';
import type { ConversationOptions } from '#conversation/talk/conversation.js';
import type { ConversationParts } from '#conversation/talk/conversation-parts.js';
import { DEFAULT_TURN_SETTINGS } from '#conversation/talk/turn-settings.js';

/**
 * A person of the console who speaks in the agent's place. The person's sound goes to the line and the recording. The
 * words are transcribed: the transcript shows them as the agent's, with `by: 'operator'`, and the dialogue manager
 * gets them as a note. Used by `TalkSteering`; `PersonOnLine` describes the methods.
 */
export class Operator implements PersonOnLine {
  readonly #sound: RelayedSound;
  /**
   * Frames that were sent to the line, but not yet transcribed. The line takes frames ahead of their ticks; one frame
   * is transcribed at each tick, so that the times of the words are right.
   */
  readonly #toTranscribe: FrameQueue;
  readonly #frame: Int16Array;
  readonly #abort = new AbortController();
  readonly #listening: Listening;

  /** @param beganMs when the operator took over, in milliseconds of the stream */
  constructor(options: ConversationOptions, parts: ConversationParts, beganMs: number) {
    const { agent, line, observer } = options;
    const samples = frameSamples(line.sampleRateHz);
    this.#sound = new RelayedSound(samples);
    this.#toTranscribe = new FrameQueue(samples, FRAME_MS);
    this.#frame = new Int16Array(samples);
    const turnContext = { settings: parts.turns ?? DEFAULT_TURN_SETTINGS, signal: this.#abort.signal };
    const stt = parts.operatorStt ?? agent.stt;
    this.#listening = createListening(
      { line, agent: { ...agent, stt }, isOutbound: false },
      parts,
      turnContext,
      {
        onPartial: () => {},
        onEndOfTurn: (belief) => this.#listening.segmenter.takeBelief(belief),
        onEntry: (entry) =>
          observer.onEntry({
            ...entry,
            speaker: 'agent',
            by: 'operator',
            startMs: beganMs + entry.startMs,
            endMs: beganMs + entry.endMs,
          }),
        onWords: () => {},
        onUnanswered: ({ text }) => {
          if (text !== '') agent.dialogue.note({ kind: 'said_for_agent', text });
        },
        onNothing: () => {},
        onFailure: (error) => parts.log.warn({ err: error }, 'an operator was not transcribed'),
      },
    );
    this.#listening.segmenter.expect({ kind: 'anything' });
  }

  hear(samples: Int16Array): void {
    this.#sound.hear(samples);
  }

  fill(frame: Int16Array): boolean {
    if (!this.#sound.fill(frame)) return false;
    this.#toTranscribe.push(frame);
    return true;
  }

  tick(): void {
    if (!this.#toTranscribe.take(this.#frame)) this.#frame.fill(0);
    this.#transcribe(this.#frame);
  }

  async end(): Promise<void> {
    const { segmenter, utterances, link } = this.#listening;
    while (this.#toTranscribe.take(this.#frame)) this.#transcribe(this.#frame);
    const last = segmenter.cut();
    if (last) utterances.transcribeUnanswered(last);
    await utterances.settled();
    this.#abort.abort();
    segmenter.close();
    link.close();
  }

  /** Gives a frame to the segmenter. No utterance of an operator is answered. */
  #transcribe(frame: Int16Array): void {
    const utterance = this.#listening.segmenter.hear(frame);
    if (utterance) this.#listening.utterances.transcribeUnanswered(utterance);
  }
}
