import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCertificates } from '#webhooks/receiver-certificates.js';

describe('the file of certificates', () => {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  const fileOf = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  it('is read as it is', async () => {
    const pem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    expect(await readCertificates(fileOf('good.pem', pem))).toBe(pem);
  });

  it('is named by its setting when it is not there, or holds no certificate', async () => {
    await expect(readCertificates(join(folder, 'nowhere.pem'))).rejects.toThrow(/WEBHOOK_CA_FILE.*nowhere/);
    await expect(readCertificates(fileOf('key.pem', '-----BEGIN PRIVATE KEY-----'))).rejects.toThrow(
      /WEBHOOK_CA_FILE.*key\.pem/,
    );
  });
});
