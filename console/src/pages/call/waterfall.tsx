// Where the time of each turn goes: from the person's last sound to the agent's first one.
import type { Percentiles, Turn, Turns } from '../../api/contract.js';
import { Empty } from '../../ui/parts.js';
import { useGrowing } from '../../ui/growing.js';
import { clock, milliseconds } from '../../ui/format.js';

const PARTS = [
  { key: 'end_of_turn_ms', name: 'Waited for the end', tone: 'wait' },
  { key: 'recognition_ms', name: 'Recognised', tone: 'recognise' },
  { key: 'model_ms', name: 'Thought', tone: 'think' },
  { key: 'tool_ms', name: 'Tool', tone: 'act' },
  { key: 'voice_ms', name: 'Voice', tone: 'voice' },
] as const;

const LANE = 5;
const HEIGHT = PARTS.length * LANE;
const WIDTH = 600;
const SHORTEST_AXIS_MS = 800;

interface Bar {
  tone: string;
  name: string;
  from: number;
  length: number;
  lane: number;
}

export function Waterfall({
  turns: { turns, percentiles, agent_percentiles: usual },
  onPlay,
}: {
  turns: Turns;
  onPlay?: ((ms: number) => void) | undefined;
}) {
  const drawn = useGrowing(turns.length);
  if (turns.length === 0) {
    return (
      <Empty title="No turn was answered">
        <p>
          As soon as the person says something and the agent answers, each answer shows here where its time
          went.
        </p>
      </Empty>
    );
  }
  const axis = Math.max(SHORTEST_AXIS_MS, usual?.p95 ?? 0, ...turns.map((turn) => lengthOf(turn))) * 1.04;
  return (
    <div class="stack tight">
      <div class="row legend small">
        {PARTS.map(({ name, tone }) => (
          <span key={tone}>
            <i class={`swatch ${tone}`} /> {name}
          </span>
        ))}
        <Legend name="This call" of={percentiles} tone="own" />
        <Legend name="The agent" of={usual} tone="usual" />
      </div>
      <div class="table-scroll" tabIndex={0} role="region" aria-label="Turns">
        <table class="waterfall">
          <thead>
            <tr>
              <th scope="col">Turn</th>
              <th scope="col">
                <span class="row between">
                  <span>0 ms</span>
                  <span>{milliseconds(axis)}</span>
                </span>
              </th>
              <th scope="col" class="numeric">
                First sound
              </th>
            </tr>
          </thead>
          <tbody>
            {turns.slice(0, drawn).map((turn) => (
              <TurnRow key={turn.index} turn={turn} axis={axis} usual={usual} onPlay={onPlay} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function Legend({ name, of, tone }: { name: string; of: Percentiles | null; tone: string }) {
  if (of === null || of.p50 === null) return null;
  return (
    <span class="quiet">
      <i class={`line ${tone}`} /> {name}: p50 {milliseconds(of.p50)}, p95 {milliseconds(of.p95)}
    </span>
  );
}

function TurnRow({
  turn,
  axis,
  usual,
  onPlay,
}: {
  turn: Turn;
  axis: number;
  usual: Percentiles | null;
  onPlay?: ((ms: number) => void) | undefined;
}) {
  const { started_at_ms: startedAtMs } = turn;
  const bars = barsOf(turn);
  const x = (ms: number): number => (ms / axis) * WIDTH;
  return (
    <tr>
      <td>
        {startedAtMs !== null && (
          <button type="button" class="plain small" disabled={!onPlay} onClick={() => onPlay?.(startedAtMs)}>
            {clock(startedAtMs / 1000)}
          </button>
        )}
        <span class="said">{turn.heard ?? ''}</span>
      </td>
      <td class="bars">
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={describe(turn)}
        >
          {usual?.p50 && <line class="usual" x1={x(usual.p50)} x2={x(usual.p50)} y2={HEIGHT} />}
          {usual?.p95 && <line class="usual far" x1={x(usual.p95)} x2={x(usual.p95)} y2={HEIGHT} />}
          {bars.map(({ tone, name, from, length, lane }) => (
            <rect
              key={tone}
              class={tone}
              x={x(from)}
              y={lane * LANE}
              width={Math.max(1.5, x(length))}
              height={LANE - 1}
            >
              <title>{`${name}: ${milliseconds(length)}`}</title>
            </rect>
          ))}
          <line class="first" x1={x(lengthOf(turn))} x2={x(lengthOf(turn))} y2={HEIGHT} />
        </svg>
      </td>
      <td class="numeric">
        {milliseconds(turn.first_audio_ms)}
        {turn.interrupted && <div class="small quiet">interrupted</div>}
      </td>
    </tr>
  );
}

function lengthOf(turn: Turn): number {
  return turn.first_audio_ms ?? PARTS.reduce((sum, { key }) => sum + (turn[key] ?? 0), 0);
}

/**
 * The wait begins with the person's last sound. What follows is laid back from the first sound of the agent, so that what
 * ran at the same time lies one above the other.
 */
function barsOf(turn: Turn): Bar[] {
  const bars: Bar[] = [];
  let end = lengthOf(turn);
  for (const [lane, { key, name, tone }] of [...PARTS.entries()].reverse()) {
    const length = turn[key];
    if (!length) continue;
    const from = key === 'end_of_turn_ms' ? 0 : Math.max(0, end - length);
    bars.push({ tone, name, from, length, lane });
    end = from;
  }
  return bars.reverse();
}

function describe(turn: Turn): string {
  const parts = PARTS.filter(({ key }) => turn[key]);
  return parts.map(({ key, name }) => `${name}: ${milliseconds(turn[key])}`).join(', ');
}
