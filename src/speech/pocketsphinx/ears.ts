import { setImmediate as nextTurn } from 'node:timers/promises';
import { loadNoiseSuppression } from '../../media/noise-suppression.js';
import { loadResampling } from '../../media/resampler.js';
import type { Expectation } from '../hearing.js';
import type { Order, Tell, ThreadDuty } from '../threads/protocol.js';
import { NOT_UNDERSTOOD } from './confidence.js';
import { loadDecoderParts } from './decoder.js';
import { DecoderBench } from './decoder-bench.js';
import { Ear } from './ear.js';
import { Grammars } from './grammar.js';
import { UtteranceQueue } from './utterance-queue.js';

/** A decoder takes about 10 MB and is only held while somebody talks: this serves some 20 calls a thread. */
const MOST_DECODERS = 8;

const NOTHING_PARTICULAR: Expectation = { kind: 'anything' };

/** The hearing duty of a thread: many ears, fewer decoders, one slice of sound after the other. */
export async function loadEars(tell: Tell): Promise<ThreadDuty> {
  const [parts, suppression] = await Promise.all([
    loadDecoderParts(),
    loadResampling().then(loadNoiseSuppression),
  ]);
  const ears = new Map<number, Ear>();
  const grammars = new Grammars();
  const bench = new DecoderBench({ parts, most: MOST_DECODERS });
  const queue = new UtteranceQueue({ bench, tell, nextTurn: () => nextTurn() });

  const open = (options: Extract<Order, { kind: 'open' }>): void => {
    ears.set(options.ear, new Ear(options, { suppression, grammar: grammars.of(NOTHING_PARTICULAR) }));
  };
  const obey = (order: Exclude<Order, { kind: 'open' }>, ear: Ear): void => {
    if (order.kind === 'push') queue.add(ear.push(order.samples));
    if (order.kind === 'expect') {
      ear.grammar = grammars.of(order.expectation);
      // What cannot be prepared now is done, or refused, when somebody talks.
      bench.prepare(ear.grammar).catch(() => {});
    }
    if (order.kind === 'discard') ear.discard();
    if (order.kind === 'close') {
      ear.free();
      ears.delete(order.ear);
    }
    queue.wake();
  };
  const finish = (request: number, ear: Ear | undefined): void => {
    if (ear?.finish(request)) queue.wake();
    else tell({ kind: 'done', request, answer: NOT_UNDERSTOOD });
  };
  const warmUp = async (request: number): Promise<void> => {
    await bench.prepare(grammars.of({ kind: 'yes_no' }));
    tell({ kind: 'done', request, answer: null });
  };

  const fail = (request: number) =>
    tell({ kind: 'failed', request, message: 'the recogniser cannot be loaded' });

  return {
    receive(message) {
      if (message.kind === 'warm_up') void warmUp(message.request).catch(() => fail(message.request));
      else if (message.kind === 'finish') finish(message.request, ears.get(message.ear));
      else if (message.kind === 'open') open(message);
      else if (message.kind !== 'speak') {
        const ear = ears.get(message.ear);
        if (ear) obey(message, ear);
      }
    },
  };
}
