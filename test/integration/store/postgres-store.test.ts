import { afterAll, describe, it } from 'vitest';
import { storeContract } from '../../contracts/store.js';
import { startPostgres } from '../../support/postgres.js';

const postgres = await startPostgres();
if ('reason' in postgres) {
  describe.skip(`store contract: PostgreSQL (${postgres.reason})`, () => it('keeps its promises', () => {}));
} else {
  afterAll(() => postgres.stop());
  storeContract('PostgreSQL', () => postgres.createDatabase());
}
