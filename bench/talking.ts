import type { LiveCall, LiveCalls, StreamOpening } from '#calls/live/sessions/live-call.js';
import type { Conversation, ConversationObserver } from '#conversation/talk/conversation.js';
import type { ConversationParts } from '#conversation/talk/conversation-parts.js';
import { startConversation } from '#conversation/start-conversation.js';
import { sleep, systemClock } from '#kernel/time/clock.js';
import type { Speech } from '#providers/builtin/built-in-speech.js';
import type { Thought } from '#dialogue/dialogue-manager.js';

const PIECE_MS = 100;
/** At the telephone's rate. */
const TONE = Int16Array.from({ length: PIECE_MS * 8 }, (_, i) => 8_000 * Math.sin(i / 7));

/** How the free agent answers. */
export interface FreeAnswer {
  /** What it says to everything; every sentence of it lasts `sentenceMs`. */
  text: string;
  sentenceMs: number;
  /** How long it thinks about each turn, by the call's number and the turns so far. */
  thinkingMs?: (call: number, turn: number) => number;
}

/** Senses that cost nothing, so that only the service is measured: a tone for a voice, one answer to everything. */
export function createFreeSpeech(answer: FreeAnswer): Speech {
  const { text, sentenceMs, thinkingMs = () => 0 } = answer;
  const heard = { text: 'yes', confidence: 1 };
  async function* reply(): AsyncGenerator<Thought> {
    yield { kind: 'say', text, interruptible: true };
    yield { kind: 'listen', expectation: { kind: 'anything' } };
  }
  return {
    hearing: {
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
    speaking: {
      name: 'free',
      voices: ['tone'],
      async *speak() {
        for (let atMs = 0; atMs < sentenceMs; atMs += PIECE_MS) yield TONE;
      },
      close: async () => {},
    },
    thinking: {
      name: 'free',
      open({ variables }) {
        let turns = 0;
        return {
          begin: reply,
          async *reply() {
            const delayMs = thinkingMs(Number(variables['call']), turns++);
            if (delayMs > 0) await sleep(systemClock, delayMs);
            yield* reply();
          },
          nudge: reply,
          outcome: () => ({ intent: null, resolutionAchieved: null, answers: {} }),
        };
      },
    },
    warmUp: async () => {},
    check: async () => {},
    waiting: () => ({ hearing: 0, speaking: 0, dictation: 0 }),
    close: async () => {},
  };
}

/** Everything of a live call but its rows: the real conversation on the socket's line, each with its parts. */
export function createTalks(options: {
  partsOf(opening: StreamOpening): ConversationParts;
  observer?: (opening: StreamOpening) => Partial<ConversationObserver>;
}): LiveCalls {
  return {
    async open(opening) {
      const ignore = () => {};
      const conversation = startConversation(
        {
          brief: {
            agentName: 'Bench',
            initialMessage: '',
            systemPrompt: null,
            model: null,
            language: 'en-US',
            playbook: null,
            variables: { call: opening.providerCallId?.slice(2) ?? '0' },
          },
          voice: null,
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
