// A call from the browser over the audio socket (docs/audio-socket.md).
import {
  MICROPHONE_RATE,
  openMicrophone,
  openSpeaker,
  socketAddress,
  type Microphone,
} from '../../audio/sound.js';
import type { TranscriptEntry } from '../../api/contract.js';

type AgentState = 'listening' | 'thinking' | 'speaking';

/** What the socket says, as far as the page shows it. */
export interface TalkEvents {
  started(callId: string): void;
  state(state: AgentState): void;
  partial(text: string): void;
  entry(entry: TranscriptEntry): void;
  step(name: string): void;
  /** A tool of the language model has answered. */
  tool(): void;
  ended(reason: string): void;
}

export interface TalkSession {
  /** null when only typing is possible. */
  microphone: Microphone | null;
  type(text: string): void;
  interrupt(): void;
  hangUp(): void;
}

interface SocketMessage {
  type: string;
  call_id?: string;
  state?: AgentState;
  text?: string;
  speaker?: 'agent' | 'customer';
  ended_reason?: string;
  step?: string;
}

const CLOSE_REASONS: Record<number, string> = {
  1008: 'The session is not allowed to talk. Its key needs the scope “write”.',
  1013: 'All lines are busy. Try again in a moment.',
  4404: 'There is no such agent any more.',
};

/**
 * Begins a call with an agent.
 * @param path of the agent's audio socket
 * @param withMicrophone false to type only
 * @throws Error that says what helps, when the browser gives no microphone
 */
export async function talkTo(path: string, withMicrophone: boolean, on: TalkEvents): Promise<TalkSession> {
  const speaker = await openSpeaker();
  speaker.begin(MICROPHONE_RATE, 1);
  let socket: WebSocket | null = null;
  const send = (data: ArrayBuffer | string): void => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(data);
  };
  // Without a microphone the line is silent, as one that is muted is.
  const microphone = withMicrophone ? await openMicrophone(send) : null;
  const silence = microphone ? undefined : setInterval(() => send(new ArrayBuffer(640)), 20);

  socket = new WebSocket(socketAddress(`${path}?events=true&encoding=pcm16&sample_rate=${MICROPHONE_RATE}`));
  socket.binaryType = 'arraybuffer';
  let hasEnded = false;
  socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (typeof data !== 'string') return speaker.play(data);
    const message = JSON.parse(data) as SocketMessage;
    if (message.type === 'interrupted') speaker.clear();
    if (message.type === 'call.ended') hasEnded = true;
    tell(on, message);
  });
  socket.addEventListener('close', ({ code }) => {
    clearInterval(silence);
    microphone?.close();
    // The goodbye is still being played.
    setTimeout(() => speaker.close(), 3_000);
    if (!hasEnded) on.ended(CLOSE_REASONS[code] ?? 'The connection was lost.');
  });
  const say = (message: object): void => send(JSON.stringify(message));
  return {
    microphone,
    type: (text) => say({ type: 'text', text }),
    interrupt: () => say({ type: 'interrupt' }),
    hangUp: () => say({ type: 'hangup' }),
  };
}

function tell(on: TalkEvents, message: SocketMessage): void {
  switch (message.type) {
    case 'session.started':
      return on.started(message.call_id ?? '');
    case 'agent.state':
      return on.state(message.state ?? 'listening');
    case 'transcript.partial':
      return on.partial(message.text ?? '');
    case 'transcript.final':
      return on.entry(message as unknown as TranscriptEntry);
    case 'step.reached':
      return on.step(message.step ?? '');
    case 'tool.called':
      return on.tool();
    case 'call.ended':
      return on.ended(message.ended_reason ?? '');
  }
}
