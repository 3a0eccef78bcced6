import { Problem } from '#kernel/errors/errors.js';

/** Refuses a client's stream at shutdown: the client must use another server, or retry after 30 seconds. */
export class StoppingProblem extends Problem {
  constructor() {
    super('unavailable', 'The service is stopping.', { retryAfterSeconds: 30 });
  }
}
