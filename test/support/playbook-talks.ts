import type { DialogueManager, DialogueOutput, TurnInput } from '#dialogue/dialogue-manager.js';
import type { ModelReport, ToolReport } from '#dialogue/dialogue-observer.js';
import type { ModelRequest } from '#dialogue/llm/language-model.js';
import { CallToolbox } from '#dialogue/tools/call-toolbox.js';
import type { ToolAnswer, ToolRequest } from '#dialogue/tools/tool-http.js';
import { validStoredTools } from '#dialogue/tools/tool-definition.js';
import { playbookSchema } from '#playbook/definition/playbook.js';
import { createPlaybookDialogue } from '#playbook/playbook-dialogue.js';
import { createScriptedModel, type ScriptedAnswer, type ScriptedModel } from './answering-model.js';
import { FakeClock } from './fake-clock.js';
import { createMemoryLog } from './memory-log.js';
import { turnsOf } from './model-talks.js';
import { briefOf } from './playbooks.js';

export interface PlaybookTalkOptions {
  /** In the form of an agent. */
  playbook: unknown;
  tools?: readonly unknown[];
  /** The answers of the model; null for an agent whose model cannot be used. */
  answer?: ((request: ModelRequest, index: number) => ScriptedAnswer) | null;
  /** The answers of the tools' servers; default `{}`. */
  send?: (request: ToolRequest) => Promise<ToolAnswer>;
  systemPrompt?: string;
  initialMessage?: string;
  variables?: Record<string, string>;
  /** Default true. */
  preparesReplies?: boolean;
  maxContextTokens?: number;
  clock?: FakeClock;
}

/** A conversation along a playbook with a scripted model and tools, turn by turn. */
export interface PlaybookTalk {
  readonly dialogue: DialogueManager;
  readonly model: ScriptedModel;
  readonly clock: FakeClock;
  /** The requests of tools. */
  readonly sent: ToolRequest[];
  readonly reports: { tools: ToolReport[]; models: ModelReport[] };
  turn(input: TurnInput, signal?: AbortSignal): Promise<DialogueOutput[]>;
  /** Begins the call. */
  open(): Promise<DialogueOutput[]>;
  hear(text: string, confidence?: number): Promise<DialogueOutput[]>;
}

/** Friday, November 27th 2026, ten o'clock (UTC). */
const TALK_BEGINS = Date.UTC(2026, 10, 27, 10);

export function startPlaybookTalk(options: PlaybookTalkOptions): PlaybookTalk {
  const clock = options.clock ?? new FakeClock(TALK_BEGINS);
  const answer = options.answer === undefined ? () => 'I see. What else?' : options.answer;
  const model = createScriptedModel(answer ?? (() => ''), { clock });
  const sent: ToolRequest[] = [];
  const reports: PlaybookTalk['reports'] = { tools: [], models: [] };
  const open = createPlaybookDialogue({ clock, region: 'US' });
  const dialogue = open(
    briefOf({
      systemPrompt: options.systemPrompt ?? null,
      variables: options.variables ?? {},
      ...(options.initialMessage !== undefined && { initialMessage: options.initialMessage }),
    }),
    playbookSchema.parse(options.playbook),
    {
      context: {
        model: answer === null ? null : model,
        settings: {
          temperature: null,
          maxOutputTokens: null,
          reasoningEffort: null,
          maxContextTokens: options.maxContextTokens ?? 16_000,
        },
        preparesReplies: options.preparesReplies ?? true,
        openToolbox: (memory) =>
          new CallToolbox(validStoredTools(options.tools ?? []), {
            memory,
            clock,
            timeZone: 'UTC',
            isReachable: true,
            callId: 'call_1',
            filler: () => 'One moment.',
            send: (request) => {
              sent.push(request);
              return options.send?.(request) ?? Promise.resolve({ status: 200, body: '{}' });
            },
            secrets: () => Promise.resolve({}),
            sign: () => Promise.resolve({}),
            onFailure: (error) => {
              throw error;
            },
          }),
        observer: {
          onTool: (report) => void reports.tools.push(report),
          onModel: (report) => void reports.models.push(report),
        },
        call: {
          callId: 'call_1',
          agentId: null,
          direction: 'inbound',
          callerNumber: null,
          calledNumber: null,
        },
        clock,
        log: createMemoryLog().log,
      },
    },
  );
  const { turn, hear } = turnsOf(dialogue, model);
  return {
    dialogue,
    model,
    clock,
    sent,
    reports,
    turn,
    open: () => turn({ kind: 'opening' }),
    hear,
  };
}
