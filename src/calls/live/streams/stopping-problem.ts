import { Problem } from '#kernel/errors/errors.js';

/**
 * Refuses a client's stream at shutdown: the client must use another server, or retry after 30 seconds. Thrown by
 * `AudioStreams`; the audio sockets close with a code of their own for it.
 */
export class StoppingProblem extends Problem {
  constructor() {
    super('unavailable', 'The service is stopping.', { retryAfterSeconds: 30 });
  }
}
