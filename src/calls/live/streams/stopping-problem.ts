import { Problem } from '#kernel/errors/errors.js';

/** The service is stopping: the client must use another server, or come again later. */
export class StoppingProblem extends Problem {
  constructor() {
    super('unavailable', 'The service is stopping.', { retryAfterSeconds: 30 });
  }
}
