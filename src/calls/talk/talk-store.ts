import type { Entry, TurnTiming } from '#conversation/talk/conversation.js';
import { positionOf, toPage, type Cursor, type Page } from '#store/page.js';
import { flag } from '#store/statements/columns.js';
import { derivedId } from '#kernel/ids/ids.js';
import { insertInto, insertOnce } from '#store/statements/insert.js';
import { defineTransactions, shareCommits, type Tx } from '#store/transaction.js';
import type { HearingReport, ModelReport, ToolReport, VoiceReport } from '#dialogue/dialogue-observer.js';
import type { CallRow } from '#calls/record/call.js';
import type { ModelUse } from '#calls/record/call-cost.js';
import { noteOnCall, noteOnce, type CallNote } from '#calls/record/life-cycle-log.js';
import { lockCall, ofCall, requireCall } from '#calls/record/call-rows.js';
import { isEventWritten } from '#events/outbox.js';
import { recordEvents } from '#webhooks/deliveries/record-events.js';
import {
  storeToolCall,
  modelTurnsOf,
  modelUsesOf,
  toolCallsOf,
  type CallTool,
  type ModelTurn,
} from './model-rows.js';
import { CallEvent, entriesOf, turnsOf, type CallTurn, type TranscriptEntry } from './talk-rows.js';
import { toolCalledData } from './tool-called-data.js';

/** The rows from which `toTurnWaterfall` builds its response. */
export interface TurnFacts {
  turns: readonly CallTurn[];
  /** In order of time. */
  entries: readonly TranscriptEntry[];
  tools: readonly CallTool[];
  /** Reply times of the agent's newest calls (milliseconds), shortest first. */
  agentReplyTimes: readonly number[];
}

/** How many of an agent's newest answered calls count for its reply times. */
const SAMPLED_CALLS = 200;

/**
 * Stores the events of a live talk, for `TalkWriter`, and reads them for the routes of calls (`Calls`, `CallViews`).
 * A write whose result was lost is repeated. The repeat stores, logs and announces nothing twice.
 */
export const talkTransactions = defineTransactions('talks', {
  /** Stores an utterance in the transcript. */
  async addEntry(tx, args: { callId: string; sequence: number; entry: Entry }): Promise<void> {
    const { entry } = args;
    insertOnce(tx, 'transcript_entries', {
      call_id: args.callId,
      sequence: args.sequence,
      speaker: entry.speaker,
      text: entry.text,
      confidence: entry.confidence,
      start_ms: Math.round(entry.startMs),
      end_ms: Math.round(entry.endMs),
      interrupted: flag(entry.interrupted),
      unheard: entry.unheard ?? null,
      spoken_by: entry.by ?? null,
      language: entry.language ?? null,
    });
  },

  /** Stores the timing of a response. */
  async addTurn(tx, args: { callId: string; timing: TurnTiming }): Promise<void> {
    const { timing } = args;
    insertOnce(tx, 'call_turns', {
      call_id: args.callId,
      turn: timing.turn,
      end_of_turn_ms: Math.round(timing.endOfTurnMs),
      stt_ms: Math.round(timing.sttMs),
      llm_first_token_ms: Math.round(timing.thinkMs),
      tts_first_byte_ms: Math.round(timing.speakMs),
      total_ms: Math.round(timing.totalMs),
      sounded_at_ms: timing.soundedAtMs,
      interrupted: flag(timing.interrupted),
    });
  },

  /**
   * Stores a tool call in the transcript and the life-cycle log, and records its event. `isKept`: whether the call
   * keeps a transcript.
   */
  async addTool(
    tx,
    args: {
      callId: string;
      sequence: number;
      startMs: number;
      at: number;
      isKept: boolean;
      report: ToolReport;
    },
  ): Promise<void> {
    const { sequence, startMs, at, isKept, report } = args;
    const { name, status, latencyMs } = report;
    const call = await lockCall(tx, args.callId);
    if (!call) return;
    const eventId = derivedId('evt', at, call.id, 'tool', String(sequence));
    // A repeated write: a tool call that was announced was also stored and logged.
    if (await isEventWritten(tx, eventId)) return;
    if (isKept) storeToolCall(tx, { callId: call.id, sequence, startMs, report });
    const logData = { tool: name, status, latency_ms: latencyMs };
    noteOnCall(tx, call, { type: 'tool_called', at, data: logData });
    const eventData = toolCalledData(call, report, { isKept });
    await recordEvents(tx, [
      {
        id: eventId,
        workspace: call.workspace,
        type: 'call.tool_called',
        subjectId: call.id,
        at,
        data: eventData,
      },
    ]);
  },

  /** Stores a request to a language model; a failed one also goes into the life-cycle log. */
  async addModelUse(
    tx,
    args: { callId: string; sequence: number; at: number; report: ModelReport },
  ): Promise<void> {
    const { report } = args;
    const row = {
      call_id: args.callId,
      sequence: args.sequence,
      turn: report.turn,
      provider: report.provider,
      model: report.model,
      input_tokens: report.inputTokens,
      cached_input_tokens: report.cachedInputTokens,
      output_tokens: report.outputTokens,
      first_token_ms: report.firstTokenMs === null ? null : Math.round(report.firstTokenMs),
      at: report.startedAt,
      failure: report.failure,
    };
    if (report.failure === null) return insertOnce(tx, 'call_model_uses', row);
    const call = await lockCall(tx, args.callId);
    const inserted = await insertInto(tx, 'call_model_uses', row, 'on conflict do nothing');
    // A repeated write: a failure that is stored already was also logged.
    if (!call || inserted === 0) return;
    const { provider, model, failure } = report;
    noteOnCall(tx, call, {
      type: 'model_failed',
      at: args.at,
      data: { provider, model, message: failure },
    });
  },

  /** Stores the use of a voice for a sentence that it has spoken, or failed to speak. */
  async addVoiceUse(
    tx,
    args: { callId: string; sequence: number; at: number; report: VoiceReport },
  ): Promise<void> {
    const { report } = args;
    insertOnce(tx, 'call_speech_uses', {
      call_id: args.callId,
      // The side of the talk, not a leg of the call.
      leg: 'speaking',
      sequence: args.sequence,
      provider: report.provider,
      model: report.model ?? report.voice,
      characters: report.characters,
      sound_ms: Math.round(report.soundMs),
      first_sound_ms: report.firstSoundMs,
      at: report.startedAt,
      failure: report.failure,
    });
  },

  /** Stores how much audio a recogniser has received. */
  async addHearingUse(
    tx,
    args: { callId: string; sequence: number; at: number; report: HearingReport },
  ): Promise<void> {
    const { report } = args;
    insertOnce(tx, 'call_speech_uses', {
      call_id: args.callId,
      leg: 'hearing',
      sequence: args.sequence,
      provider: report.provider,
      sound_ms: Math.round(report.soundMs),
      at: args.at,
    });
  },

  /** The tool calls of a call, and its use of language models by model and by turn. @throws Problem `call_not_found` */
  async modelUse(
    tx,
    args: { workspace: string; id: string },
  ): Promise<{ tools: CallTool[]; uses: ModelUse[]; turns: ModelTurn[] }> {
    const { id } = await requireCall(tx, args);
    return {
      tools: await toolCallsOf(tx, id),
      uses: await modelUsesOf(tx, id),
      turns: await modelTurnsOf(tx, id),
    };
  },

  /** Adds an entry about the talk to the call's life-cycle log. */
  async note(tx, args: CallNote): Promise<void> {
    const call = await lockCall(tx, args.callId);
    if (call) noteOnCall(tx, call, args);
  },

  /** Like `note`, for a write that may be repeated. */
  async noteOnce(tx, args: CallNote): Promise<void> {
    const call = await lockCall(tx, args.callId);
    if (call) await noteOnce(tx, call, args);
  },

  /** A call with its transcript and turns. */
  async view(
    tx,
    args: { workspace: string; id: string },
  ): Promise<{ call: CallRow; entries: TranscriptEntry[]; turns: CallTurn[] }> {
    const call = await requireCall(tx, args);
    return {
      call,
      entries: await entriesOf(tx, [call.id]),
      turns: (await turnsOf(tx, [call.id])).get(call.id) ?? [],
    };
  },

  /** The transcripts of the calls `callIds`, and the turns of the calls `liveIds`, which are not over. */
  async transcriptsOf(
    tx,
    args: { callIds: readonly string[]; liveIds: readonly string[] },
  ): Promise<{ entries: TranscriptEntry[]; turns: [callId: string, turns: CallTurn[]][] }> {
    const { callIds, liveIds } = args;
    return {
      entries: callIds.length === 0 ? [] : await entriesOf(tx, callIds),
      turns: liveIds.length === 0 ? [] : [...(await turnsOf(tx, liveIds))],
    };
  },

  /** The turns of a call, with the transcript and the tool calls around them. */
  async turns(tx, args: { workspace: string; id: string }): Promise<TurnFacts> {
    const call = await requireCall(tx, args);
    return {
      turns: (await turnsOf(tx, [call.id])).get(call.id) ?? [],
      entries: await entriesOf(tx, [call.id]),
      tools: await toolCallsOf(tx, call.id),
      agentReplyTimes: await replyTimesOf(tx, call),
    };
  },

  /** The whole life-cycle log of a call, oldest first. */
  async events(tx, args: { workspace: string; id: string }): Promise<CallEvent[]> {
    const call = await requireCall(tx, args);
    const rows = await tx.all('select * from call_events where call_id = ? order by sequence', call.id);
    return rows.map((row) => CallEvent.parse(row));
  },

  /** One page of the life-cycle log, oldest first. The cursor's `createdAt` is a sequence number. */
  async eventPage(
    tx,
    args: { workspace: string; id: string; cursor: Cursor | null; limit: number },
  ): Promise<Page<CallEvent>> {
    const call = await requireCall(tx, args);
    const rows = await tx.all(
      'select * from call_events where call_id = ? and sequence > ? order by sequence limit ?',
      call.id,
      positionOf(args.cursor),
      args.limit + 1,
    );
    const events = rows.map((row) => CallEvent.parse(row));
    return toPage(events, args.limit, ({ sequence }) => ({ createdAt: sequence, id: call.id }));
  },
});

// Transactions about different calls may share a commit, which saves the database work.
shareCommits(talkTransactions, {
  addEntry: ofCall,
  addTurn: ofCall,
  addTool: ofCall,
  addModelUse: ofCall,
  addVoiceUse: ofCall,
  addHearingUse: ofCall,
  note: ofCall,
  noteOnce: ofCall,
});

/** Reply times of the newest answered calls of an agent (milliseconds), shortest first. */
async function replyTimesOf(tx: Tx, { workspace, agent_id }: CallRow): Promise<number[]> {
  const rows = await tx.all(
    `select total_ms from call_turns where call_id in (
       select id from calls where workspace = ? and agent_id = ? and answered_at is not null
       order by created_at desc, id desc limit ${SAMPLED_CALLS})
     order by total_ms`,
    workspace,
    agent_id,
  );
  return rows.map((row) => Number(row['total_ms']));
}
