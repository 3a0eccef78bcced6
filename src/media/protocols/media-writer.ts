import { base64Length, encodeBase64Ulaw } from '#media/samples/base64-g711.js';

const MEDIA_TAIL = Buffer.from('"}}');

/** Writes the agent's sound as JSON text frames that end with base64 μ-law and two braces. */
export interface MediaWriter {
  /**
   * One message. Written as bytes, because a socket takes text frames as strings at several times the price of buffers.
   * The message of a silent frame is the same buffer each time.
   */
  write(samples: Int16Array): Buffer;
}

/** @param head the message up to the payload, with its opening quote */
export function createMediaWriter(head: string): MediaWriter {
  const headBytes = Buffer.from(head);
  /** Most frames of most agents. It is sent again and again, and never changed. */
  let silence: { samples: number; message: Buffer } | null = null;

  const encode = (samples: Int16Array): Buffer => {
    const tailAt = headBytes.length + base64Length(samples.length);
    const message = Buffer.allocUnsafe(tailAt + MEDIA_TAIL.length);
    message.set(headBytes);
    encodeBase64Ulaw(samples, message, headBytes.length);
    message.set(MEDIA_TAIL, tailAt);
    return message;
  };

  return {
    write(samples) {
      if (!isSilent(samples)) return encode(samples);
      if (silence?.samples !== samples.length)
        silence = { samples: samples.length, message: encode(samples) };
      return silence.message;
    },
  };
}

function isSilent(samples: Int16Array): boolean {
  for (let i = 0; i < samples.length; i++) if (samples[i] !== 0) return false;
  return true;
}
