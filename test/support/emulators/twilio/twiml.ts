import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { z } from 'zod';

/** A document that Twilio would refuse, with the code of its error catalogue. */
export class TwimlError extends Error {
  override readonly name = 'TwimlError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export interface StreamNoun {
  url: string;
  parameters: Record<string, string>;
  statusCallback: string | null;
  authBearerToken: string | null;
}

export type Verb =
  | { kind: 'say'; text: string }
  | { kind: 'pause'; lengthSeconds: number }
  | { kind: 'connect'; stream: StreamNoun; action: string | null; method: 'GET' | 'POST' }
  | { kind: 'dial'; to: string; callerId: string | null; timeoutSeconds: number; action: string | null }
  | { kind: 'redirect'; url: string }
  | { kind: 'reject'; reason: 'busy' | 'rejected' }
  | { kind: 'hangup' };

interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

const PARSER = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: true,
  // Enables numeric references, too.
  htmlEntities: true,
  trimValues: false,
});
const XML_FAULT = 12100;
const SCHEMA_FAULT = 12200;
const LIMIT_BYTES = 64 * 1024;
const PARAMETER_LIMIT = 500;

/** Attributes that a stream must have in addition to Twilio's. */
type StreamAttributes = Readonly<Record<string, string>>;

/** Parses a TwiML document strictly: Twilio's warnings are errors here. @throws TwimlError */
export function readTwiml(xml: string, streamAttributes: StreamAttributes = {}): Verb[] {
  if (Buffer.byteLength(xml) > LIMIT_BYTES) throw new TwimlError(11750, 'the document is too long');
  if (hasForbiddenCharacter(xml)) throw new TwimlError(XML_FAULT, 'a character that XML does not allow');
  const validity = XMLValidator.validate(xml);
  if (validity !== true) throw new TwimlError(XML_FAULT, validity.err.msg);
  const roots = elementsOf(PARSER.parse(xml)).filter(({ name }) => name !== '?xml');
  const [root] = roots;
  if (roots.length !== 1 || root?.name !== 'Response')
    throw new TwimlError(SCHEMA_FAULT, 'the root is not Response');
  const verbs = root.children.map((element) => verbOf(element, streamAttributes));
  const reject = verbs.findIndex(({ kind }) => kind === 'reject');
  if (reject > 0) throw new TwimlError(SCHEMA_FAULT, 'Reject is not the first verb: the call is answered');
  return verbs;
}

/** XML 1.0 forbids control characters except tab, line feed and carriage return, even as references. */
function hasForbiddenCharacter(xml: string): boolean {
  const isForbidden = (code: number) => code < 0x20 && ![0x09, 0x0a, 0x0d].includes(code);
  const references = [...xml.matchAll(/&#(x?)([0-9a-f]+);/gi)];
  return (
    [...xml].some((character) => isForbidden(character.codePointAt(0)!)) ||
    references.some(([, hex, digits = '']) => isForbidden(Number.parseInt(digits, hex ? 16 : 10)))
  );
}

function verbOf(element: Element, streamAttributes: StreamAttributes): Verb {
  const read = VERBS[element.name];
  if (!read) throw new TwimlError(SCHEMA_FAULT, `no verb is called ${element.name}`);
  return read(element, streamAttributes);
}

const VERBS: Readonly<Record<string, (element: Element, streamAttributes: StreamAttributes) => Verb>> = {
  Say: (element) => {
    allow(element, ['voice', 'language', 'loop']);
    return { kind: 'say', text: element.text };
  },
  Pause: (element) => {
    allow(element, ['length']);
    return { kind: 'pause', lengthSeconds: number(element, 'length', 1) };
  },
  Hangup: (element) => {
    allow(element, []);
    return { kind: 'hangup' };
  },
  Redirect: (element) => {
    allow(element, ['method']);
    return { kind: 'redirect', url: element.text.trim() };
  },
  Reject: (element) => {
    allow(element, ['reason']);
    return { kind: 'reject', reason: oneOf(element, 'reason', ['rejected', 'busy']) };
  },
  Connect: (element, streamAttributes) => {
    allow(element, ['action', 'method']);
    const [stream] = element.children;
    if (element.children.length !== 1 || stream?.name !== 'Stream')
      throw new TwimlError(SCHEMA_FAULT, 'Connect needs one Stream');
    const method = oneOf(element, 'method', ['POST', 'GET']);
    return {
      kind: 'connect',
      stream: streamOf(stream, streamAttributes),
      action: element.attributes['action'] ?? null,
      method,
    };
  },
  Dial: (element) => {
    allow(element, ['callerId', 'timeout', 'action', 'method', 'timeLimit', 'answerOnBridge']);
    const [noun] = element.children;
    if (element.children.length > 1 || (noun && noun.name !== 'Number'))
      throw new TwimlError(SCHEMA_FAULT, 'Dial takes one number here');
    return {
      kind: 'dial',
      to: (noun ?? element).text.trim(),
      callerId: element.attributes['callerId'] ?? null,
      timeoutSeconds: number(element, 'timeout', 30),
      action: element.attributes['action'] ?? null,
    };
  },
};

function streamOf(element: Element, required: StreamAttributes): StreamNoun {
  const own = ['url', 'name', 'track', 'statusCallback', 'statusCallbackMethod', 'authBearerToken'];
  allow(element, [...own, ...Object.keys(required)]);
  for (const [name, value] of Object.entries(required))
    if (element.attributes[name] !== value) throw new TwimlError(SCHEMA_FAULT, `${name} is not ${value}`);
  const { url = '', track, statusCallback, authBearerToken } = element.attributes;
  if (track && track !== 'inbound_track')
    throw new TwimlError(SCHEMA_FAULT, 'a bidirectional stream has the inbound track only');
  if (!/^wss?:\/\/[^?#]+$/.test(url))
    throw new TwimlError(31920, 'the address of a stream is absolute, and has no query');
  const parameters = Object.fromEntries(element.children.map(parameterOf));
  return {
    url,
    parameters,
    statusCallback: statusCallback ?? null,
    authBearerToken: authBearerToken ?? null,
  };
}

function parameterOf(element: Element): [string, string] {
  if (element.name !== 'Parameter') throw new TwimlError(SCHEMA_FAULT, `a Stream has no ${element.name}`);
  allow(element, ['name', 'value']);
  const { name, value = '' } = element.attributes;
  if (!name) throw new TwimlError(SCHEMA_FAULT, 'a Parameter needs a name');
  if (name.length + value.length > PARAMETER_LIMIT)
    throw new TwimlError(SCHEMA_FAULT, 'a Parameter is too long');
  return [name, value];
}

function allow(element: Element, attributes: readonly string[]): void {
  const unknown = Object.keys(element.attributes).find((name) => !attributes.includes(name));
  if (unknown) throw new TwimlError(SCHEMA_FAULT, `${element.name} has no attribute ${unknown}`);
}

function number({ name, attributes }: Element, attribute: string, usual: number): number {
  const value = Number(attributes[attribute] ?? usual);
  if (!Number.isInteger(value) || value < 0)
    throw new TwimlError(SCHEMA_FAULT, `${name} ${attribute} is not a whole number`);
  return value;
}

/** @param allowed the first one is the default */
function oneOf<Value extends string>(element: Element, attribute: string, allowed: readonly Value[]): Value {
  const value = element.attributes[attribute] ?? allowed[0];
  const found = allowed.find((one) => one === value);
  if (!found) throw new TwimlError(SCHEMA_FAULT, `${element.name} has no such ${attribute}`);
  return found;
}

const NODE = z.record(z.string(), z.unknown());

/** Converts the parser's tree (`[{ Say: [{ '#text': … }], ':@': { voice: … } }]`) to elements. */
function elementsOf(nodes: unknown): Element[] {
  return z
    .array(NODE)
    .parse(nodes)
    .flatMap((node) => {
      const name = Object.keys(node).find((key) => key !== ':@');
      if (!name || name === '#text' || name === '#comment') return [];
      const children = node[name];
      const attributes = z.record(z.string(), z.string()).parse(node[':@'] ?? {});
      return [{ name, attributes, children: elementsOf(children), text: textOf(children) }];
    });
}

function textOf(nodes: unknown): string {
  return z
    .array(NODE)
    .parse(nodes)
    .map((node) => (typeof node['#text'] === 'string' ? node['#text'] : ''))
    .join('');
}
