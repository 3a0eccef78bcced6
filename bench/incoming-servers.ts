import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fastify } from 'fastify';
import { buildApp } from '../src/app.js';
import { readConfig } from '../src/config.js';
import { AUTH_TOKEN, CALLED, DOMAIN } from './incoming-account.js';

/** More than callers can be announced in a round. */
const MOST_CALLS = '100000';

/** The ceiling: Fastify, and an answer that is there already. */
export async function serveBare(document: string): Promise<void> {
  const server = fastify();
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  server.post('/webhook/twilio/*', async (_request, reply) =>
    reply.type('application/xml; charset=utf-8').send(document),
  );
  process.send!(await server.listen({ port: 0, host: '127.0.0.1' }));
}

/** The whole house with one carrier and one agent; its port is told to the parent. */
export async function serveHouse(): Promise<void> {
  const app = await buildApp(
    readConfig({
      PORT: '0',
      DEMO: 'off',
      DATA_DIR: dataFolder(),
      SERVER_DOMAIN: DOMAIN,
      MAX_CONCURRENT_CALLS: MOST_CALLS,
      TWILIO_ACCOUNT_SID: 'AC00000000000000000000000000000001',
      TWILIO_AUTH_TOKEN: AUTH_TOKEN,
    }),
  );
  const { port } = await app.listen();
  const origin = `http://127.0.0.1:${port}`;
  const agent = await post(`${origin}/api/agents`, app.firstKey, { name: 'Receptionist' });
  await post(`${origin}/api/phone-numbers`, app.firstKey, { phone_number: CALLED, agent_id: agent['id'] });
  process.send!(origin);
}

async function post(url: string, apiKey: string | null, body: unknown): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json', 'x-api-key': apiKey ?? '' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

/** On the disk of the project, because a temporary folder may lie in memory; it goes when the process ends. */
function dataFolder(): string {
  const folder = mkdtempSync(join(fileURLToPath(new URL('.', import.meta.url)), 'incoming-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
