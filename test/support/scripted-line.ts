import type { Line } from '../../src/conversation/talk/conversation.js';
import type { SampleRateHz } from '../../src/media/audio.js';

/** The far end of a line that keeps every frame it was sent; the index of a frame is its tick. */
export interface ScriptedLine extends Line {
  readonly frames: readonly Int16Array[];
  /** Ticks at which the peer was asked to throw its buffer away. */
  readonly clearedAt: readonly number[];
  /** How far the peer's playing lies behind. */
  lagMs: number;
  /** Whether somebody speaks in the frame of a tick. */
  isLoud(tick: number): boolean;
  /** Milliseconds of the first and the end of the last loud frame; null when all is silent. */
  loudSpan(fromTick?: number): { startMs: number; endMs: number } | null;
}

export function createScriptedLine(sampleRateHz: SampleRateHz = 8000): ScriptedLine {
  const frames: Int16Array[] = [];
  const clearedAt: number[] = [];
  const isLoud = (tick: number) => frames[tick]?.some((sample) => Math.abs(sample) > 500) ?? false;
  return {
    sampleRateHz,
    frames,
    clearedAt,
    lagMs: 0,
    isLoud,
    sendFrame: (samples) => void frames.push(samples.slice()),
    clear() {
      clearedAt.push(frames.length);
      return true;
    },
    loudSpan(fromTick = 0) {
      const loud = frames.map((_, tick) => tick).filter((tick) => tick >= fromTick && isLoud(tick));
      if (loud.length === 0) return null;
      return { startMs: loud[0]! * 20, endMs: (loud.at(-1)! + 1) * 20 };
    },
  };
}
