import { describe, expect, it } from 'vitest';
import { encodeUlaw } from '#media/samples/g711.js';
import { deepgram } from '#providers/deepgram/deepgram.js';
import type { ConnectSocket, Socket } from '#providers/wire/socket.js';
import type { SttSession, Transcript } from '#speech/stt.js';
import {
  createDeepgramEmulator,
  type DeepgramEmulator,
} from '#test/support/emulators/speech/deepgram-emulator.js';
import type { ServerSocket } from '#test/support/emulators/speech/emulated-sockets.js';
import { startSttRig, type SttRig } from '#test/support/emulators/speech/stt-rig.js';

/**
 * What users of such services complain about, as far as recognisers are the matter: words that are lost, doubled, or
 * never come. Each complaint is tried on our recogniser of Deepgram and on a naive one, which opens one socket for the
 * whole call and believes each message at its word.
 */
const LONG = 'my number is four one five nine two';

/** As one might write it in an afternoon. */
class NaiveRecogniser implements Pick<SttSession, 'push' | 'finish'> {
  readonly #socket: Socket;
  /** Utterances that nobody has asked for yet. */
  readonly #ended: string[] = [];
  #isOpen = false;
  #waiting: ((heard: Transcript) => void) | null = null;
  #last = '';

  constructor(connect: ConnectSocket, key: string) {
    const url = 'ws://deepgram/v1/listen?encoding=mulaw';
    const headers = { authorization: `Token ${key}` };
    this.#socket = connect(
      { url, headers },
      {
        onOpen: () => (this.#isOpen = true),
        onMessage: (data) => this.#read(JSON.parse(String(data)) as DeepgramMessage),
        onClose: () => (this.#isOpen = false),
      },
    );
  }

  push(samples: Int16Array): void {
    const bytes = new Uint8Array(samples.length);
    encodeUlaw(samples, bytes);
    if (this.#isOpen) this.#socket.send(bytes);
  }

  finish(): Promise<Transcript> {
    const ended = this.#ended.shift();
    if (ended !== undefined) return Promise.resolve({ text: ended, confidence: 1 });
    this.#socket.send(JSON.stringify({ type: 'Finalize' }));
    return new Promise((resolve) => (this.#waiting = resolve));
  }

  #read({ type, is_final, speech_final, from_finalize, channel }: DeepgramMessage): void {
    const text = channel?.alternatives[0]?.transcript ?? this.#last;
    if (is_final) this.#last = text;
    if (speech_final || from_finalize || type === 'UtteranceEnd') this.#end(text);
  }

  #end(text: string): void {
    if (this.#waiting) this.#waiting({ text, confidence: 1 });
    else this.#ended.push(text);
    this.#waiting = null;
  }
}

interface DeepgramMessage {
  type: string;
  is_final?: boolean;
  speech_final?: boolean;
  from_finalize?: boolean;
  channel?: { alternatives: { transcript: string }[] };
}

type Rig = SttRig<DeepgramEmulator>;
type Open = (rig: Rig) => Promise<Pick<SttSession, 'push' | 'finish'>>;

/** What was heard of a scene; null for words that never came. */
type Scene = (rig: Rig, open: Open) => Promise<(string | null)[]>;

const ours: Open = async (rig) => (await rig.open()).session;
const naive: Open = async (rig) => {
  const recogniser = new NaiveRecogniser(rig.sockets.connect, rig.emulator.key);
  await rig.clock.advance(10);
  return recogniser;
};

/** The words of an utterance, where they come within five seconds. */
async function wordsOf(session: Pick<SttSession, 'finish'>, rig: Rig): Promise<string | null> {
  const words = session.finish().then(({ text }) => text);
  let limit = () => {};
  const late = new Promise<null>((resolve) => (limit = rig.clock.after(5_000, () => resolve(null))));
  const heard = await rig.during(Promise.race([words, late]));
  limit();
  return heard;
}

async function hear(texts: readonly string[], rig: Rig, open: Open, pauseMs = 0): Promise<(string | null)[]> {
  const session = await open(rig);
  const { say } = rig.speakTo(session);
  const heard: (string | null)[] = [];
  for (const text of texts) {
    await say(text);
    heard.push(await wordsOf(session, rig));
    await rig.clock.advance(pauseMs);
  }
  return heard;
}

const SILENCES_MS = [20_000, 60_000, 300_000];

/** A final piece of what is said, as Deepgram sends it. */
const piece = (text: string, start: number, extra: object = {}) => ({
  type: 'Results',
  start,
  duration: 1,
  is_final: true,
  speech_final: false,
  from_finalize: false,
  channel: { alternatives: [{ transcript: text, confidence: 0.9, words: [] }] },
  ...extra,
});

/** The messages come while the caller speaks, the answer to `Finalize` when it is asked for. */
function scripted(rig: Rig, messages: readonly object[], finalized: object): void {
  rig.emulator.accept = (socket: ServerSocket) => {
    let toSend = [...messages];
    return {
      onMessage(data) {
        if (typeof data !== 'string') toSend.forEach((message) => socket.send(message));
        if (typeof data !== 'string') toSend = [];
        else if (data.includes('Finalize')) socket.send(finalized);
      },
      onClose: () => {},
    };
  };
}

const COMPLAINTS: readonly {
  complaint: string;
  scene: Scene;
  ours: (string | null)[];
  naive: (string | null)[];
}[] = [
  ...SILENCES_MS.map((silentMs) => ({
    complaint: `6: a socket is closed when it is idle, and what is said after ${silentMs} ms is lost (pipecat#1818)`,
    scene: ((rig, open) => hear(['one', 'two is here'], rig, open, silentMs)) satisfies Scene,
    ours: ['one', 'two is here'],
    naive: ['one', null],
  })),
  {
    complaint:
      '7: the end of an utterance is told twice, and answered twice (bolna#284, livekit/agents#5505)',
    scene: async (rig, open) => {
      const both = [piece('book it', 0, { speech_final: true }), { type: 'UtteranceEnd', last_word_end: 1 }];
      scripted(rig, both, piece('', 1, { from_finalize: true }));
      return hear(['book it', 'mumble'], rig, open);
    },
    ours: ['book it', ''],
    naive: ['book it', 'book it'],
  },
  {
    complaint: '8: only the last piece of an utterance reaches the agent (utsavk1993/wren#54)',
    scene: (rig, open) => hear([LONG], rig, open),
    ours: [LONG],
    naive: ['nine two'],
  },
  {
    complaint: '9: the end of an utterance is not answered, and the caller is ignored (pipecat#1054, #4973)',
    scene: (rig, open) => {
      rig.emulator.isMute = true;
      return hear(['hold on'], rig, open);
    },
    ours: ['hold on'],
    naive: [null],
  },
  {
    complaint: '9: the end of an utterance is answered without words (deepgram-js-sdk#343, #365)',
    scene: async (rig, open) => {
      scripted(rig, [piece('okay', 0)], piece('', 1, { from_finalize: true }));
      return hear(['okay'], rig, open);
    },
    ours: ['okay'],
    naive: [''],
  },
  {
    complaint: '16: a session has an end, and the talk ends with it (pipecat#3170, livekit/agents#2358)',
    scene: (rig, open) => {
      const endSession = () => {
        rig.sockets.breakAll(1_000, 'the session has ended');
        rig.clock.after(10_000, endSession);
      };
      rig.clock.after(10_000, endSession);
      return hear(['one', 'two', 'three', 'four', 'five', 'six'], rig, open, 2_000);
    },
    ours: ['one', 'two', 'three', 'four', 'five', 'six'],
    naive: ['one', 'two', 'three', null, null, null],
  },
];

describe.each(COMPLAINTS)('complaint $complaint', ({ scene, ...heard }) => {
  it('does not happen', async () => {
    expect(await scene(startSttRig(deepgram, createDeepgramEmulator), ours)).toEqual(heard.ours);
  });

  it('happens to the naive recogniser', async () => {
    expect(await scene(startSttRig(deepgram, createDeepgramEmulator), naive)).toEqual(heard.naive);
  });
});
