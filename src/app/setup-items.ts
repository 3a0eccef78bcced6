import type { Principal } from '#access/keys/principal.js';
import type { ApiKeys } from '#access/keys/api-keys.js';
import type { PhoneNumbers } from '#agents/phone-numbers/phone-numbers.js';
import type { Config } from '#config/config.js';
import type { SetupItem } from '#http/routes/setup.js';
import type { ProviderListing } from '#providers/provider-listing.js';
import type { Webhooks } from '#webhooks/registrations/webhooks.js';

/** The modules and settings that the setup page shows. */
export interface SetupParts {
  config: Config;
  publicUrl(): string;
  models: readonly ProviderListing[];
  apiKeys: Pick<ApiKeys, 'list'>;
  phoneNumbers: Pick<PhoneNumbers, 'list'>;
  webhooks: Pick<Webhooks, 'list'>;
}

/**
 * The items that real calls need (carrier, model, public address, keys, numbers, webhook), in the order of their setup,
 * with their state for a workspace. `GET /api/setup` and the console's setup page show them.
 */
export async function setupItems({ workspace }: Principal, parts: SetupParts): Promise<SetupItem[]> {
  const [keys, numbers, webhooks] = await Promise.all([
    parts.apiKeys.list({ workspace }, null, 1),
    parts.phoneNumbers.list({ workspace }, null, 1),
    parts.webhooks.list({ workspace }, null, 1),
  ]);
  return [
    carrierOf(parts.config),
    modelOf(parts.models),
    addressOf(parts.publicUrl()),
    stateOf('api_keys', keys.items.length > 0, {
      ready: 'There are API keys.',
      missing: 'There is no API key besides those of the settings.',
      next: 'Make one key for each program that calls the API.',
    }),
    stateOf('phone_numbers', numbers.items.length > 0, {
      ready: 'Phone numbers are registered.',
      missing: 'No phone number is registered: calls that come in reach the default agent.',
      next: 'Register your numbers, and say which agent answers each.',
    }),
    stateOf('webhooks', webhooks.items.length > 0, {
      ready: 'Events are sent to a webhook.',
      missing: 'No program receives events.',
      next: 'Register a webhook, or read the API.',
    }),
  ];
}

function carrierOf({ usualCarrier }: Config): SetupItem {
  if (usualCarrier !== 'sandbox')
    return { name: 'carrier', status: 'ready', detail: `Calls are placed with ${usualCarrier}.`, next: null };
  return {
    name: 'carrier',
    status: 'trial',
    detail: 'Calls go to the simulated network: no telephone rings.',
    next: 'Set CARRIER and the settings of your carrier (docs/carriers.md).',
  };
}

function modelOf(models: readonly ProviderListing[]): SetupItem {
  const usable = models.filter(
    ({ name, configured, needs_url: needsUrl }) => configured && !needsUrl && name !== 'builtin',
  );
  if (usable.length === 0)
    return {
      name: 'language_model',
      status: 'trial',
      detail: 'No language model is configured: agents follow playbooks.',
      next: 'Set the key of a provider, such as OPENAI_API_KEY (docs/providers.md).',
    };
  const names = usable.map(({ name }) => name).join(', ');
  return { name: 'language_model', status: 'ready', detail: `Configured: ${names}.`, next: null };
}

function addressOf(publicUrl: string): SetupItem {
  if (publicUrl.startsWith('https://'))
    return { name: 'public_address', status: 'ready', detail: `Reached at ${publicUrl}.`, next: null };
  return {
    name: 'public_address',
    status: 'trial',
    detail: `Reached at ${publicUrl}: by no carrier and no telephone.`,
    next: 'Set SERVER_DOMAIN to the public name of this service, and put TLS in front of it.',
  };
}

/** The item of something that a workspace has registered, or has not. */
function stateOf(
  name: SetupItem['name'],
  isReady: boolean,
  { ready, missing, next }: { ready: string; missing: string; next: string },
): SetupItem {
  return isReady
    ? { name, status: 'ready', detail: ready, next: null }
    : { name, status: 'missing', detail: missing, next };
}
