import type { Log } from '#kernel/log/log.js';
import { ComputeThread } from '#kernel/system/compute-thread.js';
import { transferableBytes } from '#kernel/system/thread.js';
import type { IntakeAnswer, IntakeTask } from '#batches/intake/intake.js';
import type { Forecast, ForecastTask } from '#batches/preflight/preflight.js';
import type { BatchQuestion } from './batch-thread.js';

/**
 * Parses batch requests and simulates batches on a thread of its own: both may take a second, which would interrupt
 * live audio on the main thread.
 */
export class BatchReader {
  readonly #thread: ComputeThread<BatchQuestion>;

  constructor(parts: { log: Log }) {
    this.#thread = new ComputeThread({ name: 'batches', path: 'batches/reading/batch-thread.js' }, parts);
  }

  /** Parses a batch request. @param task its body is transferred to the thread, and empty afterwards */
  read(task: IntakeTask): Promise<IntakeAnswer> {
    const body = transferableBytes(task.body);
    return this.#thread.ask({ kind: 'intake', task: { ...task, body } }, [body.buffer]);
  }

  /** Simulates a batch. */
  forecast(task: ForecastTask): Promise<Forecast> {
    return this.#thread.ask({ kind: 'forecast', task });
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
