import type { AwsV4Signer } from 'aws4fetch';
import { toInstant, type Clock } from '#kernel/time/clock.js';
import type { S3Settings } from './s3-settings.js';

/** A request to sign. The query is signed, too, and so are most headers (not the content type, for instance). */
interface Signable {
  method: string;
  /** The key of the object. */
  key: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
}

/**
 * Signs requests and URLs of an S3-compatible storage (AWS Signature Version 4), with the time of the service's clock.
 * Used by `S3Storage`.
 */
export class S3Signer {
  readonly #settings: S3Settings;
  readonly #clock: Clock;

  constructor(settings: S3Settings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** The URL and the signed headers of a request. @param bodyHash SHA-256 of the body (hex), part of the signature */
  async sign(request: Signable, bodyHash: string): Promise<{ url: string; headers: Record<string, string> }> {
    const signer = await this.#signerOf({
      method: request.method,
      url: this.#urlOf(request).href,
      headers: { ...request.headers, 'x-amz-content-sha256': bodyHash },
    });
    const { url, headers } = await signer.sign();
    return { url: url.href, headers: Object.fromEntries(headers) };
  }

  /** A URL with which any client can read an object for some seconds. */
  async signAddress(
    key: string,
    { seconds, attachment }: { seconds: number; attachment?: string },
  ): Promise<string> {
    const url = this.#urlOf({ method: 'GET', key });
    url.searchParams.set('X-Amz-Expires', String(seconds));
    if (attachment !== undefined)
      url.searchParams.set('response-content-disposition', `attachment; filename="${attachment}"`);
    const signer = await this.#signerOf({ method: 'GET', url: url.href, signQuery: true });
    return (await signer.sign()).url.href;
  }

  /** The signer of the library for one request. */
  async #signerOf(
    options: Omit<
      ConstructorParameters<typeof AwsV4Signer>[0],
      'accessKeyId' | 'secretAccessKey' | 'service' | 'region' | 'datetime'
    >,
  ): Promise<AwsV4Signer> {
    // Loaded on demand: most services have no object storage.
    const { AwsV4Signer: Signer } = await import('aws4fetch');
    const { accessKeyId, secretAccessKey, region } = this.#settings;
    // In the form `20261121T000047Z`.
    const datetime = toInstant(this.#clock.wallMs()).replace(/[:-]|\.\d{3}/g, '');
    return new Signer({ ...options, accessKeyId, secretAccessKey, region, service: 's3', datetime });
  }

  /** The URL of an object, in the configured style. */
  #urlOf({ key, query = {} }: Signable): URL {
    const { endpoint, bucket, style } = this.#settings;
    const url = new URL(endpoint);
    if (style === 'host') url.hostname = `${bucket}.${url.hostname}`;
    const path = key.split('/').map(encodeURIComponent).join('/');
    url.pathname = style === 'host' ? `/${path}` : `/${bucket}/${path}`;
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  }
}
