import type { PhraseNet } from './phrase-net.js';
import { writeStateGraph } from './state-graph.js';

/**
 * The utterances of a grammar (what callers may say at a question) as a deterministic automaton: at most one transition
 * per word and state, minimal, without silent transitions. States are numbered from 0.
 */
export interface WordAutomaton {
  start: number;
  states: readonly { readonly isEnd: boolean; readonly next: ReadonlyMap<string, number> }[];
}

/** A state under construction: whether an utterance may end in it, and the next state for each word. */
type State = { isEnd: boolean; next: Map<string, number> };

/**
 * Converts a net of phrases to its minimal deterministic automaton, which `Grammars` then writes as a word graph. A
 * recogniser follows all transitions of its graph at once, the silent ones every 10 ms: without silent ones it takes a
 * third of the time.
 */
export function automatonOf(net: PhraseNet): WordAutomaton {
  return minimised(determinised(net));
}

/** Writes an automaton in the recognition engine's format; an additional last state is the end. */
export function writeWordGraph({ start, states }: WordAutomaton, name: string): string {
  const end = states.length;
  const arcs = states.flatMap(({ isEnd, next }, state) => [
    ...[...next].map(([word, to]) => `TRANSITION ${state} ${to} 1.0 ${word}`),
    ...(isEnd ? [`TRANSITION ${state} ${end} 1.0`] : []),
  ]);
  return writeStateGraph(name, { states: end + 1, start, end }, arcs);
}

/**
 * Makes a net deterministic by the subset construction: a state is a set of states of the net; the first is the start.
 */
function determinised(net: PhraseNet): State[] {
  const states: State[] = [];
  const numbers = new Map<string, number>();
  const unexpanded: { members: readonly number[]; state: State }[] = [];
  /** The number of the state for these states of the net; a new state waits in `unexpanded` for its transitions. */
  const numberOf = (reached: Iterable<number>): number => {
    const members = silentlyReachable(net, reached);
    const key = members.join(' ');
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const state = { isEnd: members.includes(net.end), next: new Map<string, number>() };
    numbers.set(key, states.length);
    unexpanded.push({ members, state });
    return states.push(state) - 1;
  };
  numberOf([net.start]);
  for (let current = unexpanded.pop(); current; current = unexpanded.pop()) {
    const { members, state } = current;
    const reached = new Map<string, Set<number>>();
    for (const [word, to] of members.flatMap((member) => net.spoken[member]!)) {
      const known = reached.get(word);
      if (known) known.add(to);
      else reached.set(word, new Set([to]));
    }
    for (const [word, to] of reached) state.next.set(word, numberOf(to));
  }
  return states;
}

/** The states that are reachable without a word, in order. Only those with words, and the end, identify a set. */
function silentlyReachable({ silent, spoken, end }: PhraseNet, from: Iterable<number>): number[] {
  const reached = new Set(from);
  // Iterating over a set visits the states that are added meanwhile.
  for (const state of reached) for (const to of silent[state]!) reached.add(to);
  return [...reached]
    .filter((state) => spoken[state]!.length > 0 || state === end)
    .sort((left, right) => left - right);
}

/**
 * Merges equivalent states (Moore's algorithm): splits groups of states until the states of each lead to the same
 * groups.
 */
function minimised(states: readonly State[]): WordAutomaton {
  const transitions = states.map(({ next }) => [...next].sort(([left], [right]) => (left < right ? -1 : 1)));
  // The words of a state's transitions never change; only the grouping of the target states does.
  const firstGroups = states.map(
    ({ isEnd }, state) => `${isEnd} ${transitions[state]!.map(([word]) => word).join(' ')}`,
  );
  let groups = numbered(firstGroups);
  for (let before = 0; groups.count !== before;) {
    before = groups.count;
    const { groupOf } = groups;
    groups = numbered(
      states.map((_, state) =>
        transitions[state]!.reduce((key, [, to]) => `${key} ${groupOf[to]}`, `${groupOf[state]}`),
      ),
    );
  }
  const merged: State[] = [];
  for (const [state, { isEnd, next }] of states.entries()) {
    merged[groups.groupOf[state]!] ??= {
      isEnd,
      next: new Map([...next].map(([word, to]) => [word, groups.groupOf[to]!])),
    };
  }
  return { start: groups.groupOf[0]!, states: merged };
}

/** Numbers the keys in order of appearance; equal keys get equal numbers. */
function numbered(keys: readonly string[]): { groupOf: readonly number[]; count: number } {
  const numbers = new Map<string, number>();
  const groupOf = keys.map((key) => {
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  });
  return { groupOf, count: numbers.size };
}
