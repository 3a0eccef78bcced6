import { describe, expect, it } from 'vitest';
import { type MarkupDialect, readMarkup } from '#test/support/markup-reader.js';

function read(dialect: MarkupDialect, body: string) {
  const json = dialect === 'vonage' || dialect === 'jambonz';
  return readMarkup(dialect, {
    status: 200,
    contentType: json ? 'application/json' : 'application/xml',
    body,
  });
}
const connect = (stream: string) =>
  `<Response><Connect action="https://h/e"><Stream url="${stream}</Stream></Connect></Response>`;

describe('what a carrier refuses', () => {
  it.each<[MarkupDialect, string, string | RegExp, string]>([
    ['twilio', 'a tag that is not closed', 'Say', '<Response><Say>Hello</Response>'],
    ['twilio', 'an attribute that is not closed', /./, '<Response><Reject reason="busy></Response>'],
    ['twilio', 'a control character', 'character', '<Response><Say>a\u0001b</Say></Response>'],
    ['twilio', 'another root', '<Answer>', '<Answer/>'],
    ['twilio', 'two roots', /root/i, '<Response/><Response/>'],
    ['twilio', 'an unknown verb', '<Speak>', '<Response><Speak>Hello</Speak></Response>'],
    ['twilio', 'an unknown attribute', 'why', '<Response><Reject why="busy"/></Response>'],
    ['twilio', 'text between verbs', 'content', '<Response>Hello<Hangup/></Response>'],
    ['twilio', 'a stream with a query', 'query', connect('wss://h/ws?token=1">')],
    ['twilio', 'a stream over HTTP', 'https:', connect('https://h/ws">')],
    [
      'twilio',
      'a long parameter',
      'too long',
      connect(`wss://h/ws"><Parameter name="token" value="${'a'.repeat(500)}"/>`),
    ],
    ['twilio', 'a large document', 'too large', `<Response><Say>${'a'.repeat(64 * 1024)}</Say></Response>`],
    [
      'twilio',
      'a stream that nobody follows',
      'after its stream',
      connect('wss://h/ws">').replace(' action="https://h/e"', ''),
    ],
    [
      'twilio',
      'a refusal after a word',
      'before anything',
      '<Response><Say>Hello</Say><Reject reason="busy"/></Response>',
    ],
    [
      'telnyx',
      'a stream of MP3',
      'MP3',
      '<Response><Connect><Stream url="wss://h/ws"/></Connect></Response>',
    ],
    [
      'plivo',
      'a stream one way',
      'without its stream',
      '<Response><Stream>wss://h/ws</Stream><Redirect>https://h</Redirect></Response>',
    ],
    [
      'plivo',
      'a number with a plus',
      'digits',
      '<Response><Dial callerId="1"><Number>+1</Number></Dial></Response>',
    ],
    ['vonage', 'an unknown action', /invalid/i, '[{"action":"hangup"}]'],
    ['vonage', 'no list', 'array', '{"action":"talk","text":"Hello"}'],
    ['jambonz', 'a word before the answer', 'before anything', '[{"verb":"say","text":"Hello"}]'],
    ['jambonz', 'an unknown verb', /invalid/i, '[{"verb":"answer"},{"verb":"speak"}]'],
  ])('%s: %s', (dialect, _what, because, body) => {
    expect(() => read(dialect, body)).toThrow(because);
  });

  it('an answer that is none, or of another type', () => {
    const body = '<Response/>';
    expect(
      readMarkup('twilio', { status: 200, contentType: 'application/xml; charset=utf-8', body }),
    ).toEqual([]);
    expect(() => readMarkup('twilio', { status: 500, contentType: 'application/xml', body })).toThrow('500');
    expect(() => readMarkup('twilio', { status: 200, contentType: 'text/html', body })).toThrow('text/html');
  });
});
