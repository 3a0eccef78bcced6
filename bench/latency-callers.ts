import { once } from 'node:events';
import WebSocket from 'ws';
import { DEFAULT_TURN_SETTINGS } from '#conversation/talk/turn-settings.js';
import { createEndpointDetector, type EndpointDetector } from '#media/detecting/endpoints.js';
import { decodeUlaw, ULAW_SILENCE } from '#media/samples/g711.js';
import { loadVoiceActivity, type VoiceActivity } from '#media/detecting/voice-activity.js';
import { introduce, phraseFrames } from './media-generator.js';

const FRAME_MS = 20;
const SILENCE = Buffer.alloc(160, ULAW_SILENCE).toString('base64');

interface Caller {
  socket: WebSocket;
  detector: EndpointDetector;
  at: number;
  /** When the frame that ended the window was sent; null while nothing is waited for. */
  askedAtMs: number | null;
  turns: number;
}

/** Calls in so often, says two phrases again and again, and tells how long each answer took since it last told. */
export async function callIn(
  url: string,
  count: number,
  thinkingMs: (call: number, turn: number) => number,
): Promise<void> {
  const voiceActivity = await loadVoiceActivity();
  const latenciesMs: number[] = [];
  const callers: Caller[] = [];
  for (let call = 0; call < count; call++) {
    const caller = await connect(url, voiceActivity);
    introduce(caller.socket, call);
    caller.at = call * 17;
    caller.socket.on('message', (message: Buffer) => {
      if (caller.askedAtMs === null || message.includes(SILENCE)) return;
      latenciesMs.push(performance.now() - caller.askedAtMs - thinkingMs(call, caller.turns++));
      caller.askedAtMs = null;
    });
    callers.push(caller);
  }
  process.on('message', () => process.send!(latenciesMs.splice(0)));
  speak(callers);
  process.send!('talking');
}

async function connect(url: string, voiceActivity: VoiceActivity): Promise<Caller> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await once(socket, 'open');
  const detector = createEndpointDetector(voiceActivity.open(8000), {
    silenceWindowMs: DEFAULT_TURN_SETTINGS.openWindowMs,
  });
  return { socket, detector, at: 0, askedAtMs: null, turns: 0 };
}

function speak(callers: readonly Caller[]): void {
  const frames = phraseFrames();
  const samples = frames.map(({ bytes }) => {
    const decoded = new Int16Array(bytes.length);
    decodeUlaw(bytes, decoded);
    return decoded;
  });
  let nextMs = performance.now();
  let turn = 0;
  setInterval(() => {
    for (; nextMs <= performance.now(); nextMs += FRAME_MS / callers.length) {
      const caller = callers[turn++ % callers.length]!;
      const at = caller.at++ % frames.length;
      caller.socket.send(frames[at]!.message);
      if (caller.detector.push(samples[at]!)?.kind === 'end') caller.askedAtMs = performance.now();
    }
  }, 1);
}
