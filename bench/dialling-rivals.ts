import { setTimeout as sleep } from 'node:timers/promises';
import { openBullMq } from './bullmq.js';
import {
  cpuMicros,
  IN_A_MONTH_MS,
  SOON_MS,
  WARM_UPS,
  type Measured,
  type Sizes,
} from './dialling-measure.js';

const CONCURRENCY = 256;
const JOBS_AT_ONCE = 1_000;

/** As many delayed jobs of BullMQ, for which nothing is done; from the instant at which they are due. */
export async function drainBullMq(folder: string, { calls, pending }: Sizes): Promise<Measured> {
  const { Queue, Worker, connection, close } = await openBullMq(folder);
  const queue = new Queue('calls', { connection });
  const add = async (count: number, optsOf: (index: number) => object) => {
    for (let done = 0; done < count; done += JOBS_AT_ONCE) {
      const some = Math.min(JOBS_AT_ONCE, count - done);
      const jobs = Array.from({ length: some }, (_, index) => ({
        name: 'call',
        data: { call_id: `call_${done + index}` },
        opts: optsOf(done + index),
      }));
      await queue.addBulk(jobs);
    }
  };
  await add(pending, (index) => ({ delay: IN_A_MONTH_MS + index }));

  let begunAt: number[] = [];
  let left = 0;
  let finish = () => {};
  const options = { connection, concurrency: CONCURRENCY, autorun: false };
  const worker = new Worker('calls', async () => void begunAt.push(Date.now()), options);
  worker.on('completed', () => (left -= 1) === 0 && finish());
  void worker.run();

  const measure = async (): Promise<Measured> => {
    const dueAt = Date.now() + SOON_MS;
    begunAt = [];
    left = calls;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    await add(calls, () => ({ delay: dueAt - Date.now() }));
    if (Date.now() > dueAt) throw new Error('the jobs were due before all were written');
    await sleep(dueAt - Date.now());
    const cpuBefore = cpuMicros();
    await finished;
    const seconds = (Date.now() - dueAt) / 1_000;
    return { seconds, latenessMs: begunAt.map((at) => at - dueAt), cpuMicros: cpuMicros() - cpuBefore };
  };
  for (let round = 0; round < WARM_UPS; round += 1) await measure();
  const measured = await measure();
  await worker.close();
  await queue.close();
  await close();
  return measured;
}
