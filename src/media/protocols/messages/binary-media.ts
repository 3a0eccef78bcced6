import { frameSamples, type SampleRateHz } from '../../samples/audio.js';
import { createPcm16Codec, type SoundCodec } from '../../samples/pcm16.js';
import { ProtocolError, type StreamMessage } from './stream-protocol.js';
import { spokenRate } from './carrier-fields.js';

/** Signed 16-bit little-endian sound in binary frames both ways, at a rate that the carrier's first message names. */
export interface BinaryMedia {
  /** As it was agreed; before that, the one that we ask for. */
  readonly sampleRateHz: SampleRateHz;
  readonly hasBegun: boolean;
  /** @throws ProtocolError for a rate that is not spoken here */
  begin(rateHz: number): void;
  /** What was heard; valid until the next call. @throws ProtocolError before the beginning, as `encode` does */
  decode(message: Buffer): StreamMessage | null;
  encode(samples: Int16Array): Buffer;
}

/** @param options.firstMessage what must come before any sound, in the words of the protocol */
export function createBinaryMedia(options: { askedRateHz: SampleRateHz; firstMessage: string }): BinaryMedia {
  let sampleRateHz = options.askedRateHz;
  let codec: SoundCodec | null = null;
  const audio: { kind: 'audio'; samples: Int16Array } = { kind: 'audio', samples: new Int16Array(0) };
  const begun = (): SoundCodec => {
    if (codec === null) throw new ProtocolError(`sound came before ${options.firstMessage}`);
    return codec;
  };
  return {
    get sampleRateHz() {
      return sampleRateHz;
    },
    get hasBegun() {
      return codec !== null;
    },
    begin(rateHz) {
      sampleRateHz = spokenRate(rateHz);
      codec = createPcm16Codec(frameSamples(sampleRateHz));
    },
    decode(message) {
      audio.samples = begun().decode(message);
      return audio.samples.length === 0 ? null : audio;
    },
    encode: (samples) => begun().encode(samples),
  };
}
