/** What may follow a state, and how far along the life it stands. Final states lead nowhere. */
export interface StateRule<State extends string> {
  /** Grows along the life of the thing; a report of a lower or equal rank is out of date. */
  rank: number;
  to: readonly State[];
}

/** A life cycle as data: `rules` is the whole truth, the methods only read it. */
export interface Machine<State extends string> {
  readonly rules: Readonly<Record<State, StateRule<State>>>;
  readonly states: readonly State[];
  canMove(from: State, to: State): boolean;
  isFinal(state: State): boolean;
  /** The states from which `to` can be entered. */
  leadingTo(to: State): State[];
  /** Is `to` of a higher rank than `from`? Of a final state none is where all of those share the highest rank. */
  isAhead(from: State, to: State): boolean;
  /**
   * The states to enter, in order, to get from `from` to `to`: the shortest way through the table, `to` included.
   * Null when the table has no way. A carrier that only reports the end makes us walk the states it left out.
   */
  path(from: State, to: State): State[] | null;
}

/** Builds a {@link Machine} from its table. */
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
