// What was said, in order. A sentence is a button that plays it; what the caller never heard is grey.
import { useEffect, useRef } from 'preact/hooks';
import type { TranscriptEntry, TranscriptTool } from '../../api/contract.js';
import { clock, milliseconds } from '../../ui/format.js';
import { useGrowing } from '../../ui/growing.js';
import { Verbatim } from '../../ui/parts.js';

/** The text of what was heard and not understood. */
const NOT_UNDERSTOOD = '[not understood]';

interface TranscriptProps {
  entries: TranscriptEntry[];
  tools: TranscriptTool[];
  /** Words that are still being spoken. */
  partial?: { speaker: 'agent' | 'customer'; text: string } | null;
  /** Where the sentence begins that is being played; null for none. */
  playingMs?: number | null;
  onPlay?: ((ms: number) => void) | undefined;
  follows?: boolean;
  /** What the agent had ready and the person did not hear, by the beginning of what was heard. */
  unheard?: Map<number, string>;
}

type Line = { at: number; entry: TranscriptEntry } | { at: number; tool: TranscriptTool };

export function TranscriptView(props: TranscriptProps) {
  const { entries, tools, partial, playingMs = null, onPlay, follows = false, unheard } = props;
  const list = useRef<HTMLOListElement>(null);
  const lines: Line[] = [
    ...entries.map((entry) => ({ at: entry.start_ms, entry })),
    ...tools.map((tool) => ({ at: tool.start_ms, tool })),
  ].sort((one, other) => one.at - other.at);
  const drawn = useGrowing(lines.length);
  useEffect(() => {
    if (follows && list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [follows, drawn, partial?.text]);
  return (
    <ol class="transcript" ref={list} tabIndex={0} aria-label="Transcript">
      {lines
        .slice(0, drawn)
        .map((line) =>
          'entry' in line ? (
            <Sentence
              key={`${line.at}${line.entry.speaker}${line.entry.text}`}
              entry={line.entry}
              isNow={playingMs === line.entry.start_ms}
              onPlay={onPlay}
              unheard={line.entry.speaker === 'agent' ? unheard?.get(line.entry.start_ms) : undefined}
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

/** Labels of people who speak in place of the agent. */
const BY = { operator: 'Operator', person: 'Joined person' } as const;

interface SentenceProps {
  entry: TranscriptEntry;
  isNow: boolean;
  unheard: string | undefined;
  onPlay?: ((ms: number) => void) | undefined;
}

function Sentence({ entry, isNow, unheard, onPlay }: SentenceProps) {
  const who = entry.by ? BY[entry.by] : entry.speaker === 'agent' ? 'Agent' : 'Person';
  const inner = (
    <>
      <span class="who">
        {who} <time>{clock(entry.start_ms / 1000)}</time>
      </span>
      <span class="words">
        {entry.text === NOT_UNDERSTOOD ? <i class="quiet">not understood</i> : entry.text}
        {entry.interrupted && <span class="cut"> interrupted</span>}
        {unheard !== undefined && (
          <span class="unheard" title="Not heard: the agent was interrupted">
            {' '}
            <span class="hidden-label">Not heard:</span> {unheard}
          </span>
        )}
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
        <Verbatim label="Tool">{tool.arguments}</Verbatim>
        <Verbatim label="Tool">{tool.result}</Verbatim>
      </details>
    </li>
  );
}
