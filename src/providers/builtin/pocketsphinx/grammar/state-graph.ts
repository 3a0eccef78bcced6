/**
 * Writes a word graph in the format of the recognition engine (FSG, finite-state grammar). Used for the grammars of
 * expected answers (`writeWordGraph`) and for dictation (`loadTelephoneEnglish`).
 * @param arcs the transitions, one line each: `TRANSITION from to probability [word]`; states are numbered from 0
 */
export function writeStateGraph(
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
