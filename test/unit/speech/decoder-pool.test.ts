import { describe, expect, it } from 'vitest';
import type { Grammar } from '#providers/builtin/pocketsphinx/grammar/grammar.js';
import type { DecoderParts } from '#providers/builtin/pocketsphinx/decoding/decoder.js';
import { DecoderPool } from '#providers/builtin/pocketsphinx/decoding/decoder-pool.js';

const grammar = (key: string): Grammar => ({
  key,
  text: key,
  words: [],
  wordPenalty: 1,
  toTranscript: () => ({ text: key, confidence: 1 }),
});

/** An engine that refuses what it is told to, and counts the decoders that are alive. */
function played() {
  const engine = { alive: 0, refusesAudio: false, refusesGraphs: false };
  class EngineDecoder {
    constructor() {
      engine.alive += 1;
    }
    async initialize() {}
    set_config() {}
    add_words() {}
    async reinitialize_audio() {
      if (engine.refusesAudio) throw new Error('refused');
    }
    delete() {
      engine.alive -= 1;
    }
  }
  const inside = {
    Decoder: EngineDecoder,
    HEAPU8: new Uint8Array(64),
    _malloc: () => 1,
    _free() {},
    _s3file_init: () => 1,
    _s3file_free() {},
    _decoder_init_grammar_s3file: () => (engine.refusesGraphs ? -1 : 0),
  };
  const parts = { engine: inside, modelBase: '', pronunciations: { of: () => [] } };
  return { engine, pool: new DecoderPool({ parts: parts as unknown as DecoderParts, maxDecoders: 1 }) };
}

describe('a decoder whose engine refuses', () => {
  it('a grammar before anybody talks is freed, and made anew', async () => {
    const { engine, pool } = played();
    await pool.prepare(grammar('usual'));
    engine.refusesGraphs = true;
    await expect(pool.prepare(grammar('odd'))).rejects.toThrow('refused');
    expect([engine.alive, pool.hasFreeDecoder]).toEqual([0, true]);
    engine.refusesGraphs = false;
    await pool.prepare(grammar('usual'));
    expect((await pool.take(grammar('usual'))).grammarKey).toBe('usual');
    expect([engine.alive, pool.hasFreeDecoder]).toEqual([1, false]);
  });

  it('to start for a caller is freed, and made anew', async () => {
    const { engine, pool } = played();
    engine.refusesAudio = true;
    await expect(pool.take(grammar('usual'))).rejects.toThrow('refused');
    expect([engine.alive, pool.hasFreeDecoder]).toEqual([0, true]);
    engine.refusesAudio = false;
    pool.giveBack(await pool.take(grammar('usual')));
    expect([engine.alive, pool.hasFreeDecoder]).toEqual([1, true]);
  });
});
