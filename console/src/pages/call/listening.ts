// Listening to a live call, and speaking in it in place of the agent.
import { useEffect, useRef, useState } from 'preact/hooks';
import {
  MICROPHONE_RATE,
  openMicrophone,
  openSpeaker,
  socketAddress,
  type Microphone,
} from '../../audio/sound.js';

export interface Listening {
  isOn: boolean;
  problem: string;
  start(): void;
  stop(): void;
}

/** Both sides of a call on the loudspeaker: the person on the left, the agent on the right. */
export function useListening(callId: string): Listening {
  const [isOn, setOn] = useState(false);
  const [problem, setProblem] = useState('');
  const close = useRef<() => void>(() => {});
  const stop = (): void => {
    close.current();
    setOn(false);
  };
  const start = (): void => {
    setOn(true);
    setProblem('');
    openEar(callId, (why) => {
      setProblem(why);
      setOn(false);
    })
      .then((closeEar) => (close.current = closeEar))
      .catch((error: unknown) => {
        setProblem(String(error));
        setOn(false);
      });
  };
  useEffect(() => () => close.current(), []);
  return { isOn, problem, start, stop };
}

async function openEar(callId: string, onEnd: (why: string) => void): Promise<() => void> {
  const speaker = await openSpeaker();
  const socket = new WebSocket(socketAddress(`/ws/calls/${callId}/listen`));
  socket.binaryType = 'arraybuffer';
  let hasBegun = false;
  let isClosed = false;
  socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (typeof data !== 'string') return speaker.play(data);
    const message = JSON.parse(data) as { type: string; sample_rate?: number; channels?: number };
    if (message.type !== 'format') return;
    hasBegun = true;
    speaker.begin(message.sample_rate ?? MICROPHONE_RATE, message.channels ?? 2);
  });
  socket.addEventListener('close', () => {
    speaker.close();
    if (!isClosed) onEnd(hasBegun ? '' : 'This call cannot be listened to: it may be over.');
  });
  return () => {
    isClosed = true;
    socket.close();
  };
}

export interface OwnVoice {
  setMuted(isMuted: boolean): void;
  level(): number;
  close(): void;
}

/** Sends the microphone into a call that was taken over. */
export async function speakInto(address: string, onEnd: () => void): Promise<OwnVoice> {
  const socket = new WebSocket(address.startsWith('ws') ? address : socketAddress(address));
  socket.binaryType = 'arraybuffer';
  const microphone: Microphone = await openMicrophone((pcm) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(pcm);
  });
  const announce = (): void => socket.send(JSON.stringify({ type: 'start', sample_rate: MICROPHONE_RATE }));
  if (socket.readyState === WebSocket.OPEN) announce();
  else socket.addEventListener('open', announce);
  socket.addEventListener('close', () => {
    microphone.close();
    onEnd();
  });
  return {
    setMuted: microphone.setMuted,
    level: microphone.level,
    close: () => socket.close(),
  };
}
