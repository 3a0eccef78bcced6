import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describeSystemError } from '#kernel/errors/system-error.js';
import { loadResampling, type Resampling } from '#media/samples/resampler.js';
import { readSoundFile } from '#media/samples/sound-file.js';
import { wavOf } from '#media/samples/wav.js';
import { openBuiltInSpeech, type Speech } from '#providers/builtin/built-in-speech.js';
import type { RecognitionHints, SttSession, Transcript } from '#speech/stt.js';
import type { CommandContext } from './command.js';
import type { TalkingAgent } from './talking-agent.js';

const SAMPLE_RATE_HZ = 16_000;
/** What a line carries at once: 20 ms. */
const FRAME_SAMPLES = 320;
/** The other end speaks with another voice than most agents. */
const CALLER_VOICE = 'rms';
const WAV_FILE = /\.wav$/i;
const TALK_FILE = 'talk.wav';

type Parts = Pick<CommandContext, 'config' | 'clock' | 'log' | 'folder'>;

/** The sound of a talk in the terminal: both ends speak with the built-in voice, and the built-in recogniser hears. */
export class TalkVoice {
  readonly #agent: TalkingAgent;
  readonly #folder: string;
  readonly #speech: Speech;
  readonly #session: SttSession;
  readonly #resampling: Resampling;
  /** Everything that was said, one after the other. */
  readonly #sound: Int16Array[] = [];

  private constructor(
    agent: TalkingAgent,
    parts: { folder: string; speech: Speech; session: SttSession; resampling: Resampling },
  ) {
    this.#agent = agent;
    this.#folder = parts.folder;
    this.#speech = parts.speech;
    this.#session = parts.session;
    this.#resampling = parts.resampling;
  }

  static async open(agent: TalkingAgent, { config, clock, log, folder }: Parts): Promise<TalkVoice> {
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

  /** The agent says something. */
  async say(text: string): Promise<void> {
    await this.#speak(text, this.#agent.voice);
  }

  /**
   * The other end says a line, or what is in the WAV file that the line names.
   * @throws Error that says what is wrong with the file
   */
  async hear(line: string, hints: RecognitionHints | null): Promise<Transcript> {
    const sound = WAV_FILE.test(line) ? await this.#read(line) : await this.#speak(line, CALLER_VOICE);
    if (hints) this.#session.expect(hints);
    for (let at = 0; at < sound.length; at += FRAME_SAMPLES)
      this.#session.push(sound.subarray(at, at + FRAME_SAMPLES));
    return this.#session.finish();
  }

  /** Writes all that was said into a file, and returns its path. */
  async save(): Promise<string> {
    const path = resolve(this.#folder, TALK_FILE);
    await writeFile(path, wavOf(this.#sound, SAMPLE_RATE_HZ));
    return path;
  }

  close(): Promise<void> {
    this.#session.close();
    return this.#speech.close();
  }

  async #speak(text: string, voice: string | null): Promise<Int16Array> {
    const { language } = this.#agent;
    const pieces: Int16Array[] = [];
    for await (const piece of this.#speech.tts.speak({ text, voice, language, sampleRateHz: SAMPLE_RATE_HZ }))
      pieces.push(piece);
    this.#sound.push(...pieces);
    const whole = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
    pieces.reduce((at, piece) => (whole.set(piece, at), at + piece.length), 0);
    return whole;
  }

  async #read(name: string): Promise<Int16Array> {
    try {
      const sound = await readSoundFile(resolve(this.#folder, name), SAMPLE_RATE_HZ, this.#resampling);
      this.#sound.push(sound);
      return sound;
    } catch (error) {
      const said = describeSystemError(error);
      throw new Error(said.includes(name) ? said : `${name} ${said}`, { cause: error });
    }
  }
}
