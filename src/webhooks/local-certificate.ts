import { isIP } from 'node:net';
import { generate } from 'selfsigned';

/** A key and a certificate, both PEM. */
export interface LocalCertificate {
  key: string;
  certificate: string;
}

/** The validity of a certificate. */
export interface Validity {
  from: Date;
  until: Date;
}

/**
 * Creates a self-signed TLS certificate for webhook receivers on this machine: for `callwright webhook listen` and
 * tests.
 * @param hosts host names and IP addresses that it is valid for
 * @param validity the default of the library `selfsigned` if missing
 */
export async function makeLocalCertificate(
  hosts: readonly string[],
  validity?: Validity,
): Promise<LocalCertificate> {
  const made = await generate([{ name: 'commonName', value: hosts[0] ?? 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ...(validity && { notBeforeDate: validity.from, notAfterDate: validity.until }),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: hosts.map((host) =>
          isIP(host) ? { type: 7 as const, ip: host } : { type: 2 as const, value: host },
        ),
      },
    ],
  });
  return { key: made.private, certificate: made.cert };
}
