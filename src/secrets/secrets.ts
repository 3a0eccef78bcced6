import type { Clock } from '#kernel/time/clock.js';
import { Problem } from '#kernel/errors/errors.js';
import type { Store } from '#store/store.js';
import type { SecretBox } from './secret-box.js';
import { workspaceSecretTransactions, type SecretFacts } from './secret-store.js';

/**
 * The secrets of customers, by workspace: values for headers and URLs of HTTP tools and of customers' model servers,
 * such as API keys, and the key that signs these requests. The API stores secrets and lists their names. Values are
 * read only for outgoing requests.
 */
export class Secrets {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #box: SecretBox;

  constructor(parts: { store: Store; clock: Clock; box: SecretBox }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#box = parts.box;
  }

  /** Sets a secret; `isNew` is false if it replaces one. */
  put(workspace: string, name: string, value: string): Promise<{ facts: SecretFacts; isNew: boolean }> {
    const sealed = this.#box.seal(value, secretPlace(workspace, name));
    return this.#store.write(workspaceSecretTransactions.put, {
      workspace,
      name,
      sealed,
      at: this.#clock.wallMs(),
    });
  }

  /** The secrets of a workspace without their values, by name. */
  list(workspace: string): Promise<SecretFacts[]> {
    return this.#store.read(workspaceSecretTransactions.list, { workspace });
  }

  /**
   * Deletes a secret.
   * @throws Problem `secret_not_found`
   */
  async remove(workspace: string, name: string): Promise<void> {
    const wasThere = await this.#store.write(workspaceSecretTransactions.remove, { workspace, name });
    if (!wasThere) throw new Problem('secret_not_found', 'There is no secret of this name.');
  }

  /**
   * Returns the values of some secrets by name, for an outgoing request, and marks these secrets as used. Unknown names
   * are left out.
   */
  async reveal(workspace: string, names: readonly string[]): Promise<Readonly<Record<string, string>>> {
    if (names.length === 0) return {};
    const at = this.#clock.wallMs();
    const found = await this.#store.write(workspaceSecretTransactions.use, { workspace, names, at });
    return Object.fromEntries(
      found.map(({ name, sealed }) => [name, this.#box.open(sealed, secretPlace(workspace, name))]),
    );
  }
}

/**
 * The place of a secret, to which its sealed value is bound: a value that was copied to another row cannot be opened.
 */
function secretPlace(workspace: string, name: string): string {
  return JSON.stringify([workspace, name]);
}
