import { join } from 'node:path';
import { storeContract } from '../../contracts/store.js';
import { temporaryFolder } from '../../support/store.js';

storeContract('SQLite', async () => `sqlite:${join(temporaryFolder(), 'store.db')}`);
