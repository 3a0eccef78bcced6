// State machines as tables, for the life cycles of calls, batches, schedules, deliveries and others (docs/states.md).

/** The rank of a state, and the states that may follow it. A final state has none. */
export interface StateRule<State extends string> {
  /**
   * How far along the life cycle the state is. For calls, whose states carriers report, a report of a state with a
   * lower or equal rank is outdated. Other machines may return to a lower rank, such as after a retry.
   */
  rank: number;
  to: readonly State[];
}

/** A state machine: its table `rules`, and questions that the table answers. */
export interface Machine<State extends string> {
  readonly rules: Readonly<Record<State, StateRule<State>>>;
  readonly states: readonly State[];
  canMove(from: State, to: State): boolean;
  isFinal(state: State): boolean;
  /** The states from which one transition leads to `to`. */
  leadingTo(to: State): State[];
  /** True if `to` has a higher rank than `from`. */
  isAhead(from: State, to: State): boolean;
  /**
   * The shortest path of states from `from` (excluded) to `to` (included); null when there is none. When a carrier
   * reports only the end of a call, the call enters the states that were left out one by one.
   */
  path(from: State, to: State): State[] | null;
}

/** Builds a {@link Machine} from its transition table. */
export function defineMachine<State extends string>(
  rules: Readonly<Record<State, StateRule<NoInfer<State>>>>,
): Machine<State> {
  const states = Object.keys(rules) as State[];
  const isFinal = (state: State) => rules[state].to.length === 0;
  return {
    rules,
    states,
    isFinal,
    leadingTo: (to) => states.filter((state) => rules[state].to.includes(to)),
    canMove: (from, to) => rules[from].to.includes(to),
    isAhead: (from, to) => rules[to].rank > rules[from].rank,
    path: (from, to) => shortestPath(rules, from, to),
  };
}

/** The states from one to another by the fewest transitions, without the first; null if there is no path. */
function shortestPath<State extends string>(
  rules: Readonly<Record<State, StateRule<State>>>,
  from: State,
  to: State,
): State[] | null {
  const cameFrom = new Map<State, State>();
  const waiting: State[] = [from];
  for (let state = waiting.shift(); state !== undefined; state = waiting.shift()) {
    for (const next of rules[state].to) {
      if (next === from || cameFrom.has(next)) continue;
      cameFrom.set(next, state);
      waiting.push(next);
    }
  }
  if (!cameFrom.has(to)) return null;
  const path: State[] = [];
  for (let state: State = to; state !== from; state = cameFrom.get(state)!) path.unshift(state);
  return path;
}
