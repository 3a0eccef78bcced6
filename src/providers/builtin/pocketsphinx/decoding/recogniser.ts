/**
 * The hearing and dictation duties of a speech thread: recognition of many calls' utterances with a few decoders.
 * Started by `speech-thread.ts`; messages come from `RecognitionStream`.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { loadNoiseSuppression } from '#media/detecting/noise-suppression.js';
import { loadResampling } from '#media/samples/resampler.js';
import type { RecognitionTarget, Command, Post, ThreadDuty } from '#providers/builtin/threads/protocol.js';
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
const MAX_DECODERS = 16;

/** With a thousand words a decoder takes 100 MB and nearly all time of its thread, so a thread serves one caller. */
const MAX_DICTATION_DECODERS = 1;

/** The audio that a decoder adapts to before dictation (one second); more did not help in measurements. */
const ADAPTATION_SAMPLES = DECODER_RATE_HZ;

const ANY_ANSWER: RecognitionTarget = { kind: 'anything' };

/** The differences between the two duties. */
interface DutyOptions {
  /** The grammar for the next utterance of a session. */
  grammarOf(expectation: RecognitionTarget): Grammar;
  /** The expectations whose grammars are loaded before the first call. */
  preloaded: readonly RecognitionTarget[];
  maxDecoders: number;
  /** Samples that a decoder adapts to before recognition begins; 0 for none. */
  adaptationSamples: number;
}

/** The hearing duty of a thread: recognises the answers that the agent expects, with a grammar for each expectation. */
export function loadHearingDuty(post: Post): Promise<ThreadDuty> {
  const grammars = new Grammars();
  return openRecogniser(post, {
    grammarOf: (expectation) => grammars.of(expectation),
    preloaded: [{ kind: 'yes_no' }, { kind: 'refusal', hints: { kind: 'yes_no' } }],
    maxDecoders: MAX_DECODERS,
    adaptationSamples: 0,
  });
}

/** The dictation duty of a thread: recognises a thousand words in any order; the expected answer has no influence. */
export async function loadDictationDuty(post: Post): Promise<ThreadDuty> {
  const telephoneEnglish = await loadTelephoneEnglish();
  return openRecogniser(post, {
    grammarOf: () => telephoneEnglish,
    preloaded: [ANY_ANSWER],
    maxDecoders: MAX_DICTATION_DECODERS,
    adaptationSamples: ADAPTATION_SAMPLES,
  });
}

/** Loads the engine and returns a duty that serves many sessions with a few decoders, one slice of audio at a time. */
async function openRecogniser(post: Post, duty: DutyOptions): Promise<ThreadDuty> {
  const { grammarOf, adaptationSamples } = duty;
  const [parts, suppression] = await Promise.all([
    loadDecoderParts(),
    loadResampling().then(loadNoiseSuppression),
  ]);
  const sessions = new Map<number, RecognitionSession>();
  const decoders = new DecoderPool({ parts, maxDecoders: duty.maxDecoders });
  const queue = new UtteranceQueue({ decoders, post, nextTurn: () => nextTurn(), adaptationSamples });

  const open = (options: Extract<Command, { kind: 'open' }>): void => {
    sessions.set(
      options.session,
      new RecognitionSession(options, { suppression, grammar: grammarOf(ANY_ANSWER) }),
    );
  };
  /** Carries out a command for an open session. */
  const carryOut = (command: Exclude<Command, { kind: 'open' }>, session: RecognitionSession): void => {
    if (command.kind === 'push') queue.add(session.push(command.samples));
    if (command.kind === 'expect') {
      session.grammar = grammarOf(command.expectation);
      // A failure to prepare is ignored: setting the grammar is repeated when the caller speaks. A second pass
      // follows at once and needs no preparation.
      if (!isSecondPass(command.expectation)) decoders.prepare(session.grammar).catch(() => {});
    }
    if (command.kind === 'discard') session.discard();
    if (command.kind === 'close') {
      session.free();
      sessions.delete(command.session);
    }
    queue.wake();
  };
  /** Ends an utterance, whose words follow as the answer to `request`; without an utterance there are no words. */
  const finish = (request: number, session: RecognitionSession | undefined): void => {
    if (session?.finish(request)) queue.wake();
    else post({ kind: 'done', request, answer: NOT_UNDERSTOOD });
  };
  const warmUp = async (request: number): Promise<void> => {
    for (const preloaded of duty.preloaded) await decoders.prepare(grammarOf(preloaded));
    post({ kind: 'done', request, answer: null });
  };

  const fail = (request: number) =>
    post({ kind: 'failed', request, message: 'the recogniser cannot be loaded' });

  return {
    receive(message) {
      if (message.kind === 'warm_up') void warmUp(message.request).catch(() => fail(message.request));
      else if (message.kind === 'finish') finish(message.request, sessions.get(message.session));
      else if (message.kind === 'open') open(message);
      else if (message.kind !== 'speak') {
        // A command for a session that is closed already is ignored.
        const session = sessions.get(message.session);
        if (session) carryOut(message, session);
      }
    },
  };
}

/** True for the grammars of a second pass. */
function isSecondPass({ kind }: RecognitionTarget): boolean {
  return kind === 'greeting' || kind === 'refusal';
}
