/**
 * The utterances of a grammar (what callers may say at a question) as a nondeterministic automaton: states, silent
 * transitions, and transitions with a word. States are numbered from 0.
 */
export interface PhraseNet {
  start: number;
  end: number;
  /** The silent transitions of each state. */
  silent: readonly (readonly number[])[];
  /** The transitions of each state with a word. */
  spoken: readonly (readonly (readonly [word: string, to: number])[])[];
}

/** A `<rule>`, a bracket, `|`, `+`, or a word. */
const TOKEN = /<[a-z_]+>|[()[\]|+]|[a-z][a-z']*/g;

/**
 * Parses rules in the JSpeech Grammar Format (JSGF) as far as the service uses it: words, `<rules>`, `( | )`, `[ ]` and
 * `+` (repetition). `yes [please]`, for example, has the utterances "yes" and "yes please". Rules must not be
 * recursive. The first step from the rules of a grammar to a word graph (`Grammars`); `automatonOf` is the next.
 */
export function phraseNetOf(text: string, rules: Readonly<Record<string, string>>): PhraseNet {
  const reader = new RuleReader(rules);
  const [start, end] = [reader.addState(), reader.addState()];
  reader.read(text, start, end);
  return { start, end, silent: reader.silent, spoken: reader.spoken };
}

/** A recursive-descent parser that adds states and transitions as it reads. */
class RuleReader {
  readonly silent: number[][] = [];
  readonly spoken: [string, number][][] = [];
  readonly #rules: Readonly<Record<string, string>>;
  /** The tokens of each rule read so far: most rules are used many times. */
  readonly #tokens = new Map<string, readonly string[]>();

  constructor(rules: Readonly<Record<string, string>>) {
    this.#rules = rules;
  }

  /** Adds a state and returns its number. */
  addState(): number {
    this.spoken.push([]);
    return this.silent.push([]) - 1;
  }

  /** Adds the utterances of a rule as transitions from one state to another. */
  read(rule: string, from: number, to: number): void {
    let tokens = this.#tokens.get(rule);
    if (!tokens) this.#tokens.set(rule, (tokens = rule.match(TOKEN) ?? []));
    this.#alternatives({ tokens, at: 0 }, from, to);
  }

  /** Adds alternatives up to a closing bracket or the end. */
  #alternatives(cursor: TokenCursor, from: number, to: number): void {
    this.#sequence(cursor, from, to);
    while (cursor.tokens[cursor.at] === '|') {
      cursor.at += 1;
      this.#sequence(cursor, from, to);
    }
  }

  /** Adds items up to the next alternative. */
  #sequence(cursor: TokenCursor, from: number, to: number): void {
    let current = this.addState();
    this.silent[from]!.push(current);
    while (cursor.at < cursor.tokens.length && !['|', ')', ']'].includes(cursor.tokens[cursor.at]!)) {
      current = this.#item(cursor, current);
    }
    this.silent[current]!.push(to);
  }

  /** Adds one item: a word, a rule or a group, possibly repeated. Returns the state after it. */
  #item(cursor: TokenCursor, from: number): number {
    const token = cursor.tokens[cursor.at++]!;
    const [begin, end, after] = [this.addState(), this.addState(), this.addState()];
    this.silent[from]!.push(begin);
    this.silent[end]!.push(after);
    if (token === '(' || token === '[') {
      this.#alternatives(cursor, begin, end);
      // Skips the closing bracket.
      cursor.at += 1;
      if (token === '[') this.silent[begin]!.push(end);
    } else if (token.startsWith('<')) {
      this.read(this.#rules[token.slice(1, -1)]!, begin, end);
    } else {
      this.spoken[begin]!.push([token, end]);
    }
    if (cursor.tokens[cursor.at] === '+') {
      cursor.at += 1;
      this.silent[end]!.push(begin);
    }
    return after;
  }
}

/** The tokens of a rule, and the position of the parser. */
interface TokenCursor {
  tokens: readonly string[];
  at: number;
}
