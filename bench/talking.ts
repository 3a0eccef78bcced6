import { speaking } from '#test/support/call-languages.js';
import type { LiveCall, LiveCalls, StreamOpening } from '#calls/live/sessions/live-call.js';
import type { Conversation, ConversationObserver } from '#conversation/talk/conversation.js';
import type { AgentPorts } from '#conversation/talk/conversation.js';
import type { ConversationParts } from '#conversation/talk/conversation-parts.js';
import type { Stt } from '#speech/stt.js';
import type { Tts } from '#speech/tts.js';
import { startConversation } from '#conversation/start-conversation.js';
import { sleep, systemClock } from '#kernel/time/clock.js';
import { dialogueOf } from '../test/support/dialogue-of.js';
import type { DialogueManager, DialogueOutput } from '#dialogue/dialogue-manager.js';

const PIECE_MS = 100;
/** At the telephone's rate. */
const TONE = Int16Array.from({ length: PIECE_MS * 8 }, (_, i) => 8_000 * Math.sin(i / 7));

/** How the free agent answers. */
export interface FreeAnswer {
  /** What it says to everything; every sentence of it lasts `sentenceMs`, unless a voice is given. */
  text: string | ((call: number, turn: number) => string);
  sentenceMs: number;
  /** Default: a tone, at once. */
  voice?: Tts;
  /** Default: understands everything at once. */
  recogniser?: Stt;
  /** How long it thinks about each turn, by the call's number and the turns so far. */
  thinkingMs?: (call: number, turn: number) => number;
  /** What decides in place of that. */
  dialogue?: () => DialogueManager;
}

/**
 * An agent that costs nothing, so that only the service is measured: a tone for a voice, one answer to everything.
 * @param call the number of its call
 */
function createFreeAgent(answer: FreeAnswer, call: number): AgentPorts {
  const { text, sentenceMs, thinkingMs = () => 0 } = answer;
  const heard = { text: 'yes', confidence: 1 };
  let turns = 0;
  async function* reply(): AsyncGenerator<DialogueOutput> {
    yield {
      kind: 'say',
      text: typeof text === 'string' ? text : text(call, turns),
      interruptible: true,
    };
    yield { kind: 'listen', hints: { kind: 'anything' } };
  }
  return {
    stt: answer.recogniser ?? {
      name: 'free',
      open: async () => ({
        expect: () => {},
        push: () => {},
        finish: async () => heard,
        discard: () => {},
        close: () => {},
      }),
      close: async () => {},
    },
    tts: answer.voice ?? {
      name: 'free',
      voices: ['tone'],
      async *speak() {
        for (let atMs = 0; atMs < sentenceMs; atMs += PIECE_MS) yield TONE;
      },
      close: async () => {},
    },
    dialogue:
      answer.dialogue?.() ??
      dialogueOf({
        opening: reply,
        async *heard() {
          const delayMs = thinkingMs(call, turns++);
          if (delayMs > 0) await sleep(systemClock, delayMs);
          yield* reply();
        },
        silence: reply,
      }),
    voice: null,
    language: speaking('en-US'),
  };
}

/** Everything of a live call but its rows: the real conversation on the socket's line, each with its parts. */
export function createTalks(options: {
  partsOf(opening: StreamOpening): ConversationParts;
  answer: FreeAnswer;
  observer?: (opening: StreamOpening) => Partial<ConversationObserver>;
}): LiveCalls {
  return {
    async open(opening) {
      const ignore = () => {};
      const conversation = startConversation(
        {
          agent: createFreeAgent(options.answer, Number(opening.providerCallId?.slice(2) ?? '0')),
          line: opening.line,
          limits: { silenceTimeoutSeconds: 600, idlePromptSeconds: 60, maxIdlePrompts: 9 },
          observer: {
            onState: ignore,
            onPartial: ignore,
            onEntry: ignore,
            onTurn: ignore,
            onInterrupted: ignore,
            ...options.observer?.(opening),
          },
        },
        options.partsOf(opening),
      );
      return liveCallOf(conversation);
    },
  };
}

function liveCallOf(conversation: Conversation): LiveCall {
  return {
    callId: 'call_bench',
    hear: (samples) => conversation.hear(samples),
    press: (digit) => conversation.press(digit),
    type: (text) => conversation.type(text),
    interrupt: () => conversation.interrupt(),
    hangUp: () => conversation.stop(),
    disconnected: () => conversation.stop(),
  };
}
