const HEADER_BYTES = 44;
/** The format code of uncompressed samples. */
const PCM = 1;

/**
 * A WAV file of one channel of 16-bit samples, for recognisers that take an utterance as a file
 * (`createTranscriptionStt`).
 */
export function wavFile(samples: Int16Array, sampleRateHz: number): Buffer {
  const dataBytes = 2 * samples.length;
  const file = Buffer.alloc(HEADER_BYTES + dataBytes);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(HEADER_BYTES - 8 + dataBytes, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  // The length of the format chunk, the format, channels, samples and bytes per second, bytes and bits per sample.
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(PCM, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(sampleRateHz, 24);
  file.writeUInt32LE(2 * sampleRateHz, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(dataBytes, 40);
  for (let index = 0; index < samples.length; index += 1)
    file.writeInt16LE(samples[index]!, HEADER_BYTES + 2 * index);
  return file;
}
