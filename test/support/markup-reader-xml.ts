import { XMLParser, XMLValidator } from 'fast-xml-parser';

const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/** Values stay text: JavaScript would read a number with a plus without it. */
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  trimValues: false,
});

type Ordered = Record<string, unknown>;

/** An element of a carrier's document. */
export interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
  /** Its own text. */
  readonly text: string;
  /** @throws Error for another element, further attributes, or other content than named */
  expect(name: string, attributes: readonly string[], content?: 'text' | 'elements'): void;
}

function toNode(ordered: Ordered): XmlNode {
  const name = Object.keys(ordered).find((key) => key !== ':@') ?? '';
  const content = ordered[name] as Ordered[];
  const attributes = (ordered[':@'] ?? {}) as Record<string, string>;
  const children = content.filter((each) => !('#text' in each)).map(toNode);
  const text = content.map((each) => (typeof each['#text'] === 'string' ? each['#text'] : '')).join('');
  return {
    name,
    attributes,
    children,
    text,
    expect(expected, known, kind) {
      if (name !== expected) throw new Error(`<${name}> where <${expected}> belongs`);
      const unknown = Object.keys(attributes).filter((attribute) => !known.includes(attribute));
      if (unknown.length > 0) throw new Error(`<${name}> has no ${unknown.join(', ')}`);
      const strange = (kind !== 'text' && text.trim() !== '') || (kind !== 'elements' && children.length > 0);
      if (strange) throw new Error(`<${name}> has other content`);
    },
  };
}

/**
 * The verbs of a `<Response>`.
 * @throws Error if it is not well-formed XML 1.0, or has another root
 */
export function readXmlVerbs(body: string): readonly XmlNode[] {
  if (FORBIDDEN.test(body)) throw new Error('a character that XML does not have');
  const verdict = XMLValidator.validate(body);
  if (verdict !== true) throw new Error(verdict.err.msg);
  const roots = (parser.parse(body) as Ordered[]).filter((each) => !('#text' in each)).map(toNode);
  const [root] = roots;
  if (!root || roots.length > 1) throw new Error('a document has one root');
  root.expect('Response', [], 'elements');
  return root.children;
}
