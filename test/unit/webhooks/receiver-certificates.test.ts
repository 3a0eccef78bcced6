import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCertificates } from '#webhooks/receiver-certificates.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

describe('the certificates of WEBHOOK_CA_FILE', () => {
  const folder = temporaryFolder();
  const fileOf = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  it('are read unchanged', async () => {
    const pem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    expect(await readCertificates(fileOf('good.pem', pem))).toBe(pem);
  });

  it('are refused with the name of the setting when the file is missing or has no certificate', async () => {
    await expect(readCertificates(join(folder, 'nowhere.pem'))).rejects.toThrow(/WEBHOOK_CA_FILE.*nowhere/);
    await expect(readCertificates(fileOf('key.pem', '-----BEGIN PRIVATE KEY-----'))).rejects.toThrow(
      /WEBHOOK_CA_FILE.*key\.pem/,
    );
  });
});
