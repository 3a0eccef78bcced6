/**
 * The non-empty lines of a stream of UTF-8 bytes that are cut anywhere, for answers with one JSON value per line. Used
 * by the voices of ElevenLabs.
 */
export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let unfinished = '';
  for await (const bytes of stream) {
    const lines = (unfinished + decoder.decode(bytes, { stream: true })).split('\n');
    unfinished = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield line;
  }
  if (unfinished.trim() !== '') yield unfinished;
}
