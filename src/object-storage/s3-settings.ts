/** Settings of an S3-compatible storage. */
export interface S3Settings {
  /** Origin of the storage, without the bucket: `https://s3.eu-central-1.amazonaws.com`. */
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Prefix of every key; empty, or ends with `/`. */
  prefix: string;
  /** `path`: `https://host/bucket/key`; `host`: `https://bucket.host/key`. */
  style: 'path' | 'host';
  /** `x-amz-server-side-encryption` of each object; null for the bucket's default. */
  encryption: 'AES256' | 'aws:kms' | null;
}
