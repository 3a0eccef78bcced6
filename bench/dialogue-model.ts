import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the model says to everything, token by token: two sentences. */
const TOKENS =
  'Yes|, that| is| possible|.| Shall| I| note| it| for| you|,| and| call| you| back| on| Monday| morning|?'.split(
    '|',
  );

/** A model's service on loopback that answers everything with the same stream, so long after it was asked. */
export function serveModel(delayMs: number): void {
  const events = [...TOKENS.map((token) => eventOf({ content: token })), ...ending()];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const answer = () => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        // Each event is written by itself, as services do.
        for (const event of events) response.write(event);
        response.end();
      };
      if (delayMs === 0) answer();
      else setTimeout(answer, delayMs);
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () =>
    process.send!({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }),
  );
}

function eventOf(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  const chunk = {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_764_000_000,
    model: 'm',
    choices,
  };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

function ending(): string[] {
  const usage = { prompt_tokens: 300, completion_tokens: TOKENS.length, total_tokens: 300 + TOKENS.length };
  const counted = {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [],
    usage,
  };
  return [eventOf({}, 'stop'), `data: ${JSON.stringify(counted)}\n\n`, 'data: [DONE]\n\n'];
}
