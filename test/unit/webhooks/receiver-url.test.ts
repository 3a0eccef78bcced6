import { expect, it } from 'vitest';
import { createAddressGuard } from '#outbound-http/address-guard.js';
import { AllowedAddresses } from '#outbound-http/addresses.js';
import { NameNotFound } from '#outbound-http/resolver.js';
import { checkReceiverUrl } from '#webhooks/registrations/receiver-url.js';

it('a name that means something within a network alone is refused, whether or not there is one', async () => {
  const guard = createAddressGuard({
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
