// A call, during and after: its two sides, its words, where the time went, and what became of it.
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import type { PageProps } from '../../app.js';
import { request } from '../../api/client.js';
import type { Call, LiveEvents, TranscriptEntry, TranscriptTool, Turns } from '../../api/contract.js';
import { useLive, useRefresh } from '../../api/live.js';
import type { Schemas } from '../../api/openapi.js';
import { useOperation, type Resource } from '../../api/resource.js';
import { may } from '../../api/session.js';
import { AgentLink } from '../../ui/agent-link.js';
import { ActionButton, CopyButton } from '../../ui/actions.js';
import { clock, words } from '../../ui/format.js';
import { Card, Loaded, Moment, Page, Status } from '../../ui/parts.js';
import { isOver, nameOf } from './call-states.js';
import { CallTabs } from './call-tabs.js';
import { marksOf } from './marks.js';
import { usePlayer, type Channel, type Player } from './player.js';
import { Steering } from './steering.js';
import { TranscriptView } from './transcript.js';
import { Waterfall } from './waterfall.js';
import { Waveform } from './waveform.js';

export function CallPage({ params }: PageProps) {
  const path = { call_id: params['id'] ?? '' };
  const [isChanging, setChanging] = useState(true);
  const refresh = useRefresh(isChanging);
  const call = useOperation('GET /api/calls/{call_id}', { path, query: { expand: ['recording'] } }, refresh);
  // Asked for together with the call, not after it.
  const talk: Talk = {
    transcript: useOperation('GET /api/calls/{call_id}/transcript', { path }, refresh),
    turns: useOperation('GET /api/calls/{call_id}/turns', { path }, refresh),
    events: useOperation('GET /api/calls/{call_id}/events', { path, query: { limit: 100 } }, refresh),
  };
  if (call.data && isOver(call.data.status) === isChanging) setChanging(!isChanging);
  const isEnded = call.data !== undefined && isOver(call.data.status);
  const wasLive = useRef(false);
  useEffect(() => {
    if (call.data && !isEnded) wasLive.current = true;
    // The last words of a call that ended while it was watched.
    if (isEnded && wasLive.current) for (const part of Object.values(talk)) part.reload();
  }, [isEnded, call.data === undefined]);
  return <Loaded from={call}>{(data) => <CallView call={data} talk={talk} />}</Loaded>;
}

interface Talk {
  transcript: Resource<Schemas['Transcript']>;
  turns: Resource<Turns>;
  events: Resource<Schemas['CallEventList']>;
}

const NO_TOOLS: TranscriptTool[] = [];

function CallView({
  call,
  talk: { transcript, turns, events },
}: {
  call: Schemas['ExpandedCall'];
  talk: Talk;
}) {
  const isLive = !isOver(call.status);
  const player = usePlayer();
  const path = { call_id: call.call_id };
  const hasAudio = !isLive && Boolean(call.recording);
  const peaks = useOperation(hasAudio ? 'GET /api/calls/{call_id}/waveform' : null, {
    path,
    query: { buckets: 1000 },
  });
  const live = useLiveWords(call.call_id);

  const entries = useMemo(
    () => merge(transcript.data?.transcript ?? [], live.entries),
    [transcript.data, live.entries],
  );
  const tools = transcript.data?.tools ?? NO_TOOLS;
  const marks = useMemo(
    () => marksOf(call, entries, tools, events.data?.data ?? []),
    [call, entries, tools, events.data],
  );
  const unheard = useMemo(
    () => new Map(turns.data?.unheard.map(({ start_ms: at, text }) => [at, text] as const)),
    [turns.data],
  );
  const onPlay = hasAudio ? player.playFrom : undefined;
  const playingMs = sentenceAt(entries, player.positionMs);
  const partial = isLive ? live.partial : null;
  // Kept while nothing of theirs changes: the position moves with every frame, and an hour has 600 sentences.
  const sentences = useMemo(
    () => <TranscriptView {...{ entries, tools, unheard, partial, playingMs, onPlay, follows: isLive }} />,
    [entries, tools, unheard, partial, playingMs, onPlay, isLive],
  );
  const waterfall = useMemo(
    () => <Loaded from={turns}>{(data) => <Waterfall turns={data} onPlay={onPlay} />}</Loaded>,
    [turns.data, turns.problem, onPlay],
  );
  const other = call.direction === 'outbound' ? call.to_phone : call.from_phone;
  return (
    <Page
      title={titleOf(call, other)}
      over={['/calls', 'Calls']}
      lead={<Lead call={call} other={other} />}
      actions={<CallActions call={call} isLive={isLive} />}
    >
      <audio ref={player.element} preload="none" />
      {call.fault && <p class="notice bad">{call.fault}</p>}
      {isLive && may('write') && <Steering call={call} step={live.step} />}
      {hasAudio && (
        <Recorded callId={call.call_id} player={player}>
          {peaks.data ? (
            <Waveform peaks={peaks.data} marks={marks} player={player} />
          ) : (
            peaks.problem && <p class="quiet small">The waveform cannot be shown: {peaks.problem.message}</p>
          )}
        </Recorded>
      )}
      <div class="call-columns">
        <Card title="Transcript" actions={entries.length > 0 && <TranscriptLinks callId={call.call_id} />}>
          {entries.length === 0 && live.partial === null ? (
            <p class="quiet">{whyNoWords(call, isLive)}</p>
          ) : (
            sentences
          )}
        </Card>
        <Card title="Where the time went">{waterfall}</Card>
      </div>
      <CallTabs call={call} events={events} />
    </Page>
  );
}

/** The beginning of the sentence that is heard at a position in the recording; null between sentences and before the play. */
function sentenceAt(entries: TranscriptEntry[], positionMs: number): number | null {
  if (positionMs === 0) return null;
  const said = entries.find(({ start_ms: from, end_ms: to }) => positionMs >= from && positionMs < to);
  return said?.start_ms ?? null;
}

function titleOf(call: Call, other: string): string {
  const name = nameOf(call);
  if (other === '') return name ?? 'Call from the browser';
  return name ? `${name}, ${other}` : other;
}

function Lead({ call, other }: { call: Call; other: string }) {
  return (
    <>
      <Status of={call.status} /> {call.direction} · <AgentLink of={call} /> ·{' '}
      <Moment at={call.started_at ?? call.created_at} />
      {call.duration > 0 && <> · {clock(call.duration)}</>}
      {call.ended_reason && <> · {words(call.ended_reason)}</>}
      {other !== '' && (
        <>
          {' '}
          · <Link href={`/numbers/${encodeURIComponent(other)}`}>the number</Link>
        </>
      )}
    </>
  );
}

function CallActions({ call, isLive }: { call: Call; isLive: boolean }) {
  const [, navigate] = useLocation();
  const path = { call_id: call.call_id };
  return (
    <>
      <CopyButton class="" text={call.call_id}>
        Copy id
      </CopyButton>
      {isLive && may('write') && (
        <ActionButton
          class="danger"
          confirm={{
            title: 'End this call?',
            text: 'The person hears the line close at once.',
            label: 'End the call',
          }}
          perform={async () => {
            await request('POST /api/calls/{call_id}/disconnect', { path });
            return 'The call is being ended.';
          }}
        >
          End the call
        </ActionButton>
      )}
      {!isLive && may('write') && (
        <ActionButton
          class="danger"
          confirm={{
            title: 'Erase this call?',
            text: 'Its recording, its words, names and answers are deleted for good. That it took place, and its timing, stay.',
            label: 'Erase',
          }}
          perform={async () => {
            await request('DELETE /api/calls/{call_id}', { path });
            navigate('/calls');
            return 'The personal data of the call is erased.';
          }}
        >
          Erase
        </ActionButton>
      )}
    </>
  );
}

function Recorded({
  callId,
  player,
  children,
}: {
  callId: string;
  player: Player;
  children: preact.ComponentChildren;
}) {
  const [channel, setChannel] = useState<Channel>('both');
  const addressOf = (wanted: Channel): string =>
    `/api/calls/${callId}/recording/audio${wanted === 'both' ? '' : `?channel=${wanted}`}`;
  const audio = player.element.current;
  const choose = (wanted: Channel): void => {
    setChannel(wanted);
    if (!audio) return;
    const at = audio.currentTime;
    const isPlaying = !audio.paused;
    audio.src = addressOf(wanted);
    audio.currentTime = at;
    if (isPlaying) void audio.play();
  };
  if (audio && !audio.src) audio.src = addressOf('both');
  return (
    <Card
      title="Recording"
      actions={
        <>
          <button type="button" class="primary" onClick={player.toggle} aria-pressed={player.isPlaying}>
            {player.isPlaying ? '❚❚ Pause' : '▶ Play'}
          </button>
          <span class="mono">{clock(player.positionMs / 1000)}</span>
          <span class="row" role="group" aria-label="Which side is heard">
            {(['both', 'person', 'agent'] as const).map((name) => (
              <button
                key={name}
                type="button"
                class="small"
                aria-pressed={channel === name}
                onClick={() => choose(name)}
              >
                {words(name)}
              </button>
            ))}
          </span>
          <span class="row small">
            Download
            <a href={`${addressOf('both')}?download=true`}>stereo</a>
            <a href={`${addressOf('person')}&download=true`}>person</a>
            <a href={`${addressOf('agent')}&download=true`}>agent</a>
          </span>
        </>
      }
    >
      {children}
    </Card>
  );
}

function TranscriptLinks({ callId }: { callId: string }) {
  const address = `/api/calls/${callId}/transcript?format=`;
  return (
    <span class="row small">
      <a href={`${address}text`}>Text</a>
      <a href={`${address}srt`}>SRT</a>
      <a href={`${address}vtt`}>VTT</a>
    </span>
  );
}

function whyNoWords(call: Call, isLive: boolean): string {
  if (!call.enable_transcription) return 'This call was made without a transcript.';
  if (isLive) return 'Nothing has been said yet.';
  return 'Nothing was said in this call.';
}

/** What the stream says of this call beyond what has been read. */
function useLiveWords(callId: string) {
  const [entries, setEntries] = useState<TranscriptEntry[]>([]);
  const [partial, setPartial] = useState<LiveEvents['call.partial'] | null>(null);
  const [step, setStep] = useState('');
  useLive(
    'call.transcript',
    useCallback(
      (event) => {
        if (event.call_id !== callId) return;
        setEntries((known) => [...known, event.entry]);
        setPartial(null);
      },
      [callId],
    ),
  );
  useLive(
    'call.partial',
    useCallback((event) => event.call_id === callId && setPartial(event), [callId]),
  );
  useLive(
    'call.step',
    useCallback((event) => event.call_id === callId && setStep(event.step), [callId]),
  );
  return { entries, partial, step };
}

/** What was read and what the stream said since, each entry once. */
function merge(read: TranscriptEntry[], streamed: TranscriptEntry[]): TranscriptEntry[] {
  const keyOf = ({ speaker, start_ms: at }: Schemas['TranscriptEntry']): string => `${speaker}${at}`;
  const known = new Set(read.map(keyOf));
  return [...read, ...streamed.filter((entry) => !known.has(keyOf(entry)))];
}
