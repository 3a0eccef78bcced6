import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';
import { SentenceStream } from '#speech/sentence-stream.js';
import { dialogueWith, modelAt } from './dialogue-agent.js';

/** Turns of one talk, and requests of one portion: many talks are as long. */
const TURNS = 10;
const WARM_UP_PORTIONS = 60;
const PORTIONS = 40;

/** Processor time of one turn, in microseconds, bare and whole: one pair for each round. */
export interface TurnCosts {
  bareMicros: number;
  turnMicros: number;
}

/**
 * The same model is asked by a bare client and by a whole dialogue, portion by portion in turn, in this process. For a
 * processor, a turn is what is left when the model takes no time.
 */
export async function measureTurns(url: string, rounds: number): Promise<TurnCosts[]> {
  const model = modelAt(url);
  const agent = new Agent({ keepAliveTimeout: 60_000 });
  const bodies = await bodiesOf(url);
  const bare = () => askBare(url, bodies, agent);
  const whole = () => talk(model);
  for (let i = 0; i < WARM_UP_PORTIONS; i++) {
    await bare();
    await whole();
  }
  const costs: TurnCosts[] = [];
  for (let round = 0; round < rounds; round++) {
    const spent = { bareMicros: 0, turnMicros: 0 };
    for (let i = 0; i < PORTIONS; i++) {
      spent.bareMicros += await microsOf(bare);
      spent.turnMicros += await microsOf(whole);
    }
    const each = (micros: number) => micros / (PORTIONS * TURNS);
    costs.push({ bareMicros: each(spent.bareMicros), turnMicros: each(spent.turnMicros) });
  }
  await agent.close();
  return costs;
}

async function microsOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** One talk of an agent, as its conversation has it: every delta goes through the sentence cutter. */
async function talk(model: ReturnType<typeof modelAt>): Promise<void> {
  const dialogue = dialogueWith(model);
  const { signal } = new AbortController();
  for await (const _ of dialogue.turn({ kind: 'opening' }, signal));
  for (let turn = 0; turn < TURNS; turn++) {
    const sentences = new SentenceStream();
    let spoken = 0;
    const transcript = { text: `I would like a visit on day ${turn}`, confidence: 0.9 };
    for await (const output of dialogue.turn({ kind: 'heard', transcript }, signal)) {
      if (output.kind === 'text_delta') spoken += sentences.push(output.text).length;
      else spoken += sentences.flush().length;
    }
    if (spoken < 2) throw new Error('the agent did not say what its model did');
  }
  dialogue.close();
}

/** The bodies that the requests of one such talk have: the bare client sends the same bytes. */
async function bodiesOf(url: string): Promise<string[]> {
  const bodies: string[] = [];
  const pass = async (incoming: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const piece of incoming.setEncoding('utf8')) body += piece;
    bodies.push(body);
    const asked = await request(`${url}/chat/completions`, { method: 'POST', body });
    response.writeHead(asked.statusCode, { 'content-type': 'text/event-stream' });
    for await (const piece of asked.body) response.write(piece);
    response.end();
  };
  const server = createServer((incoming, response) => void pass(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await talk(modelAt(`http://127.0.0.1:${port}/v1`));
  server.closeAllConnections();
  server.close();
  return bodies;
}

/** The least that a streamed answer takes: the events are read as they come, and their text joined. */
async function askBare(url: string, bodies: readonly string[], dispatcher: Agent): Promise<void> {
  for (const body of bodies) {
    const headers = { 'content-type': 'application/json' };
    const answer = await request(`${url}/chat/completions`, { method: 'POST', headers, body, dispatcher });
    let [text, rest] = ['', ''];
    for await (const piece of answer.body.setEncoding('utf8')) {
      const events = (rest + String(piece)).split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) text += textIn(event);
    }
    if (!text.startsWith('Yes')) throw new Error('the model did not say what it should');
  }
}

function textIn(event: string): string {
  const data = event.slice('data: '.length);
  if (data === '[DONE]') return '';
  const { choices } = JSON.parse(data) as { choices: { delta: { content?: string } }[] };
  return choices[0]?.delta.content ?? '';
}
