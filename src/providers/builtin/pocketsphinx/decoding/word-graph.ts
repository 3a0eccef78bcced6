import type { Decoder, SoundSwallowerModule } from 'soundswallower';

/**
 * Undocumented functions of the engine (WebAssembly) that read a graph from a file in its memory. The version of the
 * package is pinned, because another one may lack them.
 */
interface EngineInternals {
  HEAPU8: Uint8Array;
  _malloc(sizeBytes: number): number;
  _free(address: number): void;
  _s3file_init(address: number, sizeBytes: number): number;
  _s3file_free(file: number): void;
  _decoder_init_grammar_s3file(decoder: number, graph: number, rules: number): number;
}

/**
 * Sets an engine's decoder to a word graph in the engine's file format (FSG). The public `set_grammar` takes JSGF rules
 * only. Used by `Decoder`.
 * @throws Error if the engine refuses the graph
 */
export function setGraph(
  engine: SoundSwallowerModule,
  decoder: Decoder,
  { text, wordPenalty }: { text: string; wordPenalty: number },
): void {
  const internals = engine as unknown as EngineInternals;
  // The address of the engine's own decoder.
  const { cdecoder } = decoder as unknown as { cdecoder: number };
  // `wip` is the word insertion penalty.
  decoder.set_config('wip', wordPenalty);
  // The text as a C string in the engine's memory; the file's size does not count the final zero.
  const bytes = Buffer.from(`${text}\0`, 'latin1');
  const address = internals._malloc(bytes.length);
  if (address === 0) throw new Error('there is no room for the graph');
  internals.HEAPU8.set(bytes, address);
  const file = internals._s3file_init(address, bytes.length - 1);
  const result = internals._decoder_init_grammar_s3file(cdecoder, file, 0);
  internals._s3file_free(file);
  internals._free(address);
  if (result < 0) throw new Error('the engine refused the graph');
}
