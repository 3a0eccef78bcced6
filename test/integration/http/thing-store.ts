import { keepAnswer, type IdempotentAnswer } from '#idempotency/idempotency-store.js';
import { defineTransactions } from '#store/transaction.js';

/** An effect to count, for the tests of idempotency: each thing that is made is a secret with a name. */
export const thingTransactions = defineTransactions('http_things', {
  async make(tx, args: { name: string; value: string; answer: IdempotentAnswer | null }): Promise<void> {
    await tx.run('insert into secrets (name, value) values (?, ?)', args.name, args.value);
    if (args.answer) await keepAnswer(tx, args.answer);
  },
  async count(tx): Promise<number> {
    return Number((await tx.get('select count(*) as things from secrets'))!['things']);
  },
});
