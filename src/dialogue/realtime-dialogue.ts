import type { Transcript } from '#speech/stt.js';
import type { RealtimeTool } from '#speech/realtime.js';
import type { Clock } from '#kernel/time/clock.js';
import type { CallerControl, ControlSentence } from './llm/caller-control.js';
import type { DialogueObserver } from './dialogue-observer.js';
import type { Outcome } from './outcome.js';
import type { TalkMemory } from './talk-memory.js';
import type { Toolbox, ToolCall, ToolResult } from './tools/toolbox.js';

/** The dependencies of {@link RealtimeDialogue}. */
export interface RealtimeDialogueParts {
  /** The whole system text. */
  instructions: string;
  /** The words with which the session begins, with their variables filled in; empty for none. */
  initialMessage: string;
  memory: TalkMemory;
  toolbox: Toolbox;
  control: Pick<CallerControl, 'forbidsCalls' | 'say'>;
  observer: Pick<DialogueObserver, 'onTool'>;
  clock: Pick<Clock, 'wallMs' | 'monotonicMs'>;
}

/**
 * The dialogue of a speech-to-speech session: its instructions, tools and outcome. The session chooses its own words. A
 * do-not-call request of the caller is detected here, even if the session does not react to it. Used by
 * `RealtimeConversation`.
 */
export class RealtimeDialogue {
  readonly instructions: string;
  readonly initialMessage: string;
  readonly tools: readonly RealtimeTool[];
  readonly #parts: RealtimeDialogueParts;

  constructor(parts: RealtimeDialogueParts) {
    this.#parts = parts;
    this.instructions = parts.instructions;
    this.initialMessage = parts.initialMessage;
    this.tools = parts.toolbox.offered;
  }

  /** Runs a tool that the session calls, to its end, and reports it. Never rejects. */
  async run(call: ToolCall): Promise<ToolResult> {
    const { toolbox, observer, clock } = this.#parts;
    const [startedAt, startedMs] = [clock.wallMs(), clock.monotonicMs()];
    const result = await toolbox.run(call).done;
    const latencyMs = Math.round(clock.monotonicMs() - startedMs);
    observer.onTool({ ...call, status: result.status, result: result.text, startedAt, latencyMs });
    return result;
  }

  /** Takes a final transcript of the caller's words, and notes a do-not-call request in it. */
  hear(heard: Transcript): void {
    if (this.#parts.control.forbidsCalls(heard)) this.#parts.memory.forbidCalls();
  }

  /** A fixed sentence of the service in the language of the call. */
  sentence(sentence: ControlSentence): string {
    return this.#parts.control.say(sentence);
  }

  outcome(): Outcome {
    return this.#parts.memory.outcome();
  }
}
