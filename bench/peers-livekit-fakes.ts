import type { AudioFrame, LiveKit } from './peers-livekit-types.js';

const RATE_HZ = 8_000;
const PIECE_MS = 100;
const TONE = Int16Array.from({ length: (PIECE_MS * RATE_HZ) / 1_000 }, (_, i) => 8_000 * Math.sin(i / 7));
/** A frame that holds something louder is speech to the fake recogniser. */
const LOUD = 1_000;
/** So many quiet frames end an utterance. */
const QUIET_FRAMES = 10;

/** Recogniser, model and voice of a session: whatever is said is "yes", and the answer is always the same. */
export function fakeAgentParts(livekit: LiveKit, answer: { text: string; sentenceMs: number }) {
  return {
    stt: fakeStt(livekit),
    llm: fakeLlm(livekit, answer.text),
    tts: fakeTts(livekit, answer.sentenceMs),
  };
}

function fakeStt({ stt: { STT, SpeechStream, SpeechEventType } }: LiveKit) {
  class FakeSpeechStream extends SpeechStream {
    readonly label = 'fake';

    protected async run(): Promise<void> {
      let quiet = Infinity;
      for await (const frame of this.input) {
        if (typeof frame === 'symbol') continue;
        quiet = isLoud(frame) ? 0 : quiet + 1;
        if (quiet !== QUIET_FRAMES) continue;
        this.queue.put({
          type: SpeechEventType.FINAL_TRANSCRIPT,
          alternatives: [{ language: 'en', text: 'yes', startTime: 0, endTime: 0, confidence: 1 }],
        });
      }
    }
  }
  class FakeStt extends STT {
    readonly label = 'fake';
    constructor() {
      super({ streaming: true, interimResults: false });
    }
    stream(options?: { connOptions?: object }) {
      return new FakeSpeechStream(this, undefined, options?.connOptions);
    }
  }
  return new FakeStt();
}

function isLoud({ data }: AudioFrame): boolean {
  for (let i = 0; i < data.length; i += 8) if (Math.abs(data[i]!) > LOUD) return true;
  return false;
}

function fakeLlm({ llm: { LLM, LLMStream } }: LiveKit, text: string) {
  class FakeLlmStream extends LLMStream {
    protected async run(): Promise<void> {
      this.queue.put({ id: 'fake', delta: { role: 'assistant', content: text } });
    }
  }
  class FakeLlm extends LLM {
    label() {
      return 'fake';
    }
    chat({ chatCtx, toolCtx, connOptions }: { chatCtx: object; toolCtx?: object; connOptions?: object }) {
      return new FakeLlmStream(this, {
        chatCtx,
        toolCtx,
        connOptions: connOptions ?? { maxRetry: 0, retryIntervalMs: 0, timeoutMs: 1_000 },
      });
    }
  }
  return new FakeLlm();
}

function fakeTts({ AudioFrame: Frame, tts: { TTS, ChunkedStream } }: LiveKit, sentenceMs: number) {
  class FakeSound extends ChunkedStream {
    readonly label = 'fake';

    protected async run(): Promise<void> {
      for (let atMs = 0; atMs < sentenceMs; atMs += PIECE_MS) {
        this.queue.put({
          requestId: 'fake',
          segmentId: 'fake',
          frame: new Frame(TONE, RATE_HZ, 1, TONE.length),
          final: atMs + PIECE_MS >= sentenceMs,
        });
      }
      (this.queue as unknown as { close(): void }).close();
    }
  }
  class FakeTts extends TTS {
    readonly label = 'fake';
    constructor() {
      super(RATE_HZ, 1, { streaming: false });
    }
    synthesize(text: string, connOptions?: object, signal?: AbortSignal) {
      return new FakeSound(text, this, connOptions, signal);
    }
  }
  return new FakeTts();
}
