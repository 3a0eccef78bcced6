import { afterAll, beforeAll } from 'vitest';
import { buildTestHouse, TEST_KEY, type TestHouse } from './house.js';

/** A house whose suppression list the tests of one file fill. */
export class SuppressionHouse {
  #house: TestHouse | null = null;
  #serial = 0;

  /** Opened before the tests of the file, and closed after them. */
  static forThisFile(): SuppressionHouse {
    const opened = new SuppressionHouse();
    beforeAll(async () => void (opened.#house = await buildTestHouse()));
    afterAll(() => opened.house.close());
    return opened;
  }

  get house(): TestHouse {
    return this.#house!;
  }

  /** A number that no other test of the file uses. */
  freshNumber(): string {
    this.#serial += 1;
    return `+1415555${String(this.#serial).padStart(4, '0')}`;
  }

  /** One number onto the list, by itself. */
  add(body: object) {
    return this.house.request('POST', '/api/suppressions', body);
  }

  async importList(payload: string | Buffer, type: string, query = '', headers: Record<string, string> = {}) {
    const answer = await this.house.app.server.inject({
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
