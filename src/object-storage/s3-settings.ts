/** The settings of an S3-compatible storage, from the environment variables `S3_…`, for `S3Storage` and `S3Signer`. */
export interface S3Settings {
  /** The origin of the storage, without the bucket, such as `https://s3.eu-central-1.amazonaws.com`. */
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The prefix of every key: empty, or ends with `/`. */
  prefix: string;
  /** The form of URLs. `path`: `https://host/bucket/key`; `host`: `https://bucket.host/key`. */
  style: 'path' | 'host';
  /** The header `x-amz-server-side-encryption` of each upload; null for the bucket's default. */
  encryption: 'AES256' | 'aws:kms' | null;
}
