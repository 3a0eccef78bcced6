import type { KeepAnswer } from '#idempotency/idempotency-store.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Cursor, Page } from '#store/page.js';
import type { Store } from '#store/store.js';
import { withLookupUrl, type LookupGate } from '#agents/definitions/lookup.js';
import {
  phoneNumberTransactions,
  type PhoneNumberChanges,
  type PhoneNumberFilter,
  type PhoneNumberKey,
} from './phone-number-store.js';
import { toPhoneNumberResource, type PhoneNumberResource } from './phone-number.js';

/** A new phone number; omitted fields stay empty, and `provider` defaults to the default carrier. */
export interface PhoneNumberInput extends Omit<PhoneNumberChanges, 'provider'> {
  phone_number: string;
  provider?: string | undefined;
}

/**
 * The operations of the API on phone numbers, which connect the numbers of a workspace with agents. A number of another
 * workspace is unknown (Problem `phone_number_not_found`).
 */
export interface PhoneNumbers {
  /**
   * Adds a number.
   * @param keep turns the result into the stored answer of an idempotent request
   * @throws Problem `already_exists`, `agent_not_found`; what {@link LookupGate} throws
   */
  create(
    workspace: string,
    input: PhoneNumberInput,
    keep: KeepAnswer<PhoneNumberResource>,
  ): Promise<PhoneNumberResource>;
  get(key: PhoneNumberKey): Promise<PhoneNumberResource>;
  list(filter: PhoneNumberFilter, cursor: Cursor | null, limit: number): Promise<Page<PhoneNumberResource>>;
  update(key: PhoneNumberKey, changes: PhoneNumberChanges): Promise<PhoneNumberResource>;
  remove(key: PhoneNumberKey): Promise<PhoneNumberResource>;
}

/**
 * Creates the operations on phone numbers, for their routes.
 * @param parts.defaultCarrier the carrier of numbers that name none
 */
export function createPhoneNumbers(parts: {
  store: Store;
  clock: Clock;
  ids: Ids;
  lookups: LookupGate;
  defaultCarrier: string;
}): PhoneNumbers {
  const { store, clock, ids, lookups } = parts;
  const checkLookupUrl = async ({ lookup_url: url }: PhoneNumberChanges) => {
    if (url) await lookups.checkUrl(url);
  };
  return {
    async create(workspace, input, keep) {
      await checkLookupUrl(input);
      const at = clock.wallMs();
      const newSecret = lookups.newSecret();
      const number = {
        id: ids.next('num'),
        workspace,
        phone_number: input.phone_number,
        agent_id: input.agent_id ?? null,
        backup_agent_id: input.backup_agent_id ?? null,
        provider: input.provider ?? parts.defaultCarrier,
        label: input.label ?? null,
        ...withLookupUrl({ lookup_url: null, lookup_secret: null }, input.lookup_url, newSecret),
        created_at: at,
        updated_at: at,
      };
      const resource = toPhoneNumberResource(number, newSecret);
      await store.write(phoneNumberTransactions.create, { number, answer: keep(resource) });
      return resource;
    },
    get: async (key) => toPhoneNumberResource(await store.read(phoneNumberTransactions.get, key)),
    async list(filter, cursor, limit) {
      const page = await store.read(phoneNumberTransactions.list, { filter, cursor, limit });
      return { items: page.items.map((number) => toPhoneNumberResource(number)), next: page.next };
    },
    async update(key, changes) {
      await checkLookupUrl(changes);
      const newSecret = lookups.newSecret();
      const args = { ...key, changes, newSecret, at: clock.wallMs() };
      return toPhoneNumberResource(await store.write(phoneNumberTransactions.update, args), newSecret);
    },
    remove: async (key) => toPhoneNumberResource(await store.write(phoneNumberTransactions.remove, key)),
  };
}
