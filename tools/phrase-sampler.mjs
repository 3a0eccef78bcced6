/**
 * Says what a pattern stands for, at random but the same every time. Knows words, `<rules>`, `( | )` and `[ ]`, which
 * is all that our grammars use. Where there are alternatives, each is as likely as the others.
 */
export class PhraseSampler {
  #rules;
  #seed = 7;

  /** @param {Map<string, string>} rules patterns by name */
  constructor(rules) {
    this.#rules = new Map([...rules].map(([name, pattern]) => [name, parse(pattern)]));
  }

  /** @returns {string[]} words */
  say(pattern) {
    return this.#say(parse(pattern));
  }

  #say(node) {
    if (typeof node === 'string') return [node];
    if (node.rule !== undefined) {
      const pattern = this.#rules.get(node.rule);
      if (!pattern) throw new Error(`there is no rule <${node.rule}>`);
      return this.#say(pattern);
    }
    if (node.optional && this.#random(2) === 0) return [];
    return node.alternatives[this.#random(node.alternatives.length)].flatMap((item) => this.#say(item));
  }

  /** A number below `limit`; Park and Miller's generator. */
  #random(limit) {
    this.#seed = (this.#seed * 48_271) % 0x7fff_ffff;
    return this.#seed % limit;
  }
}

const parsed = new Map();

function parse(pattern) {
  const known = parsed.get(pattern);
  if (known) return known;
  const tokens = pattern.match(/<[a-z_]+>|[()[\]|]|[a-z][a-z']*/g) ?? [];
  let at = 0;
  const group = (optional) => {
    const alternatives = [[]];
    for (; at < tokens.length && tokens[at] !== ')' && tokens[at] !== ']'; at++) {
      const token = tokens[at];
      if (token === '|') alternatives.push([]);
      else if (token === '(' || token === '[') {
        at += 1;
        alternatives.at(-1).push(group(token === '['));
      } else alternatives.at(-1).push(token.startsWith('<') ? { rule: token.slice(1, -1) } : token);
    }
    return { alternatives, optional };
  };
  const whole = group(false);
  parsed.set(pattern, whole);
  return whole;
}
