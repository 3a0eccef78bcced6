// The two sides of a call on one line of time, with marks for what happened. Each lane is one path, drawn twice: what
// has been played lies above what has not.
import { useId, useMemo } from 'preact/hooks';
import type { Waveform as Peaks } from '../../api/contract.js';
import { clock } from '../../ui/format.js';
import type { Player } from './player.js';

export interface Mark {
  atMs: number;
  kind: 'interruption' | 'tool' | 'keys' | 'transfer' | 'machine' | 'operator';
  name: string;
}

const WIDTH = 1000;
const LANE_HEIGHT = 60;
const STEP_MS = 5_000;

const SYMBOLS: Record<Mark['kind'], string> = {
  interruption: '✂',
  tool: '⚙',
  keys: '#',
  transfer: '→',
  machine: '⌂',
  operator: '●',
};

interface WaveformProps {
  peaks: Peaks;
  marks: Mark[];
  player: Player;
}

export function Waveform({ peaks, marks, player }: WaveformProps) {
  const { duration_ms: durationMs } = peaks;
  const share = durationMs > 0 ? Math.min(1, player.positionMs / durationMs) : 0;
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Record<string, number> = { ArrowRight: STEP_MS, ArrowLeft: -STEP_MS };
    const step = steps[event.key];
    if (step !== undefined) player.seek(Math.min(durationMs, player.positionMs + step));
    else if (event.key === 'Home') player.seek(0);
    else if (event.key === ' ' || event.key === 'Enter') player.toggle();
    else return;
    event.preventDefault();
  };
  return (
    <div class="waveform">
      <div
        class="lanes"
        role="slider"
        tabIndex={0}
        aria-label="Place in the recording"
        aria-valuemin={0}
        aria-valuemax={Math.round(durationMs / 1000)}
        aria-valuenow={Math.round(player.positionMs / 1000)}
        aria-valuetext={`${clock(player.positionMs / 1000)} of ${clock(durationMs / 1000)}`}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          player.seek(((event.clientX - box.left) / box.width) * durationMs);
        }}
      >
        <Lane name="Person" tone="person" peaks={peaks.person} share={share} />
        <Lane name="Agent" tone="agent" peaks={peaks.agent} share={share} />
        <i class="cursor" style={{ left: `${share * 100}%` }} />
      </div>
      {marks.length > 0 && (
        <div class="marks">
          {marks.map((mark) => (
            <button
              key={`${mark.kind}${mark.atMs}`}
              type="button"
              class={`mark ${mark.kind}`}
              style={{ left: `${Math.min(98, (mark.atMs / Math.max(1, durationMs)) * 100)}%` }}
              title={`${clock(mark.atMs / 1000)} ${mark.name}`}
              aria-label={`${mark.name}, at ${clock(mark.atMs / 1000)}`}
              onClick={() => player.playFrom(mark.atMs)}
            >
              {SYMBOLS[mark.kind]}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function Lane({ name, tone, peaks, share }: { name: string; tone: string; peaks: number[]; share: number }) {
  const id = useId();
  const path = useMemo(() => pathOf(peaks), [peaks]);
  return (
    <div class={`lane ${tone}`}>
      <span>{name}</span>
      <svg viewBox={`0 0 ${WIDTH} ${LANE_HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <clipPath id={id}>
          <rect width={share * WIDTH} height={LANE_HEIGHT} />
        </clipPath>
        <path d={path} class="ahead" />
        <path d={path} clip-path={`url(#${id})`} />
      </svg>
    </div>
  );
}

/** Loudness is heard as a root, more or less: quiet speech stays visible beside loud. */
function pathOf(peaks: number[]): string {
  const highest = Math.max(0.05, ...peaks);
  const middle = LANE_HEIGHT / 2;
  const step = WIDTH / Math.max(1, peaks.length);
  const heights = peaks.map((peak) => Math.max(0.6, Math.sqrt(peak / highest) * (middle - 2)));
  const above = heights.map(
    (height, index) => `${(index * step).toFixed(1)},${(middle - height).toFixed(1)}`,
  );
  const below = heights
    .map((height, index) => `${(index * step).toFixed(1)},${(middle + height).toFixed(1)}`)
    .reverse();
  return peaks.length === 0 ? '' : `M${above.join('L')}L${below.join('L')}Z`;
}
