import { describe, expect, it } from 'vitest';
import { envelopeOf } from '#events/envelope.js';

const MEBIBYTE = 1024 * 1024;
const parts = { id: 'evt_1', type: 'call.transcript_ready', at: 0 };

describe('an envelope', () => {
  it('keeps a transcript that fits', () => {
    const transcript = 'x'.repeat(10 * MEBIBYTE - 1000);

    expect(JSON.parse(envelopeOf({ ...parts, data: { transcript } }))).toMatchObject({
      data: { transcript },
    });
  });

  it.each([
    ['ASCII', 'x'.repeat(10 * MEBIBYTE)],
    ['characters of three bytes', '語'.repeat(4 * MEBIBYTE)],
  ])('is truncated without a transcript that is too large: %s', (_kind, transcript) => {
    const body = envelopeOf({
      ...parts,
      data: { id: '1', transcript, transcript_url: 'https://example.com/t' },
    });

    expect(JSON.parse(body)).toMatchObject({
      data: { id: '1', truncated: true, transcript_url: 'https://example.com/t' },
    });
    expect(body.length).toBeLessThan(1000);
  });
});
