// State machines as tables, for the life cycles of calls, batches, schedules, deliveries and others (docs/states.md).

/** The transitions of a state, and its rank. A final state has no transitions. */
export interface StateRule<State extends string> {
  /** The rank grows along the life cycle. A report of a state with a lower or equal rank is outdated. */
  rank: number;
  to: readonly State[];
}

/** A state machine: its table `rules`, and questions that the table answers. */
export interface Machine<State extends string> {
  readonly rules: Readonly<Record<State, StateRule<State>>>;
  readonly states: readonly State[];
  canMove(from: State, to: State): boolean;
  isFinal(state: State): boolean;
  /** The states from which `to` can be entered. */
  leadingTo(to: State): State[];
  /** True if `to` has a higher rank than `from`. */
  isAhead(from: State, to: State): boolean;
  /**
   * The shortest path of states from `from` (excluded) to `to` (included); null when there is none. For carriers that
   * report only the end of a call: the states that they left out are entered one by one.
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
