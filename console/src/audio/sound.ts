// Microphone and loudspeaker of the browser, as 16-bit samples.
import microphoneWorklet from './microphone-worklet.ts?script';
import speakerWorklet from './speaker-worklet.ts?script';

export const MICROPHONE_RATE = 16_000;

export interface Microphone {
  /** Between 0 and 1: how loud it is now. */
  level(): number;
  setMuted(isMuted: boolean): void;
  close(): void;
}

export interface Speaker {
  begin(rate: number, channels: number): void;
  play(pcm: ArrayBuffer): void;
  /** Throws away what has not been heard. */
  clear(): void;
  close(): void;
}

/** Opens the microphone, with the browser's own cancellation of echo. @throws Error that says what helps */
export async function openMicrophone(onFrame: (pcm: ArrayBuffer) => void): Promise<Microphone> {
  const stream = await askForMicrophone();
  const context = new AudioContext();
  await context.audioWorklet.addModule(microphoneWorklet);
  const node = new AudioWorkletNode(context, 'microphone', { numberOfOutputs: 0, channelCount: 1 });
  let isMuted = false;
  let level = 0;
  node.port.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
    // Silence is sent as well: the far end measures time by what comes.
    const pcm = isMuted ? new ArrayBuffer(data.byteLength) : data;
    level = loudnessOf(pcm);
    onFrame(pcm);
  });
  node.port.start();
  context.createMediaStreamSource(stream).connect(node);
  await context.resume();
  return {
    level: () => level,
    setMuted: (muted) => (isMuted = muted),
    close() {
      for (const track of stream.getTracks()) track.stop();
      void context.close();
    },
  };
}

async function askForMicrophone(): Promise<MediaStream> {
  if (!('mediaDevices' in navigator)) {
    throw new Error('Browsers give the microphone to https addresses and to localhost only.');
  }
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 },
    });
  } catch (error) {
    const name = error instanceof DOMException ? error.name : '';
    if (name === 'NotFoundError')
      throw new Error('There is no microphone. Plug one in, or type instead.', { cause: error });
    throw new Error(
      'The browser did not give the microphone. Allow it beside the address, or type instead.',
      {
        cause: error,
      },
    );
  }
}

/** Opens the loudspeaker; to be called when a button is pressed, since browsers keep pages silent before. */
export async function openSpeaker(): Promise<Speaker> {
  const context = new AudioContext();
  await context.audioWorklet.addModule(speakerWorklet);
  const node = new AudioWorkletNode(context, 'speaker', { numberOfInputs: 0, outputChannelCount: [2] });
  node.connect(context.destination);
  await context.resume();
  return {
    begin: (rate, channels) => node.port.postMessage({ do: 'begin', rate, channels }),
    play: (pcm) => node.port.postMessage({ do: 'play', pcm }, [pcm]),
    clear: () => node.port.postMessage({ do: 'clear' }),
    close: () => void context.close(),
  };
}

function loudnessOf(pcm: ArrayBuffer): number {
  const samples = new Int16Array(pcm);
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  const loudness = Math.sqrt(sum / Math.max(1, samples.length)) / 32_768;
  // Speech lies between -50 and -10 dB.
  return Math.max(0, Math.min(1, 1.25 + Math.log10(loudness + 1e-6) / 2));
}

/** The address of a socket of this service. */
export function socketAddress(path: string): string {
  return `${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}${path}`;
}
