import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ULAW_OF_PCM } from '#media/samples/g711.js';
import { EmulatedEar } from './spoken-words.js';

const WAV_HEADER_BYTES = 44;

/** The words of the emulators in a WAV file of 16-bit samples. */
export function wordsInFile(file: Buffer, vocabulary: readonly string[]): string {
  if (file.readUInt32LE(40) !== file.length - WAV_HEADER_BYTES) throw new Error('the length is wrong');
  const samples = new Int16Array((file.length - WAV_HEADER_BYTES) / 2).map((_, at) =>
    file.readInt16LE(WAV_HEADER_BYTES + 2 * at),
  );
  const ear = new EmulatedEar(vocabulary);
  ear.hear(Uint8Array.from(samples, (sample) => ULAW_OF_PCM[sample & 0xffff]!));
  return ear.words.map(({ text }) => text).join(' ');
}

/** A server with `/v1/audio/transcriptions` on loopback, as speaches and others are. */
export async function openTranscriptionEmulator(vocabulary: readonly string[]) {
  /** The fields of each request, without its file. */
  const asked: Record<string, string>[] = [];
  const server = createServer((request, response) => {
    void formOf(request).then(async (form) => {
      const { file, ...fields } = Object.fromEntries(form.entries());
      asked.push(fields as Record<string, string>);
      const sound = Buffer.from(await (file as File).arrayBuffer());
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ text: wordsInFile(sound, vocabulary) }));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function formOf(request: IncomingMessage): Promise<FormData> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  return new Response(Buffer.concat(chunks), { headers }).formData();
}
