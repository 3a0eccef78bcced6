/** The hearing and dictation duties of a speech thread: recognition of many calls' utterances with a few decoders. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { loadNoiseSuppression } from '#media/detecting/noise-suppression.js';
import { loadResampling } from '#media/samples/resampler.js';
import type { Listened, Order, Tell, ThreadDuty } from '#providers/builtin/threads/protocol.js';
import { NOT_UNDERSTOOD } from '#providers/builtin/pocketsphinx/confidence/confidence.js';
import { DECODER_RATE_HZ, loadDecoderParts } from './decoder.js';
import { DecoderPool } from './decoder-pool.js';
import { RecognitionSession } from './recognition-session.js';
import { Grammars, type Grammar } from '#providers/builtin/pocketsphinx/grammar/grammar.js';
import { loadTelephoneEnglish } from '#providers/builtin/pocketsphinx/grammar/telephone-english.js';
import { UtteranceQueue } from './utterance-queue.js';

/**
 * The most decoders of a hearing thread. A decoder takes about 10 MB and is only held while a caller speaks. A thread
 * cannot keep up with more speakers than this.
 */
const MOST_DECODERS = 16;

/** With a thousand words a decoder takes 100 MB, and a whole thread for one caller. */
const MOST_DICTATION_DECODERS = 1;

/** The audio that a decoder adapts to before dictation (one second); more did not help in measurements. */
const MEASURED_SAMPLES = DECODER_RATE_HZ;

const NOTHING_PARTICULAR: Listened = { kind: 'anything' };

/** What differs between the two duties. */
interface Listening {
  grammarOf(expectation: Listened): Grammar;
  /** Grammars loaded before the first call. */
  usual: readonly Listened[];
  mostDecoders: number;
  /** Samples that a decoder adapts to before recognition begins; 0 for none. */
  measuredSamples: number;
}

/** The hearing duty of a thread: recognises within grammars made from expectations. */
export function loadRecogniser(tell: Tell): Promise<ThreadDuty> {
  const grammars = new Grammars();
  return openRecogniser(tell, {
    grammarOf: (expectation) => grammars.of(expectation),
    usual: [{ kind: 'yes_no' }, { kind: 'refusal', beside: { kind: 'yes_no' } }],
    mostDecoders: MOST_DECODERS,
    measuredSamples: 0,
  });
}

/** The dictation duty of a thread: recognises a thousand words in any order, whatever is expected. */
export async function loadDictation(tell: Tell): Promise<ThreadDuty> {
  const telephoneEnglish = await loadTelephoneEnglish();
  return openRecogniser(tell, {
    grammarOf: () => telephoneEnglish,
    usual: [NOTHING_PARTICULAR],
    mostDecoders: MOST_DICTATION_DECODERS,
    measuredSamples: MEASURED_SAMPLES,
  });
}

/** Loads the engine and returns a duty that serves many sessions with a few decoders, one slice of audio at a time. */
async function openRecogniser(tell: Tell, listening: Listening): Promise<ThreadDuty> {
  const { grammarOf, measuredSamples } = listening;
  const [parts, suppression] = await Promise.all([
    loadDecoderParts(),
    loadResampling().then(loadNoiseSuppression),
  ]);
  const sessions = new Map<number, RecognitionSession>();
  const decoders = new DecoderPool({ parts, most: listening.mostDecoders });
  const queue = new UtteranceQueue({ decoders, tell, nextTurn: () => nextTurn(), measuredSamples });

  const open = (options: Extract<Order, { kind: 'open' }>): void => {
    sessions.set(
      options.session,
      new RecognitionSession(options, { suppression, grammar: grammarOf(NOTHING_PARTICULAR) }),
    );
  };
  const obey = (order: Exclude<Order, { kind: 'open' }>, session: RecognitionSession): void => {
    if (order.kind === 'push') queue.add(session.push(order.samples));
    if (order.kind === 'expect') {
      session.grammar = grammarOf(order.expectation);
      // A failure to prepare is ignored: setting the grammar is repeated when the caller speaks. A second pass
      // follows at once and needs no preparation.
      if (!isSecondHearing(order.expectation)) decoders.prepare(session.grammar).catch(() => {});
    }
    if (order.kind === 'discard') session.discard();
    if (order.kind === 'close') {
      session.free();
      sessions.delete(order.session);
    }
    queue.wake();
  };
  const finish = (request: number, session: RecognitionSession | undefined): void => {
    if (session?.finish(request)) queue.wake();
    else tell({ kind: 'done', request, answer: NOT_UNDERSTOOD });
  };
  const warmUp = async (request: number): Promise<void> => {
    for (const usual of listening.usual) await decoders.prepare(grammarOf(usual));
    tell({ kind: 'done', request, answer: null });
  };

  const fail = (request: number) =>
    tell({ kind: 'failed', request, message: 'the recogniser cannot be loaded' });

  return {
    receive(message) {
      if (message.kind === 'warm_up') void warmUp(message.request).catch(() => fail(message.request));
      else if (message.kind === 'finish') finish(message.request, sessions.get(message.session));
      else if (message.kind === 'open') open(message);
      else if (message.kind !== 'speak') {
        const session = sessions.get(message.session);
        if (session) obey(message, session);
      }
    },
  };
}

/** True for the grammars of a second pass. */
function isSecondHearing({ kind }: Listened): boolean {
  return kind === 'greeting' || kind === 'refusal';
}
