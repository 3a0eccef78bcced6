import type { CallMarkup, MarkupStep } from '#telephony/port/call-markup.js';
import type { CarrierHttpAnswer } from '#telephony/port/carrier-webhooks.js';
import { readJambonzVerbs, readNcco } from './markup-reader-json.js';
import { type XmlNode, readXmlVerbs } from './markup-reader-xml.js';

/** The carrier whose markup an answer contains. */
export type MarkupDialect = 'twilio' | 'signalwire' | 'telnyx' | 'plivo' | 'vonage' | 'jambonz';

type XmlDialect = Exclude<MarkupDialect, 'vonage' | 'jambonz'>;

/** Size limits that carriers document; Telnyx documents none. */
const MAX_BODY_BYTES: Readonly<Record<XmlDialect, number>> = {
  twilio: 64 * 1024,
  signalwire: 64 * 1024,
  telnyx: 64 * 1024,
  plivo: 100 * 1024,
};
const MAX_PARAMETER_CHARACTERS = 500;
const MAX_EXTRA_HEADERS_BYTES = 512;

/** Checks the rules for a stream's URL that all carriers share. */
function checkStreamUrl(url: string): string {
  const { protocol, search, hash } = new URL(url);
  if (protocol !== 'wss:' && protocol !== 'ws:')
    throw new Error(`a stream goes to a web socket, not to ${protocol}`);
  if (search !== '' || hash !== '')
    throw new Error(`the address of a stream has a query or a fragment: ${url}`);
  return url;
}

function reasonOf(value: string | undefined): 'busy' | 'rejected' {
  if (value !== 'busy' && value !== 'rejected')
    throw new Error(`a refusal is busy or rejected, not ${value}`);
  return value;
}

function say(node: XmlNode): MarkupStep {
  if (node.text === '') throw new Error(`<${node.name}> says nothing`);
  return { kind: 'say', text: node.text, language: node.attributes['language'] ?? 'en-US' };
}

/** The `<Parameter>`s of a `<Stream>`. */
function parametersOf(stream: XmlNode): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const child of stream.children) {
    child.expect('Parameter', ['name', 'value']);
    const { name, value } = child.attributes;
    if (!name || value === undefined) throw new Error('a parameter has a name and a value');
    if (name.length + value.length > MAX_PARAMETER_CHARACTERS)
      throw new Error(`parameter ${name} is too long`);
    parameters[name] = value;
  }
  return parameters;
}

function connect(node: XmlNode, dialect: XmlDialect): MarkupStep {
  const telnyx = dialect === 'telnyx';
  node.expect('Connect', dialect === 'twilio' ? ['action'] : [], 'elements');
  const [stream, ...others] = node.children;
  if (!stream || others.length > 0) throw new Error('<Connect> has one <Stream>');
  const telnyxOwn = ['codec', 'bidirectionalMode', 'bidirectionalCodec'];
  stream.expect('Stream', telnyx ? ['url', ...telnyxOwn] : ['url'], 'elements');
  const { url, codec, bidirectionalMode, bidirectionalCodec } = stream.attributes;
  if (telnyx && (codec !== 'PCMU' || bidirectionalMode !== 'rtp' || bidirectionalCodec !== 'PCMU')) {
    throw new Error('a stream of Telnyx is whatever the line is, and MP3, unless told to be frames of PCMU');
  }
  return {
    kind: 'stream',
    stream: { url: checkStreamUrl(url ?? ''), parameters: parametersOf(stream) },
    streamEndedUrl: node.attributes['action'] ?? '',
  };
}

function readTwimlVerb(node: XmlNode, dialect: XmlDialect): MarkupStep {
  switch (node.name) {
    case 'Say':
      node.expect('Say', ['language'], 'text');
      return say(node);
    case 'Connect':
      return connect(node, dialect);
    case 'Dial':
      node.expect('Dial', ['callerId'], 'text');
      return { kind: 'dial', to: node.text, from: node.attributes['callerId'] ?? '' };
    case 'Reject':
      node.expect('Reject', ['reason']);
      return { kind: 'reject', reason: reasonOf(node.attributes['reason']) };
    case 'Hangup':
      node.expect('Hangup', []);
      return { kind: 'hang_up' };
    default:
      throw new Error(`${dialect} has no <${node.name}>`);
  }
}

/** The headers of a stream as passed to its socket: `k=v,k2=v2`. */
function extraHeadersOf(list: string | undefined): Record<string, string> {
  if (list === undefined) return {};
  if (Buffer.byteLength(list) > MAX_EXTRA_HEADERS_BYTES) throw new Error('extraHeaders are too long');
  if (!/^[A-Za-z0-9]+=[A-Za-z0-9]+(,[A-Za-z0-9]+=[A-Za-z0-9]+)*$/.test(list))
    throw new Error(`extraHeaders="${list}"`);
  return Object.fromEntries(list.split(',').map((pair) => pair.split('=') as [string, string]));
}

function plivoStream(node: XmlNode): MarkupStep {
  const known = ['bidirectional', 'keepCallAlive', 'contentType', 'extraHeaders', 'statusCallbackUrl'];
  node.expect('Stream', known, 'text');
  const { bidirectional, keepCallAlive, contentType, extraHeaders, statusCallbackUrl = '' } = node.attributes;
  if (bidirectional !== 'true' || keepCallAlive !== 'true')
    throw new Error('the call would go on without its stream');
  if (contentType !== 'audio/x-mulaw;rate=8000') throw new Error(`a stream of ${contentType}`);
  if (!URL.canParse(statusCallbackUrl)) throw new Error('nobody is told that the stream cannot be opened');
  const stream = { url: checkStreamUrl(node.text), parameters: extraHeadersOf(extraHeaders) };
  return { kind: 'stream', stream, streamEndedUrl: '' };
}

function readPlivoElement(node: XmlNode): MarkupStep {
  switch (node.name) {
    case 'Speak':
      node.expect('Speak', ['language'], 'text');
      return say(node);
    case 'Stream':
      return plivoStream(node);
    case 'Dial': {
      node.expect('Dial', ['callerId'], 'elements');
      const [number] = node.children;
      number?.expect('Number', [], 'text');
      const numbers = [number?.text ?? '', node.attributes['callerId'] ?? ''];
      if (!numbers.every((each) => /^\d+$/.test(each))) throw new Error('numbers of Plivo are digits');
      return { kind: 'dial', to: `+${numbers[0]}`, from: `+${numbers[1]}` };
    }
    case 'Hangup':
      node.expect('Hangup', ['reason']);
      return node.attributes['reason'] === undefined
        ? { kind: 'hang_up' }
        : { kind: 'reject', reason: reasonOf(node.attributes['reason']) };
    default:
      throw new Error(`plivo has no <${node.name}>`);
  }
}

/** Adds the URL requested after a stream (an attribute, or the `<Redirect>` after it) to its step. */
function readXml(body: string, dialect: XmlDialect): CallMarkup {
  if (Buffer.byteLength(body) > MAX_BODY_BYTES[dialect]) throw new Error('the document is too large');
  const steps: MarkupStep[] = [];
  for (const node of readXmlVerbs(body)) {
    const last = steps.at(-1);
    if (node.name === 'Redirect' && last?.kind === 'stream' && last.streamEndedUrl === '') {
      node.expect('Redirect', [], 'text');
      steps[steps.length - 1] = { ...last, streamEndedUrl: node.text };
    } else {
      steps.push(dialect === 'plivo' ? readPlivoElement(node) : readTwimlVerb(node, dialect));
    }
  }
  return steps;
}

function readSteps(dialect: MarkupDialect, body: string): CallMarkup {
  if (dialect === 'vonage') return readNcco(body);
  return dialect === 'jambonz' ? readJambonzVerbs(body) : readXml(body, dialect);
}

/**
 * Interprets an answer like the carrier, in the service's own terms. A missing language is en-US. Vonage's hang-ups
 * and refusals are invisible: its calls end after the last step. Plivo's streams have the token in their URL, and
 * only valid parameters among its extra headers.
 * @throws Error for anything that the carrier would refuse, or that would not do what is meant
 */
export function readMarkup(dialect: MarkupDialect, answer: CarrierHttpAnswer): CallMarkup {
  const mediaType = dialect === 'vonage' || dialect === 'jambonz' ? 'application/json' : 'application/xml';
  if (answer.status !== 200) throw new Error(`answered ${answer.status}`);
  if (answer.contentType.split(';')[0] !== mediaType) throw new Error(`answered with ${answer.contentType}`);
  const steps = readSteps(dialect, answer.body);
  for (const step of steps) {
    if (step.kind === 'reject' && steps.length > 1)
      throw new Error('a call is refused before anything else, or not');
    if (step.kind !== 'stream' || dialect === 'jambonz') continue;
    if (!URL.canParse(step.streamEndedUrl))
      throw new Error('nobody is asked how the call goes on after its stream');
  }
  return steps;
}
