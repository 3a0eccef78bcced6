import { Problem } from '#kernel/errors/errors.js';

/** No call is begun any more; whoever asks is told to go to another server, or to come again later. */
export class StoppingProblem extends Problem {
  constructor() {
    super('unavailable', 'The service is stopping.', { retryAfterSeconds: 30 });
  }
}
