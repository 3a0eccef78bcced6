import { buildApp } from '#app/app.js';
import { readConfig } from '#config/read-config.js';
import { watchUsage } from './lateness.js';
import { dataFolder } from './processes.js';
import { create, type Endpoint } from './service-request.js';

/** The sandbox's callee for load tests: answers and hangs up at once. */
const LOAD_PERSONA = '+15550100009';

/** Where the pages are, and whom the calls are to. */
export interface ConsoleTarget extends Endpoint {
  agentId: string;
  number: string;
  dataDir: string;
}

/** The whole service as `npm start` opens it, with its usual settings but for a rate limit that is not met. */
export async function serveConsole(): Promise<void> {
  const dataDir = dataFolder();
  const config = readConfig({
    PORT: '0',
    DEMO: 'off',
    DATA_DIR: dataDir,
    RATE_LIMIT_PER_MINUTE: '100000000',
  });
  const app = await buildApp(config);
  const { port, firstKey } = await app.listen();
  if (firstKey === null) throw new Error('the service made no key');
  const endpoint = { origin: `http://127.0.0.1:${port}`, apiKey: firstKey };
  const agent = await create(endpoint, '/api/agents', { name: 'Receptionist' });
  const target: ConsoleTarget = { ...endpoint, agentId: String(agent['id']), number: LOAD_PERSONA, dataDir };
  const usage = watchUsage();
  process.on('message', () => process.send!(usage()));
  process.send!(target);
}
