/** A recording in memory: one sample rate, both sides of the call on one time line. */
export interface StereoSound {
  sampleRateHz: number;
  customer: Int16Array;
  agent: Int16Array;
  /** The length of the audio data. */
  durationMs: number;
  /** The length in the header, which must agree with the data. */
  saidDurationMs: number;
}

/** A stretch of sound, in milliseconds from its beginning. */
export interface Stretch {
  fromMs: number;
  toMs: number;
}

const HEADER_BYTES = 44;
const STEREO_FRAME_BYTES = 4;
/** The window for measuring loudness. */
const WINDOW_MS = 10;
/** −50 dBFS: above residual noise, below the softest speech. */
const LOUD_RMS = 100;

/**
 * Reads a stereo PCM16 file with a plain header, like any player: left is the customer, right the agent.
 * @throws Error that says what is wrong with the header
 */
export function readStereoWav(file: Buffer): StereoSound {
  const tags = [
    file.toString('latin1', 0, 4),
    file.toString('latin1', 8, 16),
    file.toString('latin1', 36, 40),
  ];
  if (tags.join() !== 'RIFF,WAVEfmt ,data') throw new Error(`not a WAV file: ${tags.join()}`);
  const [encoding, channels, bits] = [20, 22, 34].map((at) => file.readUInt16LE(at));
  if (encoding !== 1 || channels !== 2 || bits !== 16)
    throw new Error(`not stereo PCM16: encoding ${encoding}, ${channels} channels, ${bits} bits`);
  const sampleRateHz = file.readUInt32LE(24);
  const frames = Math.floor((file.length - HEADER_BYTES) / STEREO_FRAME_BYTES);
  const channel = (offset: number) =>
    Int16Array.from({ length: frames }, (_, at) =>
      file.readInt16LE(HEADER_BYTES + at * STEREO_FRAME_BYTES + offset),
    );
  const milliseconds = (count: number) => (count * 1000) / sampleRateHz;
  return {
    sampleRateHz,
    customer: channel(0),
    agent: channel(2),
    durationMs: milliseconds(frames),
    saidDurationMs: milliseconds(file.readUInt32LE(40) / STEREO_FRAME_BYTES),
  };
}

/** Stretches of sound by energy alone, separated by pauses of at least `pauseMs`. */
export function loudStretches(
  samples: Int16Array,
  sampleRateHz: number,
  pauseMs = 100,
  loudRms = LOUD_RMS,
): Stretch[] {
  const window = (sampleRateHz * WINDOW_MS) / 1000;
  const stretches: Stretch[] = [];
  for (let at = 0; at + window <= samples.length; at += window) {
    if (rms(samples.subarray(at, at + window)) < loudRms) continue;
    const fromMs = (at * 1000) / sampleRateHz;
    const last = stretches.at(-1);
    if (last && fromMs - last.toMs < pauseMs) last.toMs = fromMs + WINDOW_MS;
    else stretches.push({ fromMs, toMs: fromMs + WINDOW_MS });
  }
  return stretches;
}

/** From the first to the last stretch that overlaps a span; null if there is none. */
export function spanned(stretches: readonly Stretch[], { fromMs, toMs }: Stretch): Stretch | null {
  const within = stretches.filter((stretch) => stretch.toMs > fromMs && stretch.fromMs < toMs);
  const [first, last] = [within[0], within.at(-1)];
  return first && last ? { fromMs: first.fromMs, toMs: last.toMs } : null;
}

function rms(samples: Int16Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / samples.length);
}
