import type { Config } from '#config/config.js';
import { VERSION } from './version.js';

/** The banner that the service prints at start: its addresses, and the first API key, which is shown only once. */
export function bannerOf(
  config: Config,
  start: { baseUrl: string; firstKey: string | null; consoleKey: string | null },
): string {
  const lines = [`Callwright ${VERSION} is listening on ${start.baseUrl}`];
  if (start.consoleKey !== null)
    lines.push(
      `Console        ${start.baseUrl}/console#key=${start.consoleKey}`,
      '               The link signs in once.',
    );
  if (config.servesDocs) lines.push(`Documentation  ${start.baseUrl}/docs`);
  if (start.firstKey) {
    lines.push(`API key        ${start.firstKey}`, '               Keep it: it is shown only this once.');
  }
  return ['', ...lines.map((line) => `  ${line}`), ''].join('\n');
}
