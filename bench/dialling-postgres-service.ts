import { buildApp } from '#app/app.js';
import { readConfig } from '#config/read-config.js';
import { createLog } from '#kernel/log/log.js';
import { LOAD_PERSONAS } from './dialling-service.js';
import { cpuMicros } from './dialling-measure.js';

/**
 * One of the processes that share a PostgreSQL: the whole service over a sandbox network of its own. Tells its port,
 * and answers each message with the processor time that it has used so far (microseconds).
 */
export async function serveOverPostgres(
  databaseUrl: string,
  { folder, journalPath }: { folder: string; journalPath: string },
): Promise<void> {
  const config = readConfig({
    PORT: '0',
    DEMO: 'off',
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    MAX_CONCURRENT_CALLS: '100000',
    INBOUND_SHARE_PERCENT: '0',
    API_KEYS: 'bench-key-0123456789abcdef',
  });
  const app = await buildApp(config, {
    log: createLog('ERROR'),
    sandbox: { callsPerSecond: 1_000_000, journalPath, personas: LOAD_PERSONAS },
  });
  const { port } = await app.listen();
  process.on('message', () => process.send!(cpuMicros()));
  process.on('disconnect', () => void app.close().then(() => process.exit()));
  process.send!(port);
}
