import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describeSystemError } from '#kernel/errors/system-error.js';
import { loadResampling, type Resampling } from '#media/samples/resampler.js';
import { readSoundFile } from '#media/samples/sound-file.js';
import { wavOf } from '#media/samples/wav.js';
import { openBuiltInSpeech, type BuiltInSpeech } from '#providers/builtin/built-in-speech.js';
import type { RecognitionHints, SttSession, Transcript } from '#speech/stt.js';
import type { CommandContext } from './command.js';
import type { TalkAgent } from './talk-agent.js';

const SAMPLE_RATE_HZ = 16_000;
/** The samples of a frame of 20 ms: calls pass audio to a recogniser in these frames. */
const FRAME_SAMPLES = 320;
/** The voice of the caller, a built-in one that few agents use. */
const CALLER_VOICE = 'rms';
const WAV_FILE = /\.wav$/i;
const TALK_FILE = 'talk.wav';

type Parts = Pick<CommandContext, 'config' | 'clock' | 'log' | 'folder'>;

/**
 * The audio of a talk in the terminal (`talk --voice`): both sides speak with built-in voices, and the built-in
 * recogniser transcribes the caller.
 */
export class TalkVoice {
  readonly #agent: TalkAgent;
  readonly #folder: string;
  readonly #speech: BuiltInSpeech;
  readonly #session: SttSession;
  readonly #resampling: Resampling;
  /** The audio of both sides in order. */
  readonly #audio: Int16Array[] = [];

  private constructor(
    agent: TalkAgent,
    parts: { folder: string; speech: BuiltInSpeech; session: SttSession; resampling: Resampling },
  ) {
    this.#agent = agent;
    this.#folder = parts.folder;
    this.#speech = parts.speech;
    this.#session = parts.session;
    this.#resampling = parts.resampling;
  }

  /** Opens the built-in voice and recogniser; `close` releases them. */
  static async open(agent: TalkAgent, { config, clock, log, folder }: Parts): Promise<TalkVoice> {
    const speech = openBuiltInSpeech({
      threads: 1,
      dictations: config.dictationThreads,
      log,
      clock,
      timeZone: config.defaultTimezone,
      region: config.defaultRegion,
    });
    const { language } = agent;
    const session = await speech.stt.open({ language, sampleRateHz: SAMPLE_RATE_HZ });
    return new TalkVoice(agent, { folder, speech, session, resampling: await loadResampling() });
  }

  /** Speaks a text as the agent. */
  async say(text: string): Promise<void> {
    await this.#speak(text, this.#agent.voice);
  }

  /**
   * Speaks a line as the caller, or plays the WAV file that the line names, and transcribes it.
   * @throws Error with the cause if the file cannot be read
   */
  async transcribe(line: string, hints: RecognitionHints | null): Promise<Transcript> {
    const sound = WAV_FILE.test(line) ? await this.#readFile(line) : await this.#speak(line, CALLER_VOICE);
    if (hints) this.#session.expect(hints);
    for (let at = 0; at < sound.length; at += FRAME_SAMPLES)
      this.#session.push(sound.subarray(at, at + FRAME_SAMPLES));
    return this.#session.finish();
  }

  /** Writes the audio of the talk into a WAV file, and returns its path. */
  async save(): Promise<string> {
    const path = resolve(this.#folder, TALK_FILE);
    await writeFile(path, wavOf(this.#audio, SAMPLE_RATE_HZ));
    return path;
  }

  close(): Promise<void> {
    this.#session.close();
    return this.#speech.close();
  }

  /** Speaks a text, adds the audio to the talk, and returns it. */
  async #speak(text: string, voice: string | null): Promise<Int16Array> {
    const { language } = this.#agent;
    const pieces: Int16Array[] = [];
    for await (const piece of this.#speech.tts.speak({ text, voice, language, sampleRateHz: SAMPLE_RATE_HZ }))
      pieces.push(piece);
    this.#audio.push(...pieces);
    const joined = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
    pieces.reduce((at, piece) => (joined.set(piece, at), at + piece.length), 0);
    return joined;
  }

  /** Reads a WAV file, and adds its audio to the talk. */
  async #readFile(name: string): Promise<Int16Array> {
    try {
      const sound = await readSoundFile(resolve(this.#folder, name), SAMPLE_RATE_HZ, this.#resampling);
      this.#audio.push(sound);
      return sound;
    } catch (error) {
      const reason = describeSystemError(error);
      throw new Error(reason.includes(name) ? reason : `${name} ${reason}`, { cause: error });
    }
  }
}
