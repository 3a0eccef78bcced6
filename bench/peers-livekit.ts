// What a Node developer would pick instead: `@livekit/agents`, an `AgentSession` for each call with the Silero detector
// that comes with it, between the same telephone streams as the service. No room, no recording; recogniser, model and
// voice are fakes that cost nothing.
import { ReadableStream, type ReadableStreamDefaultController } from 'node:stream/web';
import { WebSocketServer, type WebSocket } from 'ws';
import { decodeUlaw, encodeUlaw } from '#media/samples/g711.js';
import { announce } from './media-server.js';
import type { AudioFrame, LiveKit } from './peers-livekit-types.js';
import { fakeAgentParts } from './peers-livekit-fakes.js';
import { PacedOutput } from './peers-paced-output.js';

const RATE_HZ = 8_000;

type FromTelephone = { event: 'start'; streamSid: string } | { event: 'media'; media: { payload: string } };

/** Why the peer cannot be measured here; null when it can. */
export async function missingForLiveKit(): Promise<string | null> {
  return (await loadLiveKit()) === null ? 'try: npm i --no-save @livekit/agents @livekit/rtc-node' : null;
}

async function loadLiveKit(): Promise<LiveKit | null> {
  const [agents, rtc]: string[] = ['@livekit/agents', '@livekit/rtc-node'];
  return Promise.all([import(agents!), import(rtc!)]).then(
    (modules) => Object.assign({}, ...(modules as object[])) as LiveKit,
    () => null,
  );
}

/** Serves telephone streams until the parent lets go of this process. */
export async function serveLiveKit(answer: { text: string; sentenceMs: number }): Promise<void> {
  const livekit = (await loadLiveKit())!;
  livekit.initializeLogger({ pretty: false, level: 'error' });
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  server.on('connection', (socket) => {
    void talk(livekit, socket, answer);
  });
  server.on('listening', () => announce((server.address() as { port: number }).port));
}

async function talk(
  livekit: LiveKit,
  socket: WebSocket,
  answer: { text: string; sentenceMs: number },
): Promise<void> {
  const session = new livekit.voice.AgentSession({
    ...fakeAgentParts(livekit, answer),
    aecWarmupDuration: null,
    userAwayTimeout: null,
    turnHandling: { turnDetection: 'vad', interruption: { mode: 'vad' } },
  });
  session.input.audio = inputOf(livekit, socket);
  session.output.audio = outputOf(livekit, socket);
  await session.start({ agent: new livekit.voice.Agent({ instructions: 'Be brief.' }), record: false });
  session.say(answer.text);
  socket.on('close', () => void session.close());
}

/** The caller, frame by frame as they come. */
function inputOf(livekit: LiveKit, socket: WebSocket) {
  let controller: ReadableStreamDefaultController<AudioFrame>;
  const frames = new ReadableStream<AudioFrame>({ start: (opened) => void (controller = opened) });
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as FromTelephone;
    if (message.event !== 'media') return;
    const bytes = Buffer.from(message.media.payload, 'base64');
    const samples = new Int16Array(bytes.length);
    decodeUlaw(bytes, samples);
    controller.enqueue(new livekit.AudioFrame(samples, RATE_HZ, 1, samples.length));
  });
  class TelephoneInput extends livekit.voice.AudioInput {
    constructor() {
      super();
      this.multiStream.addInputStream(frames);
    }
  }
  return new TelephoneInput();
}

/** The agent's sound, sent at its pace as the service sends it. */
function outputOf(livekit: LiveKit, socket: WebSocket) {
  class TelephoneOutput extends livekit.voice.AudioOutput {
    readonly #paced = new PacedOutput({
      send(samples) {
        const bytes = Buffer.alloc(samples.length);
        encodeUlaw(samples, bytes);
        socket.send(JSON.stringify({ event: 'media', media: { payload: bytes.toString('base64') } }));
      },
      onStarted: () => this.onPlaybackStarted(Date.now()),
      onFinished: (playbackPosition, interrupted) =>
        this.onPlaybackFinished({ playbackPosition, interrupted }),
    });

    constructor() {
      super(RATE_HZ);
    }

    override async captureFrame(frame: AudioFrame): Promise<void> {
      await super.captureFrame(frame);
      this.#paced.add(frame.data);
    }

    override flush(): void {
      super.flush();
      this.#paced.end();
    }

    clearBuffer(): void {
      this.#paced.interrupt();
    }
  }
  return new TelephoneOutput();
}
