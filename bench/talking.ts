import type { LiveCall, LiveCalls, StreamOpening } from '../src/calls/live-call.js';
import type { Conversation, ConversationObserver } from '../src/conversation/conversation.js';
import type { ConversationParts } from '../src/conversation/conversation-parts.js';
import { startConversation } from '../src/conversation/start-conversation.js';
import type { Speech } from '../src/speech/built-in-speech.js';
import type { Thought } from '../src/speech/thinking.js';

const REPLY = 'This takes two and a half seconds. And so does this.';
const SENTENCE_MS = 2_500;
const PIECE_MS = 500;
/** At the telephone's rate. */
const TONE = Int16Array.from({ length: PIECE_MS * 8 }, (_, i) => 8_000 * Math.sin(i / 7));

/** Senses that cost nothing, so that only the house is measured: a tone for a voice, one answer to everything. */
export function createFreeSpeech(): Speech {
  const heard = { text: 'yes', confidence: 1 };
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
        for (let atMs = 0; atMs < SENTENCE_MS; atMs += PIECE_MS) yield TONE;
      },
      close: async () => {},
    },
    thinking: {
      name: 'free',
      open: () => ({
        begin: reply,
        reply: (_heard, signal) => reply(signal),
        nudge: (_prompts, signal) => reply(signal),
        outcome: () => ({ intent: null, resolutionAchieved: null, answers: {} }),
      }),
    },
    warmUp: async () => {},
    close: async () => {},
  };
}

async function* reply(_signal: AbortSignal): AsyncGenerator<Thought> {
  yield { kind: 'say', text: REPLY, interruptible: true };
  yield { kind: 'listen', expectation: { kind: 'anything' } };
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
          mind: {
            agentName: 'Bench',
            initialMessage: '',
            systemPrompt: null,
            model: null,
            language: 'en-US',
            playbook: null,
            variables: {},
          },
          voice: null,
          line: opening.line,
          limits: { silenceTimeoutSeconds: 600, idlePromptSeconds: 60, maxIdlePrompts: 9 },
          observer: {
            ...{ onState: ignore, onPartial: ignore, onEntry: ignore, onTurn: ignore, onInterrupted: ignore },
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
