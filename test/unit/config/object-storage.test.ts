import { describe, expect, it } from 'vitest';
import { readConfig } from '#config/read-config.js';

const COMPLETE = {
  S3_ENDPOINT: 'https://s3.eu-central-1.amazonaws.com',
  S3_BUCKET: 'recordings',
  S3_ACCESS_KEY_ID: 'AKIDOFTESTS',
  S3_SECRET_ACCESS_KEY: 'a-secret-of-tests',
};

describe('the object storage of recordings', () => {
  it('has every setting that its vendor may want, and usual ones', () => {
    const { objectStorage: usual } = readConfig(COMPLETE);
    expect(usual).toMatchObject({ region: 'us-east-1', prefix: '', style: 'path', encryption: null });
    expect(usual).toMatchObject({ isPublic: true, mostWaitingBytes: 10_000_000_000 });
    const { objectStorage, recordStorage } = readConfig({
      ...COMPLETE,
      RECORD_STORAGE: 's3',
      S3_REGION: 'eu-central-1',
      S3_PREFIX: 'callwright',
      S3_STYLE: 'host',
      S3_ENCRYPTION: 'aws:kms',
      S3_PUBLIC: 'off',
      S3_MAX_WAITING_MB: '5',
    });
    expect(recordStorage).toBe('s3');
    expect(objectStorage).toEqual({
      endpoint: COMPLETE.S3_ENDPOINT,
      region: 'eu-central-1',
      bucket: 'recordings',
      accessKeyId: 'AKIDOFTESTS',
      secretAccessKey: 'a-secret-of-tests',
      prefix: 'callwright/',
      style: 'host',
      encryption: 'aws:kms',
      isPublic: false,
      mostWaitingBytes: 5_000_000,
    });
  });

  it.each(Object.keys(COMPLETE))('is not set up without %s, and the start says so', (missing) => {
    const { [missing as 'S3_BUCKET']: _left, ...others } = COMPLETE;
    const { objectStorage, objectStorageLacks, warnings } = readConfig(others);
    expect(objectStorage).toBeNull();
    expect(objectStorageLacks).toEqual([missing]);
    expect(warnings.join()).toContain(`recordings stay in DATA_DIR: ${missing} is missing`);
  });

  it('is nothing to warn of where no setting names it', () => {
    expect(readConfig({}).warnings.join()).not.toContain('object storage');
  });
});
