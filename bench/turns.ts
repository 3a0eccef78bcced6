import { DEFAULT_TURN_SETTINGS, type TurnSettings } from '#conversation/talk/turn-settings.js';
import { loadVoiceActivity } from '#media/detecting/voice-activity.js';
import { print } from './figures.js';
import { openSteadyHearing } from './turns-hearing.js';
import { makeScenes, type SceneGroup } from './turns-scenes.js';
import { costMs, score, type Score } from './turns-score.js';
import { makeSounds } from './turns-sounds.js';
import { play, type TalkParts } from './turns-talk.js';

/** What else is tried of each setting, in milliseconds. */
const CANDIDATES: Record<keyof TurnSettings, readonly number[]> = {
  openWindowMs: [400, 500, 700, 800],
  answeredWindowMs: [200, 300, 500, 600],
  digitsWindowMs: [600, 800, 1_000, 1_400],
  unfinishedWindowMs: [600, 900, 1_500],
  yieldWindowMs: [200, 400, 500],
  pauseAfterMs: [160, 200, 240, 260, 320, 360],
  meantFromMs: [140, 260, 320],
  commitAfterMs: [300, 400, 600, 800],
  wordlessCommitAfterMs: [400, 600, 700],
  resumeAfterMs: [1_000, 1_500],
  finishWithinMs: [200, 400, 500],
  noiseUpToMs: [0, 120, 240, 320],
};

interface Row {
  group: SceneGroup;
  scores: Score[];
}

async function run(groups: readonly SceneGroup[], turns: TurnSettings, parts: TalkParts): Promise<Row[]> {
  const rows: Row[] = [];
  for (const group of groups) {
    const scores: Score[] = [];
    for (const scene of group.scenes) scores.push(score(await play(scene, turns, parts), group.wanted));
    rows.push({ group, scores });
  }
  return rows;
}

/** Every kind of scene counts alike, however many there are of it. */
function meanCostMs(rows: readonly Row[]): number {
  return mean(rows.map(({ scores }) => mean(scores.map(costMs))));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function percentile(sorted: readonly number[], share: number): string {
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  return value === undefined ? '–' : String(value);
}

const WORDS = { stop: 'to silence', go_on: 'silent for nothing', answer: 'to the answer' } as const;

function table(rows: readonly Row[]): string[] {
  const lines = rows.map(({ group, scores }) => {
    const times = scores.flatMap(({ tookMs }) => tookMs ?? []).sort((a, b) => a - b);
    const cells = [
      group.name.padEnd(34),
      String(scores.length).padStart(5),
      String(scores.filter(({ falsely }) => falsely).length).padStart(5),
      String(scores.filter(({ missed }) => missed).length).padStart(6),
      percentile(times, 0.5).padStart(6),
      percentile(times, 0.95).padStart(6),
    ];
    return `${cells.join(' ')}  ${WORDS[group.wanted]}`;
  });
  return [`${'scene'.padEnd(34)} talks false missed    p50    p95  ms`, ...lines];
}

async function main([mode = 'all']: readonly string[]): Promise<void> {
  const groups = makeScenes(await makeSounds());
  const parts = { stt: await openSteadyHearing(), voiceActivity: await loadVoiceActivity() };
  const usual = await run(groups, DEFAULT_TURN_SETTINGS, parts);
  for (const line of table(usual)) print(line);
  const usualCostMs = meanCostMs(usual);
  print(`\nmean cost ${usualCostMs.toFixed(1)} ms (a mistake counts 3000)\n`);
  if (mode === 'table') return;
  const beaten: string[] = [];
  for (const [name, others] of Object.entries(CANDIDATES)) {
    const setting = name as keyof TurnSettings;
    const tried = [{ value: DEFAULT_TURN_SETTINGS[setting], costMs: usualCostMs }];
    for (const value of others) {
      const rows = await run(groups, { ...DEFAULT_TURN_SETTINGS, [setting]: value }, parts);
      tried.push({ value, costMs: meanCostMs(rows) });
    }
    const best = Math.min(...tried.map((one) => one.costMs));
    if (usualCostMs > best) beaten.push(name);
    const shown = tried
      .sort((a, b) => a.value - b.value)
      .map((one) => {
        const marks = `${one.value === DEFAULT_TURN_SETTINGS[setting] ? '*' : ''}${one.costMs === best ? '!' : ''}`;
        return `${one.value}${marks} ${one.costMs.toFixed(1)}`;
      });
    print(`${name.padEnd(22)} ${shown.join('   ')}`);
  }
  print('\n* the default   ! the cheapest');
  print(
    `goal every default is the cheapest: ${beaten.length === 0 ? 'met' : `missed by ${beaten.join(', ')}`}`,
  );
}

await main(process.argv.slice(2));
