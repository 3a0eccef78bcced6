import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { once } from './call-story.js';

/** Another process on the same PostgreSQL, in the middle of a transaction. */
export class Rival {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Begins a transaction, for the present test. */
  static async begin(databaseUrl: string): Promise<Rival> {
    const client = new pg.Client(databaseUrl);
    await client.connect();
    onTestFinished(() => client.end());
    await client.query('begin');
    return new Rival(client);
  }

  /** Makes a change that is invisible before {@link commit}, and blocks conflicting writers. */
  async does(sql: string, ...values: unknown[]): Promise<void> {
    const { rowCount } = await this.#client.query(sql, values);
    expect(rowCount).toBeGreaterThan(0);
  }

  /** Resolves when another transaction waits for this one. */
  async isWaitedFor(): Promise<void> {
    await once(async () => {
      const { rows } = await this.#client.query('select 1 from pg_locks where not granted');
      if (rows.length === 0) throw new Error('nobody waits');
    });
  }

  async commit(): Promise<void> {
    await this.#client.query('commit');
  }
}
