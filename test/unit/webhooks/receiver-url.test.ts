import { expect, it } from 'vitest';
import { createSsrfGuard } from '#outbound-http/ssrf-guard.js';
import { AllowedAddresses } from '#outbound-http/addresses.js';
import { NameNotFound } from '#outbound-http/resolver.js';
import { checkReceiverUrl } from '#webhooks/registrations/receiver-url.js';

it('refuses a name that is only valid inside a network, whether or not it exists', async () => {
  const guard = createSsrfGuard({
    allowed: new AllowedAddresses([]),
    resolve: async () => {
      throw new NameNotFound();
    },
  });
  await expect(checkReceiverUrl(guard, 'https://database.internal/', 'url')).rejects.toMatchObject({
    code: 'blocked_address',
  });
  await expect(checkReceiverUrl(guard, 'https://nowhere.example.com/', 'url')).resolves.toBeUndefined();
});
