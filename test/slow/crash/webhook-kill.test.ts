import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { transactionModules } from '#store/transaction-modules.js';
import { verifyBody } from '#webhooks/deliveries/signature.js';
import { openPostgres } from '#test/support/postgres.js';
import { Receiver, trustedCertificate, type Received } from '#test/support/receiver.js';
import { MIGRATIONS } from '#test/support/fresh-database.js';
import { compiledModule } from '#test/support/store.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { drawn, rounds } from '#test/support/tier.js';

const EVENTS = rounds(200, 2_000);
const KILLS = rounds(2, 20);
const SECRET = 'a-secret-of-my-own-42';

const postgres = await openPostgres();

describe.each(drawn(1, postgres.engines))(
  'a service on %s that is killed while it tells what happens',
  (engine) => {
    it(`delivers each of ${EVENTS} events through ${KILLS} kills, unaltered`, async () => {
      const folder = temporaryFolder();
      const { certificate, caFile } = await trustedCertificate();
      const receiver = await Receiver.open(certificate, answerMostly());
      onTestFinished(() => receiver.close());
      const journalPath = join(folder, 'acknowledged.txt');
      writeFileSync(journalPath, '');
      const units = [
        ...transactionModules,
        await compiledModule(new URL('./webhook-kill-transactions.ts', import.meta.url)),
      ];
      const orders = {
        databaseUrl:
          engine === 'postgres'
            ? await postgres.server.createDatabase()
            : `sqlite:${join(folder, 'callwright.db')}`,
        migrationsDir: MIGRATIONS.href,
        transactionModules: units.map(({ href }) => href),
        receiverUrl: receiver.url,
        journalPath,
        caFile,
        secret: SECRET,
        events: EVENTS,
      };

      for (let kill = 0; kill < KILLS; kill += 1) {
        const child = await start(orders);
        await receiver.until(receiver.received.length + 40 + ((kill * 37) % 60));
        await killNow(child);
      }
      const last = await start(orders);
      await once(last.stdout!, 'data');
      await killNow(last);

      const acknowledged = readFileSync(journalPath, 'utf8').split('\n').slice(0, -1);
      expect(judge(receiver.received, acknowledged)).toEqual({
        lost: [],
        altered: [],
        unsigned: [],
        strangers: [],
        delivered: EVENTS,
      });
      expect(receiver.received.length).toBeGreaterThan(EVENTS);
    });
  },
);

/** One in forty is refused the first time. */
function answerMostly(): Parameters<typeof Receiver.open>[1] {
  let count = 0;
  return (_received, response) => {
    count += 1;
    response.writeHead(count % 40 === 0 ? 500 : 200).end();
  };
}

async function start(orders: object): Promise<ChildProcess> {
  const program = await compiledModule(new URL('./webhook-kill-child.ts', import.meta.url));
  const child = spawn(process.execPath, [fileURLToPath(program), JSON.stringify(orders)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function killNow(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  expect(await exited).toEqual([null, 'SIGKILL']);
}

/** What is wrong with what the receiver got. */
function judge(received: readonly Received[], acknowledged: readonly string[]) {
  const bodies = new Map<string, string>();
  const altered: string[] = [];
  const unsigned: string[] = [];
  const strangers: string[] = [];
  for (const { headers, body } of received) {
    const id = String(headers['webhook-id']);
    if ((bodies.get(id) ?? body) !== body) altered.push(id);
    if (!verifyBody(SECRET, body, String(headers['x-service-signature']))) unsigned.push(id);
    const envelope = JSON.parse(body) as { webhook_id: string; data: { id: string } };
    if (envelope.webhook_id !== id || envelope.data.id !== id) strangers.push(id);
    bodies.set(id, body);
  }
  const lost = acknowledged.filter((id) => !bodies.has(id));
  return { lost, altered, unsigned, strangers, delivered: bodies.size };
}
