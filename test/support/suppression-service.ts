import { afterAll, beforeAll } from 'vitest';
import { buildTestService, TEST_KEY, type TestService } from './test-service.js';

/** A service whose suppression list the tests of one file fill. */
export class SuppressionService {
  #service: TestService | null = null;
  #serial = 0;

  /** Opens before the tests of the file and closes after them. */
  static forThisFile(): SuppressionService {
    const opened = new SuppressionService();
    beforeAll(async () => void (opened.#service = await buildTestService()));
    afterAll(() => opened.service.close());
    return opened;
  }

  get service(): TestService {
    return this.#service!;
  }

  /** A number unused by other tests of the file. */
  freshNumber(): string {
    this.#serial += 1;
    return `+1415555${String(this.#serial).padStart(4, '0')}`;
  }

  /** Adds one number to the list. */
  add(body: object) {
    return this.service.request('POST', '/api/suppressions', body);
  }

  async importList(payload: string | Buffer, type: string, query = '', headers: Record<string, string> = {}) {
    const answer = await this.service.app.server.inject({
      method: 'POST',
      url: `/api/suppressions/import${query}`,
      headers: { 'x-api-key': TEST_KEY, 'content-type': type, ...headers },
      payload,
    });
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: answer.json<Record<string, unknown>>(),
    };
  }
}
