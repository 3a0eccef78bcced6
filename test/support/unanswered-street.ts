import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalLine } from '#telephony/sandbox/call-journal.js';
import { PERSONAS } from '#telephony/sandbox/personas/personas.js';
import { temporaryFolder } from './temporary-folder.js';
import { buildTestService, type TestService } from './test-service.js';

/** Personas who do not answer. */
const NO_ANSWER = PERSONAS.filter(({ pickup }) => pickup.kind === 'no_answer');

/** Successive services on the same folder and telephone network, where callees do not answer. */
export function unansweredStreet(more: Record<string, string>) {
  const journalPath = join(temporaryFolder(), 'ledger.jsonl');
  const environment = { DATA_DIR: temporaryFolder(), INBOUND_SHARE_PERCENT: '0', ...more };
  return {
    environment,
    open(): Promise<TestService> {
      const sandbox = { callsPerSecond: 1_000, journalPath, personas: NO_ANSWER };
      return buildTestService({ listen: true, withoutThreads: true, environment, replace: { sandbox } });
    },
    dialled: () =>
      (existsSync(journalPath) ? readFileSync(journalPath, 'utf8').split('\n').filter(Boolean) : [])
        .map((line) => JSON.parse(line) as JournalLine)
        .filter(({ what }) => what === 'dialled')
        .map(({ to }) => to),
  };
}
