import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { costOf, knownUsd, withCarrierPrice } from '#calls/costs/cost-of-call.js';
import { readPrices } from '#calls/costs/prices-file.js';
import { NO_PRICES, priceTable } from '#calls/costs/prices.js';
import type { CallUsage } from '#calls/record/call-cost.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const FREE: CallUsage = {
  carrier: { provider: 'sandbox', seconds: 61 },
  hearing: [],
  thinking: [],
  speaking: [{ provider: 'builtin', model: null, sentences: 2, characters: 90, sound_seconds: 6 }],
  tools: 0,
};
const PRICES = priceTable.parse({
  carrier: { twilio: { per_minute: 0.01 }, telnyx: { per_minute: 0.06, billed_by_seconds: 1 } },
  hearing: { deepgram: { per_minute: 0.6 } },
  thinking: {
    openai: {
      per_million_input_tokens: 2,
      per_million_cached_input_tokens: 1,
      per_million_output_tokens: 10,
    },
  },
  speaking: { elevenlabs: { per_million_characters: 50 }, 'openai/tts-1': { per_minute: 0.06 } },
});
const asked = { provider: 'openai', model: 'gpt-4.1', requests: 1 };

describe('the cost of a call', () => {
  it('takes what the carrier itself has said before a price of the operator', () => {
    const usage = { ...FREE, carrier: { provider: 'twilio', seconds: 61 } };
    expect(costOf(usage, PRICES, 0.0075)).toMatchObject({ carrier_usd: 0.0075, total_usd: 0.0075 });
    expect(costOf({ ...FREE, carrier: { provider: 'plivo', seconds: 61 } }, PRICES, 0)).toMatchObject({
      carrier_usd: 0,
      is_complete: true,
    });
  });

  it('is complete once the carrier has said it afterwards, and nothing else is unknown', () => {
    const unknown = costOf({ ...FREE, carrier: { provider: 'plivo', seconds: 61 } }, NO_PRICES);
    expect(unknown).toMatchObject({ carrier_usd: null, is_complete: false });
    const told = withCarrierPrice(unknown, 0.011);
    expect(told).toMatchObject({ carrier_usd: 0.011, total_usd: 0.011, is_complete: true });
    expect(knownUsd(told)).toBe(0.011);
    const deaf = { ...unknown, hearing_usd: null };
    expect(withCarrierPrice(deaf, 0.011)).toMatchObject({ total_usd: null, is_complete: false });
  });

  it.each([
    ['is nothing on our own parts', {}, { total_usd: 0, speaking_usd: 0, is_complete: true }],
    [
      'is billed by the minute begun',
      { carrier: { provider: 'twilio', seconds: 61 } },
      { carrier_usd: 0.02 },
    ],
    ['or by the second', { carrier: { provider: 'telnyx', seconds: 61 } }, { carrier_usd: 0.061 }],
    [
      'is unknown, and not 0, without a price',
      { carrier: { provider: 'plivo', seconds: 61 } },
      { carrier_usd: null, total_usd: null, is_complete: false },
    ],
    [
      'counts tokens, cached ones by their price',
      {
        thinking: [
          { ...asked, input_tokens: 1_000_000, cached_input_tokens: 500_000, output_tokens: 100_000 },
        ],
      },
      { thinking_usd: 2.5 },
    ],
    [
      'is unknown where tokens were not counted',
      { thinking: [{ ...asked, input_tokens: null, cached_input_tokens: null, output_tokens: 5 }] },
      { thinking_usd: null, is_complete: false },
    ],
    [
      'counts characters, or minutes, as the provider does',
      {
        speaking: [
          { provider: 'elevenlabs', model: 'x', sentences: 1, characters: 10_000, sound_seconds: 600 },
          { provider: 'openai', model: 'tts-1', sentences: 1, characters: 100, sound_seconds: 60 },
        ],
      },
      { speaking_usd: 0.56 },
    ],
    [
      'is nothing for sentences that were kept',
      { speaking: [{ provider: 'cartesia', model: null, sentences: 3, characters: 0, sound_seconds: 9 }] },
      { speaking_usd: 0, is_complete: true },
    ],
    [
      'is unknown for sound that was not counted',
      { hearing: [{ provider: 'deepgram', model: null, sound_seconds: null }] },
      { hearing_usd: null },
    ],
  ])('%s', (_, used, cost) => {
    expect(costOf({ ...FREE, ...used }, PRICES)).toMatchObject(cost);
  });

  it('has a known part', () => {
    const usage = { ...FREE, carrier: { provider: 'twilio', seconds: 60 } };
    const cost = costOf({ ...usage, hearing: [{ provider: 'x', model: null, sound_seconds: 1 }] }, PRICES);
    expect(cost.total_usd).toBeNull();
    expect(knownUsd(cost)).toBe(0.01);
  });
});

describe('the file of prices', () => {
  const fileOf = async (text: string) => {
    const path = join(temporaryFolder(), 'prices.yaml');
    await writeFile(path, text);
    return path;
  };

  it('that ships as an example can be read', async () => {
    const prices = await readPrices('examples/prices.yaml');
    expect(prices.speaking['elevenlabs/eleven_flash_v2_5']).toEqual({ per_million_characters: 50 });
    expect(prices.carrier['twilio']?.billed_by_seconds).toBe(60);
  });

  it('may be empty', async () => {
    expect(await readPrices(await fileOf('# nothing yet\n'))).toEqual(NO_PRICES);
  });

  it.each([
    ['speaking:\n  elevenlabs: { per_milion_characters: 50 }\n', 'per_milion_characters'],
    ['voice: {}\n', 'voice'],
    ['carrier:\n  twilio: { per_minute: -1 }\n', 'carrier.twilio.per_minute'],
    ['a: [', 'is no YAML'],
  ])('says what is wrong with %j', async (text, said) => {
    await expect(readPrices(await fileOf(text))).rejects.toThrow(said);
  });
});
