/**
 * Writes a word graph in the engine's format (FSG, finite-state grammar), for grammars and for dictation.
 * @param arcs the transitions, one line each: `TRANSITION from to probability [word]`; states are numbered from 0
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
