// As much of `@livekit/agents` as is used here; it is no dependency of the project.
import type { ReadableStream } from 'node:stream/web';

export interface AudioFrame {
  data: Int16Array;
  sampleRate: number;
  samplesPerChannel: number;
}

type Queue<Item> = { put(item: Item): void } & AsyncIterable<Item>;

/** A stream of a fake: it takes from its input and puts into its queue. */
declare abstract class Stream<Input, Output> {
  constructor(...args: unknown[]);
  protected input: Queue<Input>;
  protected queue: Queue<Output>;
  protected abstract run(): Promise<void>;
}

declare abstract class Provider {
  constructor(...args: unknown[]);
  close(): Promise<void>;
}

declare abstract class AudioInput {
  protected multiStream: { addInputStream(frames: ReadableStream<AudioFrame>): void };
}

declare abstract class AudioOutput {
  constructor(sampleRate: number);
  captureFrame(frame: AudioFrame): Promise<void>;
  flush(): void;
  abstract clearBuffer(): void;
  onPlaybackStarted(createdAt: number): void;
  onPlaybackFinished(event: { playbackPosition: number; interrupted: boolean }): void;
}

interface AgentSession {
  input: { audio: AudioInput };
  output: { audio: AudioOutput };
  start(options: { agent: object; record: false }): Promise<void>;
  say(text: string): void;
  close(): Promise<void>;
}

/** `@livekit/agents` and `@livekit/rtc-node` together. */
export interface LiveKit {
  AudioFrame: new (
    data: Int16Array,
    sampleRate: number,
    channels: number,
    samplesPerChannel: number,
  ) => AudioFrame;
  initializeLogger(options: { pretty: boolean; level: string }): void;
  voice: {
    Agent: new (options: { instructions: string }) => object;
    AgentSession: new (options: object) => AgentSession;
    AudioInput: typeof AudioInput;
    AudioOutput: typeof AudioOutput;
  };
  stt: {
    STT: typeof Provider;
    SpeechStream: typeof Stream<AudioFrame | symbol, object>;
    SpeechEventType: { FINAL_TRANSCRIPT: number };
  };
  llm: { LLM: typeof Provider; LLMStream: typeof Stream<never, object> };
  tts: { TTS: typeof Provider; ChunkedStream: typeof Stream<never, object> };
}
