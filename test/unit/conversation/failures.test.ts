import { describe, expect, it } from 'vitest';
import { SpeechError } from '#speech/speech-error.js';
import type { Transcript, Stt, SttSession } from '#speech/stt.js';
import type { Tts } from '#speech/tts.js';
import { dialogueOf } from '#test/support/dialogue-of.js';
import {
  end,
  expectNothingLeft,
  isOver,
  listen,
  say,
  startTalk,
  type Talk,
} from '#test/support/scripted-talk.js';

const isListening = (talk: Talk) => () => talk.states.at(-1) === 'listening';
describe('a voice that fails', () => {
  it('is tried once more and goes on where it broke off', async () => {
    const talk = startTalk({ script: [[say('This is quite a long sentence.'), end]] });
    talk.speaking.failNext(new Error('no'));
    await talk.waitUntil(isOver(talk));
    expect(talk.result()!.end).toEqual({ by: 'agent' });
    expect(talk.entries).toMatchObject([
      { text: 'This is quite a long sentence.', startMs: 0, endMs: 1_500 },
    ]);
    expect(talk.speaking.requests.length).toBe(2);
    await expectNothingLeft(talk);
  });

  it.each([
    ['fails again', [new Error('no'), new Error('no again')], 2],
    ['cannot be helped', [new SpeechError('bad key', { provider: 'x', retryable: false })], 1],
  ])('ends the call when it %s', async (_, failures, tries) => {
    const talk = startTalk({ script: [[say('This is quite a long sentence.'), listen]] });
    for (const failure of failures) talk.speaking.failNext(failure);
    await talk.waitUntil(isOver(talk));
    expect(talk.result()!.end).toEqual({ by: 'error', error: failures.at(-1) });
    expect(talk.speaking.requests.length).toBe(tries);
    await expectNothingLeft(talk);
  });

  it('is waited for where a busy machine makes it', async () => {
    let later = () => {};
    const talk = startTalk({ script: [[say('Hello.'), end]] });
    const speaking: Tts = {
      name: 'slow',
      isLocal: true,
      voices: ['none'],
      async *speak(request) {
        await new Promise<void>((resolve) => (later = resolve));
        yield* talk.speaking.speak(request);
      },
      close: async () => {},
    };
    const slow = startTalk({ script: [[say('Hello.'), end]], agent: { tts: speaking } });
    await slow.wait(20_000);
    expect(slow.result()).toBeNull();
    later();
    await slow.waitUntil(isOver(slow));
    expect(slow.result()!.end).toEqual({ by: 'agent' });
    expect(slow.entries).toMatchObject([{ text: 'Hello.' }]);
    await expectNothingLeft(slow);
  });

  it('ends the call when it hangs', async () => {
    const speaking: Tts = {
      name: 'mute',
      voices: ['none'],
      // eslint-disable-next-line require-yield
      async *speak() {
        await new Promise(() => {});
      },
      close: async () => {},
    };
    const talk = startTalk({ script: [[say('Hello.'), listen]], agent: { tts: speaking } });
    await talk.wait(11_000);
    expect(talk.result()!.end).toMatchObject({ by: 'error', error: { name: 'TooSlowError' } });
    await expectNothingLeft(talk);
  });
});

describe('a recogniser that fails', () => {
  it('is opened once more; what it lost counts as not understood', async () => {
    const talk = startTalk({
      script: [[listen], [say('Pardon?'), listen], [end]],
      utterances: [new Error('gone'), 'yes'],
    });
    await talk.speak(500);
    await talk.waitUntil(() => talk.asked.length === 2);
    await talk.waitUntil(isListening(talk));
    await talk.speak(500);
    await talk.waitUntil(isOver(talk));
    expect(talk.asked).toEqual(['begin', 'reply: ', 'reply: yes']);
    expect(talk.hearing.streams.length).toBe(2);
    expect(talk.hearing.streams[1]!.expectations).toEqual([{ kind: 'anything' }, { kind: 'anything' }]);
    expect(talk.result()!.end).toEqual({ by: 'agent' });
    await expectNothingLeft(talk);
  });

  it('may fail once more after words that were understood', async () => {
    const again = [say('Pardon?'), listen];
    const talk = startTalk({
      script: [[listen], again, again, again, [end]],
      utterances: [new Error('gone'), 'yes', new Error('gone'), 'no'],
    });
    for (const turns of [2, 3, 4, 5]) {
      await talk.speak(500);
      await talk.waitUntil(() => talk.asked.length === turns);
      await talk.waitUntil(() => isListening(talk)() || isOver(talk)());
    }
    expect(talk.asked).toEqual(['begin', 'reply: ', 'reply: yes', 'reply: ', 'reply: no']);
    expect(talk.result()!.end).toEqual({ by: 'agent' });
  });

  it('ends the call when it fails again', async () => {
    const talk = startTalk({
      script: [[listen], [listen]],
      utterances: [new Error('gone'), new Error('gone')],
    });
    await talk.speak(500);
    await talk.wait(1_000);
    await talk.speak(500);
    await talk.waitUntil(isOver(talk));
    expect(talk.result()!.end).toMatchObject({ by: 'error', error: { message: 'gone' } });
    await expectNothingLeft(talk);
  });

  it('may also fail while it listens', async () => {
    const hearing = hangingHearing();
    let opened = 0;
    const talk = startTalk({ script: [[listen], [end]], utterances: ['still here'] });
    const open: Stt['open'] = async (options) => {
      opened += 1;
      if (opened === 2) return talk.hearing.open(options);
      const push = () => {
        throw new Error('gone');
      };
      return { ...(await hearing.open(options)), push };
    };
    const failing = startTalk({
      script: [[listen], [end]],
      agent: { stt: { name: 'failing', open, close: async () => {} } },
    });
    await failing.speak(500);
    await failing.waitUntil(isOver(failing));
    expect(failing.asked).toEqual(['begin', 'reply: still here']);
    expect(opened).toBe(2);
  });

  it('is asked again when it hangs once, and ends the call when it hangs again', async () => {
    const hearing = hangingHearing();
    const talk = startTalk({ script: [[listen], [say('Pardon?'), listen]], agent: { stt: hearing } });
    await talk.speak(500);
    await talk.wait(8_000);
    expect(talk.entries).toMatchObject([
      { speaker: 'customer', text: '', confidence: 0 },
      { speaker: 'agent', text: 'Pardon?' },
    ]);
    expect(talk.result()).toBeNull();
    await talk.speak(500);
    await talk.wait(6_000);
    expect(talk.result()!.end).toMatchObject({ by: 'error', error: { name: 'TooSlowError' } });
    await expectNothingLeft(talk);
  });

  it('is late but right where a busy machine does it, and ends no call', async () => {
    const waiting: (() => void)[] = [];
    const stream = {
      ...silentStream(),
      finish: () => new Promise<Transcript>((resolve) => waiting.push(() => resolve(YES))),
    };
    const hearing: Stt = { name: 'busy', isLocal: true, open: async () => stream, close: async () => {} };
    const pardon = [say('Pardon?'), listen];
    const talk = startTalk({ script: [[listen], pardon, pardon, [end]], agent: { stt: hearing } });
    for (const answers of [1, 2]) {
      await talk.speak(500);
      await talk.wait(18_000);
      expect(talk.entries.filter(({ text }) => text === 'Pardon?').length).toBe(answers);
    }
    await talk.speak(500);
    await talk.wait(10_000);
    expect(talk.result()).toBeNull();
    waiting.at(-1)!();
    await talk.waitUntil(isOver(talk));
    expect(talk.asked).toEqual(['begin', 'reply: ', 'reply: ', 'reply: yes']);
    expect(talk.result()!.end).toEqual({ by: 'agent' });
    await expectNothingLeft(talk);
  });

  it('does not hold up the end of a call', async () => {
    const talk = startTalk({ script: [[listen]], agent: { stt: hangingHearing() } });
    await talk.speak(500);
    const endedAt = talk.clock.wallMs();
    talk.conversation.stop();
    await talk.clock.advance(2_000);
    expect(talk.result()).toMatchObject({ end: { by: 'stop' }, endedAt });
    expect(talk.entries).toMatchObject([{ text: '', startMs: 0, endMs: 500 }]);
    await expectNothingLeft(talk);
  });

  it('that opens late has missed nothing', async () => {
    let openNow = () => {};
    const opening = new Promise<void>((resolve) => (openNow = resolve));
    const talk = startTalk({ script: [[listen], [end]], utterances: ['hello'] });
    const open: Stt['open'] = (options) => opening.then(() => talk.hearing.open(options));
    const late = startTalk({
      script: [[listen], [end]],
      agent: { stt: { name: 'late', open, close: async () => {} } },
    });
    await late.speak(500);
    await late.wait(1_000);
    expect(late.asked).toEqual(['begin']);
    openNow();
    await late.waitUntil(isOver(late));
    expect(late.asked).toEqual(['begin', 'reply: hello']);
    expect(late.entries).toMatchObject([{ text: 'hello', startMs: 0, endMs: 500 }]);
  });
});

describe('a thinking that fails', () => {
  it('is asked once more', async () => {
    const talk = startTalk({ script: [new Error('busy'), [say('Hello.'), end]] });
    await talk.waitUntil(isOver(talk));
    expect(talk.asked).toEqual(['begin', 'begin']);
    expect(talk.result()!.end).toEqual({ by: 'agent' });
  });

  it('ends the call when it fails again, with what was said so far', async () => {
    const talk = startTalk({ script: [[say('Hello.'), listen], new Error('busy'), new Error('busy')] });
    await talk.waitUntil(isListening(talk));
    await talk.speak(500);
    await talk.waitUntil(isOver(talk));
    expect(talk.result()).toMatchObject({ end: { by: 'error' }, outcome: { intent: 'scripted' } });
    expect(talk.entries.length).toBe(2);
    await expectNothingLeft(talk);
  });

  it('is not asked again in mid-turn: nothing would be said twice', async () => {
    let asked = 0;
    const dialogue = dialogueOf({
      async *opening() {
        asked += 1;
        yield say('Hello.');
        throw new Error('broke off');
      },
    });
    const talk = startTalk({ script: [], agent: { dialogue } });
    await talk.waitUntil(isOver(talk));
    expect(asked).toBe(1);
    expect(talk.result()!.end).toMatchObject({ by: 'error', error: { message: 'broke off' } });
  });

  it('ends the call when it hangs', async () => {
    const dialogue = dialogueOf({
      // eslint-disable-next-line require-yield
      async *opening() {
        await new Promise(() => {});
      },
      outcome: () => {
        throw new Error('none');
      },
    });
    const talk = startTalk({ script: [], agent: { dialogue } });
    await talk.wait(31_000);
    expect(talk.result()).toMatchObject({
      end: { by: 'error', error: { name: 'TooSlowError' } },
      outcome: { intent: null, resolutionAchieved: null, answers: {} },
    });
    await expectNothingLeft(talk);
  });
});

const YES: Transcript = { text: 'yes', confidence: 1 };

function silentStream(): SttSession {
  return {
    expect: () => {},
    push: () => {},
    finish: () => new Promise(() => {}),
    discard: () => {},
    close: () => {},
  };
}

function hangingHearing(): Stt {
  return { name: 'deaf', open: async () => silentStream(), close: async () => {} };
}
