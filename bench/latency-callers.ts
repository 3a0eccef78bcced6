import { once } from 'node:events';
import WebSocket from 'ws';
import { DEFAULT_TURN_SETTINGS } from '#conversation/talk/turn-settings.js';
import { createEndpointDetector, type EndpointDetector } from '#media/detecting/endpoints.js';
import { decodeUlaw, ULAW_SILENCE } from '#media/samples/g711.js';
import { loadVoiceActivity, type VoiceActivity } from '#media/detecting/voice-activity.js';
import { EAGER_MS } from '../test/support/emulators/speech/deepgram-emulator.js';
import { EmulatedEar } from '../test/support/emulators/speech/spoken-words.js';
import { introduce, phraseFrames } from './media-generator.js';

const FRAME_MS = 20;
const SILENCE = Buffer.alloc(160, ULAW_SILENCE).toString('base64');

interface Caller {
  socket: WebSocket;
  detector: EndpointDetector;
  /** Hears as the emulated recogniser does, if that one decides when a turn ends; null if the silence alone decides. */
  ear: EmulatedEar | null;
  /** The silence is long enough; only the recogniser's belief is waited for. */
  isWindowOver: boolean;
  at: number;
  /** When the frame that ended the window was sent; null while nothing is waited for. */
  askedAtMs: number | null;
  turns: number;
}

/**
 * Calls in so often, says two phrases again and again, and tells how long each answer took since it last told.
 * @param tellsEnds the recogniser believes in the end of a turn after {@link EAGER_MS} of silence, which shortens the
 *   window to that of an answer
 */
export async function callIn(
  url: string,
  count: number,
  {
    thinkingMs,
    tellsEnds = false,
  }: { thinkingMs: (call: number, turn: number) => number; tellsEnds?: boolean },
): Promise<void> {
  const voiceActivity = await loadVoiceActivity();
  const latenciesMs: number[] = [];
  const callers: Caller[] = [];
  for (let call = 0; call < count; call++) {
    const caller = await connect(url, voiceActivity, tellsEnds);
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

async function connect(url: string, voiceActivity: VoiceActivity, tellsEnds: boolean): Promise<Caller> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await once(socket, 'open');
  const detector = createEndpointDetector(voiceActivity.open(8000), {
    silenceWindowMs: tellsEnds ? DEFAULT_TURN_SETTINGS.answeredWindowMs : DEFAULT_TURN_SETTINGS.openWindowMs,
  });
  const ear = tellsEnds ? new EmulatedEar([]) : null;
  return { socket, detector, ear, isWindowOver: false, at: 0, askedAtMs: null, turns: 0 };
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
      caller.ear?.hear(frames[at]!.bytes);
      if (caller.detector.push(samples[at]!)?.kind === 'end') caller.isWindowOver = true;
      if (!caller.isWindowOver || (caller.ear && caller.ear.silenceMs < EAGER_MS)) continue;
      caller.isWindowOver = false;
      caller.askedAtMs = performance.now();
    }
  }, 1);
}
