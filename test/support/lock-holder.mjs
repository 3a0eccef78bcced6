// Takes the set-up lock, holds it for a while, and records when it took and released the lock.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as stay } from 'node:timers/promises';
import { withSetupLock } from '../../tools/setup-lock.mjs';

const [folder, holdMs] = process.argv.slice(2);
const write = (word) => appendFileSync(join(folder, 'journal'), `${word}\n`);

await withSetupLock(join(folder, 'lock'), {
  onWait() {},
  async task() {
    write('in');
    process.stdout.write('holding\n');
    await stay(Number(holdMs));
    write('out');
  },
});
