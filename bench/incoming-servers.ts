import { fastify } from 'fastify';
import { buildApp } from '#app/app.js';
import { readConfig } from '#config/read-config.js';
import { create } from './service-request.js';
import { AUTH_TOKEN, CALLED, DOMAIN } from './incoming-account.js';
import { dataFolder } from './processes.js';

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

/**
 * The whole service with one carrier and one agent; its port is told to the parent.
 * @param databaseUrl of an empty PostgreSQL database; without one it is SQLite
 */
export async function serveService(databaseUrl?: string): Promise<void> {
  const app = await buildApp(
    readConfig({
      PORT: '0',
      DEMO: 'off',
      DATA_DIR: dataFolder(),
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      SERVER_DOMAIN: DOMAIN,
      MAX_CONCURRENT_CALLS: MOST_CALLS,
      TWILIO_ACCOUNT_SID: 'AC00000000000000000000000000000001',
      TWILIO_AUTH_TOKEN: AUTH_TOKEN,
    }),
  );
  const { port, firstKey } = await app.listen();
  const origin = `http://127.0.0.1:${port}`;
  const endpoint = { origin, apiKey: firstKey! };
  const agent = await create(endpoint, '/api/agents', { name: 'Receptionist' });
  await create(endpoint, '/api/phone-numbers', { phone_number: CALLED, agent_id: agent['id'] });
  process.send!(origin);
}
