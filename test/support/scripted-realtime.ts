import type { Realtime, RealtimeBrief, RealtimeEvent, RealtimeSession } from '#speech/realtime.js';
import { toneMs } from './scripted-tts.js';

/** Audio above this peak is speech. */
const LOUD = 500;
/** The silence that ends the caller's turn, and the speech that interrupts the agent. */
const SILENCE_MS = 500;
const SPEECH_MS = 200;
const TONE_PEAK = 5_834;
const PIECE_MS = 100;

/** A session's reaction to an utterance: it speaks, and then may call a tool. */
export interface ScriptedReply {
  heard: string;
  text: string;
  tool?: { name: string; arguments: string };
}

/** A fake speech-to-speech model that records what its sessions are asked. */
export interface ScriptedRealtime extends Realtime {
  readonly briefs: readonly RealtimeBrief[];
  /** Entries such as `say: Hello.`, `type: 1`, `interrupt: 400`, `tool result: c1 done`, `close`. */
  readonly asked: readonly string[];
  /** Sets the next utterances and the reactions to them. */
  queue(...replies: ScriptedReply[]): void;
  /** Emits an event in every open session. */
  tell(event: RealtimeEvent): void;
}

/**
 * A speech-to-speech model that hums 50 ms per character, all at once, and takes loud audio for speech: half a second
 * of silence ends the caller's turn. Its time is the length of the received audio.
 */
export function createScriptedRealtime(...replies: ScriptedReply[]): ScriptedRealtime {
  const queued = [...replies];
  const briefs: RealtimeBrief[] = [];
  const asked: string[] = [];
  const sessions: ScriptedRealtimeSession[] = [];
  return {
    name: 'scripted',
    briefs,
    asked,
    queue: (...more) => void queued.push(...more),
    tell: (event) => sessions.forEach((session) => session.tell(event)),
    async open(brief, onEvent) {
      briefs.push(brief);
      const session = new ScriptedRealtimeSession({ queued, asked, brief, onEvent });
      sessions.push(session);
      return session;
    },
    close: async () => {},
  };
}

class ScriptedRealtimeSession implements RealtimeSession {
  readonly #parts;
  #positionMs = 0;
  #speechMs = 0;
  #silenceMs = 0;
  /** The end of the newest turn's audio if it were played at once. */
  #speaksUntilMs = 0;
  #isClosed = false;
  #calls = 0;

  constructor(parts: {
    queued: ScriptedReply[];
    asked: string[];
    brief: RealtimeBrief;
    onEvent: (event: RealtimeEvent) => void;
  }) {
    this.#parts = parts;
  }

  push(samples: Int16Array): void {
    if (this.#isClosed) return;
    const lengthMs = (1_000 * samples.length) / this.#parts.brief.sampleRateHz;
    this.#positionMs += lengthMs;
    if (samples.some((sample) => Math.abs(sample) > LOUD)) {
      this.#speechMs += lengthMs;
      this.#silenceMs = 0;
      if (this.#speechMs >= SPEECH_MS && this.#positionMs < this.#speaksUntilMs) this.#stop();
      return;
    }
    this.#silenceMs += lengthMs;
    if (this.#silenceMs < SILENCE_MS || this.#speechMs < SPEECH_MS) return;
    this.#speechMs = 0;
    this.#reply();
  }

  interrupt(heardMs: number): void {
    this.#parts.asked.push(`interrupt: ${heardMs}`);
    this.#speaksUntilMs = 0;
  }

  toolResult(id: string, text: string): void {
    this.#parts.asked.push(`tool result: ${id} ${text}`);
    this.#speak('All right.');
  }

  say(text: string): void {
    this.#parts.asked.push(`say: ${text}`);
    this.#speak(text);
  }

  type(text: string): void {
    this.#parts.asked.push(`type: ${text}`);
    this.#speak('I see.');
  }

  close(): void {
    if (!this.#isClosed) this.#parts.asked.push('close');
    this.#isClosed = true;
  }

  tell(event: RealtimeEvent): void {
    if (!this.#isClosed) this.#parts.onEvent(event);
  }

  #stop(): void {
    this.#speaksUntilMs = 0;
    this.tell({ kind: 'interrupted' });
  }

  #reply(): void {
    const reply = this.#parts.queued.shift();
    if (!reply) return;
    const words = reply.heard.split(' ');
    const transcript = (text: string) => ({ text, confidence: 0.9 });
    this.tell({ kind: 'caller_text', transcript: transcript(words[0]!), isFinal: false });
    this.tell({ kind: 'caller_text', transcript: transcript(reply.heard), isFinal: true });
    this.#speak(reply.text);
    if (reply.tool) this.tell({ kind: 'tool_call', id: `c${++this.#calls}`, ...reply.tool });
  }

  #speak(text: string): void {
    if (this.#isClosed || text === '') return;
    const { sampleRateHz } = this.#parts.brief;
    const lengthMs = toneMs(text);
    this.#speaksUntilMs = Math.max(this.#speaksUntilMs, this.#positionMs) + lengthMs;
    for (const word of text.split(/(?<= )/)) this.tell({ kind: 'agent_text', text: word });
    for (let fromMs = 0; fromMs < lengthMs; fromMs += PIECE_MS) {
      const length = (Math.min(PIECE_MS, lengthMs - fromMs) * sampleRateHz) / 1_000;
      const samples = Int16Array.from({ length }, (_, at) => (at % 20 < 10 ? TONE_PEAK : -TONE_PEAK));
      this.tell({ kind: 'audio', samples });
    }
    this.tell({ kind: 'turn_done' });
  }
}
