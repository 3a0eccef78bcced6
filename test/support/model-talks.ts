import { DateTime } from 'luxon';
import type { DialogueManager, DialogueOutput, TurnInput } from '#dialogue/dialogue-manager.js';
import type { ModelReport, ToolReport } from '#dialogue/dialogue-observer.js';
import { ModelDialogue, type ModelDialogueParts } from '#dialogue/llm/model-dialogue.js';
import { TalkMemory } from '#dialogue/talk-memory.js';
import type { Toolbox } from '#dialogue/tools/toolbox.js';
import { PlaybookCallerControl } from '#playbook/talk/caller-control.js';
import { FakeClock } from './fake-clock.js';
import { createMemoryLog } from './memory-log.js';
import { createScriptedModel, type ScriptedAnswer, type ScriptedModel } from './answering-model.js';
import type { ModelRequest } from '#dialogue/llm/language-model.js';

/** No tools at all. */
const NO_TOOLS: Toolbox = {
  offered: [],
  transferTo: null,
  run: (call) => ({
    call,
    sayWhile: [],
    done: Promise.resolve({ status: 'refused', text: 'There is no such tool.' }),
  }),
};

/** A conversation with a scripted model, turn by turn. */
export interface ModelTalk {
  readonly dialogue: ModelDialogue;
  readonly model: ScriptedModel;
  readonly memory: TalkMemory;
  readonly clock: FakeClock;
  readonly reports: { tools: ToolReport[]; models: ModelReport[] };
  /** All outputs of a turn. */
  turn(input: TurnInput, signal?: AbortSignal): Promise<DialogueOutput[]>;
  /** The caller says something. */
  hear(text: string, confidence?: number): Promise<DialogueOutput[]>;
}

export interface ModelTalkOptions extends Partial<Omit<ModelDialogueParts, 'model'>> {
  answer?: (request: ModelRequest, index: number) => ScriptedAnswer;
  variables?: Record<string, string>;
}

export function startModelTalk(options: ModelTalkOptions = {}): ModelTalk {
  const clock = options.clock instanceof FakeClock ? options.clock : new FakeClock();
  const model = createScriptedModel(options.answer ?? (() => 'All right.'), { clock });
  const memory = options.memory ?? new TalkMemory(options.variables ?? {});
  const reports: ModelTalk['reports'] = { tools: [], models: [] };
  const dialogue = new ModelDialogue({
    settings: { temperature: null, maxOutputTokens: null, reasoningEffort: null, maxContextTokens: 16_000 },
    system: 'You are a receptionist.',
    initialMessage: 'Hello {{name|there}}, this is the clinic.',
    toolbox: NO_TOOLS,
    preparesReplies: true,
    control: callerControl(clock),
    observer: {
      onTool: (report) => void reports.tools.push(report),
      onModel: (report) => void reports.models.push(report),
    },
    log: createMemoryLog().log,
    ...options,
    clock,
    memory,
    model,
  });
  return {
    dialogue,
    model,
    memory,
    clock,
    reports,
    ...turnsOf(dialogue, model),
  };
}

/** The control that applies to every caller, with a clock. */
function callerControl(clock: FakeClock): PlaybookCallerControl {
  const readContext = () => ({
    now: DateTime.fromMillis(clock.wallMs(), { zone: 'UTC' }),
    region: 'US' as const,
  });
  return new PlaybookCallerControl({ minConfidence: 0.3, readContext });
}

/** Takes turns with a dialogue manager that a scripted model answers; what the model complains of fails the test. */
export function turnsOf(dialogue: DialogueManager, model: { complaints: readonly unknown[] }) {
  const turn = async (input: TurnInput, signal = new AbortController().signal) => {
    const outputs: DialogueOutput[] = [];
    for await (const output of dialogue.turn(input, signal)) outputs.push(output);
    if (model.complaints.length > 0) throw model.complaints[0];
    return outputs;
  };
  const hear = (text: string, confidence = 0.9) => turn({ kind: 'heard', transcript: { text, confidence } });
  return { turn, hear };
}

/** All texts of a turn as one. */
export function spokenIn(outputs: readonly DialogueOutput[]): string {
  const pieces = outputs.map((output) => {
    if (output.kind === 'say') return ` ${output.text} `;
    return output.kind === 'text_delta' ? output.text : '';
  });
  return pieces.join('').replace(/\s+/g, ' ').trim();
}
