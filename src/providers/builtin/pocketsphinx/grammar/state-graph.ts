/**
 * A graph of words in the engine's own form (FSG).
 * @param arcs its transitions, one line each, between states that are counted from 0
 */
export function stateGraph(
  name: string,
  { states, start, end }: { states: number; start: number; end: number },
  arcs: readonly string[],
): string {
  return [
    `FSG_BEGIN ${name}`,
    `NUM_STATES ${states}`,
    `START_STATE ${start}`,
    `FINAL_STATE ${end}`,
    ...arcs,
    'FSG_END',
    '',
  ].join('\n');
}
