/** The non-empty lines of a stream of UTF-8 bytes that are cut anywhere, for answers with one JSON value per line. */
export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let open = '';
  for await (const bytes of stream) {
    const lines = (open + decoder.decode(bytes, { stream: true })).split('\n');
    open = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield line;
  }
  if (open.trim() !== '') yield open;
}
