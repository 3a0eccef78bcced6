// What stands as a mark beneath the waveform.
import type { Call, TranscriptEntry, TranscriptTool } from '../../api/contract.js';
import type { Schemas } from '../../api/openapi.js';
import { words } from '../../ui/format.js';
import type { Mark } from './waveform.js';

/** Which events of a call get a mark, by how their names begin. */
const MARKED_EVENTS: [RegExp, Mark['kind']][] = [
  [/digit|dtmf|keys/, 'keys'],
  [/transfer/, 'transfer'],
  [/machine|screening|voicemail/, 'machine'],
  [/operator|take_over|hand_back|mute|say|context|steer|hold/, 'operator'],
];

export function marksOf(
  call: Call,
  entries: TranscriptEntry[],
  tools: TranscriptTool[],
  events: Schemas['CallEvent'][],
): Mark[] {
  const answeredAt = call.answered_at ? new Date(call.answered_at).getTime() : null;
  const interruptions = entries
    .filter(({ interrupted }) => interrupted)
    .map((entry): Mark => ({
      atMs: entry.end_ms,
      kind: 'interruption',
      name: `${words(entry.speaker)} interrupted`,
    }));
  const used = tools.map((tool): Mark => ({ atMs: tool.start_ms, kind: 'tool', name: `Tool ${tool.name}` }));
  const happened = events.flatMap(({ type, at }): Mark[] => {
    const kind = MARKED_EVENTS.find(([pattern]) => pattern.test(type))?.[1];
    if (kind === undefined || answeredAt === null) return [];
    return [{ atMs: Math.max(0, new Date(at).getTime() - answeredAt), kind, name: words(type) }];
  });
  return [...interruptions, ...used, ...happened].sort((one, other) => one.atMs - other.atMs);
}
