// What was said, in order. A sentence is a button that plays it; what the caller never heard is grey.
import { useEffect, useRef } from 'preact/hooks';
import type { Turn, TranscriptEntry, TranscriptTool } from '../../api/contract.js';
import { clock, milliseconds } from '../../ui/format.js';

interface TranscriptProps {
  entries: TranscriptEntry[];
  tools: TranscriptTool[];
  turns: Turn[];
  /** Words that are still being spoken. */
  partial?: { speaker: 'agent' | 'customer'; text: string } | null;
  positionMs?: number;
  onPlay?: ((ms: number) => void) | undefined;
  follows?: boolean;
}

type Line = { at: number; entry: TranscriptEntry } | { at: number; tool: TranscriptTool };

export function TranscriptView(props: TranscriptProps) {
  const { entries, tools, turns, partial, positionMs = -1, onPlay, follows = false } = props;
  const list = useRef<HTMLOListElement>(null);
  const lines: Line[] = [
    ...entries.map((entry) => ({ at: entry.start_ms, entry })),
    ...tools.map((tool) => ({ at: tool.start_ms, tool })),
  ].sort((one, other) => one.at - other.at);
  useEffect(() => {
    if (follows && list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [follows, lines.length, partial?.text]);
  return (
    <ol class="transcript" ref={list} tabIndex={0} aria-label="Transcript">
      {lines.map((line) =>
        'entry' in line ? (
          <Sentence
            key={`${line.at}${line.entry.speaker}${line.entry.text}`}
            entry={line.entry}
            unheard={unheardOf(line.entry, turns)}
            isNow={positionMs >= line.entry.start_ms && positionMs < line.entry.end_ms}
            onPlay={onPlay}
          />
        ) : (
          <Tool key={line.tool.id} tool={line.tool} />
        ),
      )}
      {partial && (
        <li class={`sentence ${partial.speaker} partial`}>
          <span class="who">{partial.speaker === 'agent' ? 'Agent' : 'Person'}</span>
          <span class="words">{partial.text} …</span>
        </li>
      )}
    </ol>
  );
}

interface SentenceProps {
  entry: TranscriptEntry;
  unheard: string;
  isNow: boolean;
  onPlay?: ((ms: number) => void) | undefined;
}

function Sentence({ entry, unheard, isNow, onPlay }: SentenceProps) {
  const who = entry.by === 'operator' ? 'Operator' : entry.speaker === 'agent' ? 'Agent' : 'Person';
  const inner = (
    <>
      <span class="who">
        {who} <time>{clock(entry.start_ms / 1000)}</time>
      </span>
      <span class="words">
        {entry.text || <i class="quiet">not understood</i>}
        {unheard !== '' && (
          <span class="unheard" title="The person did not hear this">
            {' '}
            {unheard}
          </span>
        )}
        {entry.interrupted && <span class="cut"> interrupted</span>}
      </span>
    </>
  );
  return (
    <li class={`sentence ${entry.speaker} ${isNow ? 'now' : ''}`}>
      {onPlay ? (
        <button type="button" title="Hear this" onClick={() => onPlay(entry.start_ms)}>
          {inner}
        </button>
      ) : (
        <div>{inner}</div>
      )}
    </li>
  );
}

function Tool({ tool }: { tool: TranscriptTool }) {
  return (
    <li class="tool">
      <details>
        <summary>
          ⚙ {tool.name}{' '}
          <span class="quiet">
            {tool.status}, {milliseconds(tool.latency_ms)}
          </span>
        </summary>
        <pre>{tool.arguments}</pre>
        <pre>{tool.result}</pre>
      </details>
    </li>
  );
}

/** What the agent had meant to say beyond what was heard. */
function unheardOf(entry: TranscriptEntry, turns: Turn[]): string {
  if (entry.unheard) return entry.unheard;
  if (entry.speaker !== 'agent' || !entry.interrupted) return '';
  const meant = turns.find(
    ({ said }) => said?.startsWith(entry.text) && said.length > entry.text.length,
  )?.said;
  return meant ? meant.slice(entry.text.length).trim() : '';
}
