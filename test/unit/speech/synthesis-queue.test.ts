import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Requests } from '#providers/builtin/threads/protocol.js';
import type { SpeechWorker } from '#providers/builtin/threads/speech-worker.js';
import { SynthesisQueue } from '#providers/builtin/threads/synthesis-queue.js';

type Asks = Requests['speak']['input'];

const piece = (text: string): Asks => ({ text, voice: 'slt', sampleRateHz: 8_000 });

/** A queue with one thread, which makes a sound when it is told to. */
function played() {
  const begun: string[] = [];
  const owed: { resolve(samples: Int16Array): void; reject(error: Error): void }[] = [];
  const worker = {
    request: (_kind: 'speak', { text }: Asks) =>
      new Promise<Int16Array>((resolve, reject) => {
        begun.push(text);
        owed.push({ resolve, reject });
      }),
  };
  const queue = new SynthesisQueue([worker as unknown as SpeechWorker]);
  const make = async (outcome: Int16Array | Error = Int16Array.of(1, 2)) => {
    const job = owed.shift()!;
    if (outcome instanceof Error) job.reject(outcome);
    else job.resolve(outcome);
    await nextTurn();
  };
  return { queue, begun, make };
}

describe('one piece of text, asked for many times at once', () => {
  it('is made once, and each has a sound of their own', async () => {
    const { queue, begun, make } = played();
    const asked = [1, 2, 3].map(() => queue.speak(piece('Hello.'), 'first'));
    await make();
    expect(begun).toEqual(['Hello.']);
    const sounds = await Promise.all(asked);
    expect(sounds).toEqual([Int16Array.of(1, 2), Int16Array.of(1, 2), Int16Array.of(1, 2)]);
    sounds[0]!.fill(0);
    expect(sounds[1]).toEqual(Int16Array.of(1, 2));
  });

  it('is made for the others when whoever asked first leaves, waiting or begun', async () => {
    const { queue, begun, make } = played();
    const [one, other] = [new AbortController(), new AbortController()];
    const begunByOne = queue.speak(piece('Begun.'), 'first', one.signal);
    const begunForAnother = queue.speak(piece('Begun.'), 'first');
    const waitingByOne = queue.speak(piece('Waiting.'), 'first', other.signal);
    const waitingForAnother = queue.speak(piece('Waiting.'), 'first');
    one.abort();
    other.abort();
    expect([await begunByOne, await waitingByOne]).toEqual([null, null]);
    await make();
    await make();
    expect(begun).toEqual(['Begun.', 'Waiting.']);
    expect([await begunForAnother, await waitingForAnother]).toEqual([
      Int16Array.of(1, 2),
      Int16Array.of(1, 2),
    ]);
  });

  it('is not made when all have left, and made anew for whoever comes then', async () => {
    const { queue, begun, make } = played();
    void queue.speak(piece('Begun.'), 'first');
    const stop = new AbortController();
    const asked = [1, 2].map(() => queue.speak(piece('Unwanted.'), 'first', stop.signal));
    stop.abort();
    expect([await Promise.all(asked), queue.waiting]).toEqual([[null, null], 0]);
    const again = queue.speak(piece('Unwanted.'), 'first');
    await make();
    await make();
    expect([await again, begun]).toEqual([Int16Array.of(1, 2), ['Begun.', 'Unwanted.']]);
  });

  it('waits where the most urgent of them would', async () => {
    const { queue, begun, make } = played();
    void queue.speak(piece('Begun.'), 'first');
    void queue.speak(piece('Second sentence.'), 'later');
    const later = queue.speak(piece('Hello.'), 'later');
    void queue.speak(piece('Good day.'), 'first');
    const first = queue.speak(piece('Hello.'), 'first');
    for (let times = 0; times < 4; times += 1) await make();
    expect(begun).toEqual(['Begun.', 'Good day.', 'Hello.', 'Second sentence.']);
    expect(await Promise.all([later, first])).toEqual([Int16Array.of(1, 2), Int16Array.of(1, 2)]);
  });

  it('fails for all of them, and is made anew for whoever asks again', async () => {
    const { queue, begun, make } = played();
    const asked = [1, 2].map(() => queue.speak(piece('Hello.'), 'first'));
    const failed = Promise.allSettled(asked);
    await make(new Error('the thread died'));
    expect(begun).toEqual(['Hello.']);
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const again = queue.speak(piece('Hello.'), 'first');
    await make();
    expect([await again, begun]).toEqual([Int16Array.of(1, 2), ['Hello.', 'Hello.']]);
  });

  it('is another one in another voice, and at another rate', async () => {
    const { queue, begun, make } = played();
    const asked = [
      queue.speak(piece('Hello.'), 'first'),
      queue.speak({ ...piece('Hello.'), voice: 'rms' }, 'first'),
      queue.speak({ ...piece('Hello.'), sampleRateHz: 16_000 }, 'first'),
    ];
    for (let times = 0; times < 3; times += 1) await make();
    await Promise.all(asked);
    expect(begun).toHaveLength(3);
  });
});
