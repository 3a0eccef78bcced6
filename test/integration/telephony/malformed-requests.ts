const FORM = 'application/x-www-form-urlencoded';
const CALLER = '+14155550188';
const MARKUP = '"/><Dial>+900123</Dial><Evil a="';

/** What may come instead of a request: name, body, and what it says to be. */
export const MALFORMED_REQUESTS: [name: string, body: string | Buffer, contentType: string | null][] = [
  ['nothing', '', FORM],
  ['a form of no type', `CallSid=CA1&From=${CALLER}`, null],
  ['XML', '<Response><Evil/></Response>', 'text/xml'],
  [
    'a multipart',
    '--x\r\ncontent-disposition: form-data; name="CallSid"\r\n\r\nCA1\r\n--x--',
    'multipart/form-data; boundary=x',
  ],
  ['JSON that says it is a form', '{"CallSid":"CA1"}', FORM],
  ['a form that says it is JSON', 'CallSid=CA1&uuid=1', 'application/json'],
  ['JSON of nothing', 'null', 'application/json'],
  ['JSON of a list', '[[],{"CallSid":[]}]', 'application/json'],
  ['nested JSON', `{"CallSid":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 'application/json'],
  [
    'JSON with prototypes',
    '{"__proto__":{"CallSid":"CA1"},"constructor":{"prototype":{"uuid":"x"}}}',
    'application/json',
  ],
  [
    'JSON of odd things',
    `{"CallSid":{"a":1},"data":{"event_type":7,"payload":null},"uuid":true,"call_sid":["${MARKUP}"]}`,
    'application/json',
  ],
  [
    'a field of half a character',
    '{"CallSid":"\\ud800\\u0000","uuid":"\\ud800\\u0000","call_sid":"\\ud800\\u0000"}',
    'application/json',
  ],
  ['broken escapes', 'CallSid=%&From=%zz&To=%e4%b8&%=%', FORM],
  [
    'no UTF-8',
    Buffer.from([0x43, 0x61, 0x6c, 0x6c, 0x53, 0x69, 0x64, 0x3d, 0xff, 0xfe, 0xc3, 0x28, 0x26, 0x80]),
    FORM,
  ],
  ['nothing but U+0000', 'CallSid=%00%00&From=%00&To=%00&CallStatus=%00', FORM],
  [
    'names of everything',
    'CallSid=__proto__&CallStatus=constructor&SipResponseCode=toString&From=valueOf',
    FORM,
  ],
  [
    'repeated names',
    Array.from({ length: 50 }, (_, i) => `CallSid=CA${i}&From=%2B1415555${1000 + i}`).join('&'),
    FORM,
  ],
  ['10,000 fields', Array.from({ length: 10_000 }, (_, i) => `f${i}=${i}`).join('&'), FORM],
  ['a quarter of a megabyte of separators', '&=&'.repeat(80_000), FORM],
  [
    'markup',
    new URLSearchParams({
      CallSid: MARKUP,
      From: MARKUP,
      To: MARKUP,
      CallUUID: MARKUP,
      to: MARKUP,
    }).toString(),
    FORM,
  ],
  [
    'markup in JSON',
    JSON.stringify({ uuid: MARKUP, call_sid: MARKUP, from: MARKUP, to: MARKUP, sip: { headers: MARKUP } }),
    'application/json',
  ],
];
