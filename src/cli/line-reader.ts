import { createInterface, type Interface } from 'node:readline/promises';

/**
 * Makes a function that prompts for a line of an input, for the command `talk`; it resolves with null at the end of the
 * input. Reading starts with the first prompt, so that other commands do not wait for input.
 */
export function lineReader(
  input: NodeJS.ReadStream,
  output: NodeJS.WritableStream,
): (prompt: string) => Promise<string | null> {
  let reader: { lines: AsyncIterator<string>; terminal: Interface } | null = null;
  return async (prompt) => {
    if (reader === null) {
      const terminal = createInterface({ input });
      reader = { terminal, lines: terminal[Symbol.asyncIterator]() };
    }
    output.write(prompt);
    const next = await reader.lines.next();
    if (next.done) return null;
    // A terminal shows the typed line itself; of a file or pipe it is shown here.
    if (!input.isTTY) output.write(`${next.value}\n`);
    return next.value;
  };
}
