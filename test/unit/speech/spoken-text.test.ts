import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pauseAfterMs, splitSentences } from '#speech/sentences.js';
import { speakableText } from '#speech/speakable/speakable-text.js';
import { toWords } from '#language/pronounceable-words.js';

/** As the built-in voice is given it. */
const toSpokenText = (text: string, language = '') => speakableText(text, { language, letters: 'plain' });

describe('what is written, as it is said', () => {
  it.each([
    ['Call +14155552671 now.', 'Call 4 1 5, 5 5 5, 2 6 7 1 now.'],
    ['Call (415) 555-2671 now.', 'Call 4 1 5, 5 5 5, 2 6 7 1 now.'],
    ['On 2026-03-04 at 14:30.', 'On March 4th, 2026 at 2:30 P M.'],
    ['At 10:00 or 10:30 a.m.', "At 10 o'clock or 10:30 A M"],
    ['Claim 471009221, PIN 90210.', 'Claim 4 7 1, 0 0 9, 2 2 1, PIN 9 0 2 1 0.'],
    ['Claim AB471022.', 'Claim A B 4, 7 1 0, 2 2.'],
    ['Claim 4710-0922-14.', 'Claim 4 7 1 0, 0 9 2 2, 1 4.'],
    ['Order AB12-77 is ready.', 'Order A B 1 2, 7 7 is ready.'],
    ['It costs €12.50, not $1,250.00.', 'It costs 12 euros 50, not $1,250.00.'],
    ['Write to a.b@example.com today.', 'Write to a dot b at example dot com today.'],
    ['José said “yes” – really…', 'Jose said yes, really...'],
    ['*Bold* & _brave_', 'Bold and brave'],
    ['★ 日本', ''],
    ['Hello <b>Bob</b>, 3 < 4.', 'Hello Bob, 3 4.'],
  ])('%s', (written, said) => {
    expect(toSpokenText(written)).toBe(said);
  });

  it.each([
    ['It costs €10.00.', 'It costs 10 euros.'],
    ['It costs £10.', 'It costs 10 pounds.'],
    ['It costs €1.', 'It costs 1 euro.'],
    ['It costs €1,234.50 or £1,000.', 'It costs 1,234 euros 50 or 1,000 pounds.'],
    ['It costs €1.234,56 or €49,99.', 'It costs 1,234 euros 56 or 49 euros 99.'],
    ['It costs 50 € or 49,99€.', 'It costs 50 euros or 49 euros 99.'],
    ['It costs €1.5.', 'It costs 1.5 euros.'],
    ['It costs ¥500, 50 EUR or USD 20.', 'It costs 500 yen, 50 euros or 20 dollars.'],
    ['It costs 50¢.', 'It costs 50 cents.'],
    ['It costs £2.5 million or €5m.', 'It costs 2.5 million pounds or 5 million euros.'],
    ['It costs $100K or $12.3bn.', 'It costs 100 thousand dollars or 12.3 billion dollars.'],
    ['It costs €12500 or 12500 USD.', 'It costs 12,500 euros or 12,500 dollars.'],
    ['It costs $5 more in May.', 'It costs $5 more in May.'],
    ['It costs €20-€30, 3 times.', 'It costs 20 euros to 30 euros, 3 times.'],
  ])('of money: %s', (written, said) => {
    expect(toSpokenText(written)).toBe(said);
  });

  it.each([
    ['It takes 2½ hours.', 'It takes 2 and a half hours.'],
    ['It takes 1 1/2 hours, or 2 3/4.', 'It takes 1 and a half hours, or 2 and 3 quarters.'],
    ['Take ½ of it, or ⅔.', 'Take half of it, or 2 thirds.'],
    ['It has 120 m².', 'It has 120 m squared.'],
    ['It is −5°C.', 'It is -5 degrees Celsius.'],
    ['We are there 24/7.', 'We are there 24 - 7.'],
    // The synthesiser says figure by figure what another number follows: "one zero, eleven".
    ['At 10, 11 or 12.', 'At ten, 11 or 12.'],
    ['You owe 150. 20 days are left.', 'You owe one hundred fifty. 20 days are left.'],
    ['On May 12, 2026.', 'On May 12, 2026.'],
    ['Call 555 0199, $10, 20.', 'Call 555 0199, $10, 20.'],
  ])('of figures: %s', (written, said) => {
    expect(toSpokenText(written)).toBe(said);
  });

  it.each([
    ['At 2026-12-01T14:30:00-05:00.', 'At December 1st, 2026 at 2:30 P M.'],
    ['At 2026-12-01T09:30:00.000Z.', 'At December 1st, 2026 at 9:30 U T C.'],
    ['At 2026-12-01 09:30:00.', 'At December 1st, 2026 at 9:30.'],
    ['On 12/25/2026, not 25/12/2026.', 'On December 25th, 2026, not December 25th, 2026.'],
    ['On 03/04/2026.', 'On 3 - 4 - 2026.'],
    ['On Jan. 5 or Sept 3rd.', 'On January 5 or September 3rd.'],
  ])('of days: %s', (written, said) => {
    expect(toSpokenText(written)).toBe(said);
  });

  it.each([
    ['Call 1-800-555-0199.', 'Call 8 0 0, 5 5 5, 0 1 9 9.'],
    ['Call 1 (800) 555-0199.', 'Call 8 0 0, 5 5 5, 0 1 9 9.'],
    [
      'See example.com or shop.example.co.uk/new.',
      'See example dot com or shop dot example dot co dot uk slash new.',
    ],
    ['Finish it.Now go.', 'Finish it.Now go.'],
  ])('of ways to reach somebody: %s', (written, said) => {
    expect(toSpokenText(written)).toBe(said);
  });

  it.each([
    ['Søren Weiß and Łukasz Đorđević', 'Soren Weiss and Lukasz Dordevic'],
    ['Hello Ms. Smith, Prof. Jones.', 'Hello Miz Smith, Professor Jones.'],
    ['5 Oak Rd., Apt. 4', '5 Oak Road, Apartment 4'],
    ['It is on Elm Blvd. Please ring.', 'It is on Elm Boulevard. Please ring.'],
    ['In 3 hrs and 1 min, 5 km away', 'In 3 hours and 1 minute, 5 kilometers away'],
  ])('of letters and short forms: %s', (written, said) => {
    expect(toSpokenText(written)).toBe(said);
  });

  it.each([
    ['Open 9-5, Mon-Fri.', 'Open 9 to 5, Monday to Friday.'],
    ['Open 9am-5pm or 09:00-17:00.', "Open 9 A M to 5 P M or 9 o'clock to 5:00 P M."],
    ['Open Monday–Friday, 9am – 5pm.', 'Open Monday to Friday, 9 A M to 5 P M'],
    ['It costs $20-$30, or 5%-10% less.', 'It costs $20 to $30, or 5% to 10% less.'],
    ['Call 1-800-555-0199 on Tues at 3.', 'Call 8 0 0, 5 5 5, 0 1 9 9 on Tuesday at 3.'],
    ['Sun and moon sat down.', 'Sun and moon sat down.'],
    ['Call us 24-7, pages 10-20.', 'Call us 24-7, pages 10-20.'],
  ])('of spans: %s', (written, said) => {
    expect(toSpokenText(written)).toBe(said);
  });

  it.each([
    ['Tom &amp; Jerry&#39;s, it&#x27;s &lt;b&gt;here&lt;/b&gt;&nbsp;now.', "Tom and Jerry's, it's here now."],
    ['See [our site](https://example.com/x) now.', 'See our site now.'],
    ['![The map](map.png) is here.', 'The map is here.'],
    ['You & me; &unknown; &#9999999;', 'You and me; and unknown; and number 9 9 9, 9 9 9 9;'],
    ['See https://www.example.com/.', 'See example dot com.'],
  ])('of markup: %s', (written, said) => {
    expect(toSpokenText(written)).toBe(said);
  });

  it.each([
    [`He is 5'10" tall.`, 'He is 5 feet 10 tall.'],
    ['He is 5’10”.', 'He is 5 feet 10.'],
    [`The door is 6' wide, in the '90s.`, "The door is 6 feet wide, in the '90s."],
    ['Take 1/2 of it, or 3/4 cup.', 'Take half of it, or 3 quarters cup.'],
    ['Your balance is -$5, that is ±2.', 'Your balance is minus $5, that is plus or minus 2.'],
    ['It costs $10/hr or €5/month.', 'It costs $10 per hour or 5 euros per month.'],
    ['About 3 + 4, and C++.', 'About 3 plus 4, and C plus plus.'],
    [
      'It is 10mi at 60 mph, approx. 100K steps.',
      'It is 10 miles at 60 miles an hour, approximately 100 thousand steps.',
    ],
    ['At 00:15, or 00:00.', 'At 12:15 A M, or midnight.'],
  ])('of measures: %s', (written, said) => {
    expect(toSpokenText(written)).toBe(said);
  });

  it.each([
    ['Call (415) 555-2671 ext. 12.', 'Call 4 1 5, 5 5 5, 2 6 7 1, extension 12.'],
    ['Call 555-0100 x42, or ext 9.', 'Call 555-0100, extension 42, or extension 9.'],
    ['Call 0800 123 456 or 020 7946 0018.', 'Call 0 8 0 0, 1 2 3, 4 5 6 or 0 2 0, 7 9 4 6, 0 0 1 8.'],
    ['Order no. ab12cd, ref XYZ-987-654.', 'Order number a b 1 2 c d, ref X Y Z, 9 8 7, 6 5 4.'],
    ['#A-204 and COVID-19 in mp3.', 'A, 2 0 4 and COVID-19 in mp3.'],
    ['Your ID, the FAQs, e.g. at the IRS.', "Your I D, the F A Q's, for example, at the I R S."],
    ['PLEASE CALL US. IT IS NASA.', 'PLEASE CALL US. IT IS NASA.'],
  ])('of numbers and letters: %s', (written, said) => {
    expect(toSpokenText(written)).toBe(said);
  });

  it.each([
    ['It has 5M users and 1.5B visits.', 'It has 5 million users and 1.5 billion visits.'],
    ['Apartment 5M is free, 3M is a maker.', 'Apartment 5 M is free, 3 M is a maker.'],
    [
      'Use v2.3.1, version v2 or 10.12.3.',
      'Use version 2 point 3 point 1, version 2 or 10 point 12 point 3.',
    ],
    ['Set 192.168.0.12:8080.', 'Set 1 9 2 dot 1 6 8 dot 0 dot 1 2 port 8 0 8 0.'],
    ['Call 415.555.2671 on 24.11.26.', 'Call 4 1 5, 5 5 5, 2 6 7 1 on 24.11.26.'],
    ['Since the 2020s, not the 1990s.', 'Since the 2020s, not the 1990s.'],
    ['He/she has his/her card: yes/no?', 'He or she has his or her card: yes or no?'],
    [
      'It costs A$20, C$5.50 or NZ$1.',
      'It costs 20 Australian dollars, 5 Canadian dollars 50 or 1 New Zealand dollar.',
    ],
    ['It costs 20 AUD, US$5M or US$3.', 'It costs 20 Australian dollars, 5 million dollars or 3 dollars.'],
  ])('of the world of work: %s', (written, said) => {
    expect(toSpokenText(written)).toBe(said);
  });

  it.each([
    ['On 03/04/2026.', 'en-US', 'On March 4th, 2026.'],
    ['On 03/04/2026.', 'en-GB', 'On April 3rd, 2026.'],
    ['On 03/04/2026.', 'en', 'On 3 - 4 - 2026.'],
    ['On 03/04/2026.', 'en-CA', 'On 3 - 4 - 2026.'],
    ['By 3/4, on 25/12.', 'en-US', 'By March 4th, on December 25th.'],
    ['By 3/4, on 25/12.', 'en', 'By 3 - 4, on December 25th.'],
    ['On 25/12/26, or 24.11.2026.', 'en', 'On December 25th, 2026, or November 24th, 2026.'],
    ['You have 3/4 points, 24/7.', 'en-US', 'You have 3 - 4 points, 24 - 7.'],
    ['On 45/67/2026.', 'en-US', 'On 45 - 67 - 2026.'],
  ])('of days, where they are read: %s in %s', (written, language, said) => {
    expect(toSpokenText(written, language)).toBe(said);
  });

  it('is always plain text that the synthesiser can read', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => /^[\x20-\x7e]*$/.test(toSpokenText(text))),
    );
  });
});

describe('the pieces a text is spoken in', () => {
  it('are sentences, with titles and initials left whole', () => {
    expect(splitSentences('Hello. Dr. Smith and J. Doe are here! Fine?')).toEqual([
      'Hello.',
      'Dr. Smith and J. Doe are here!',
      'Fine?',
    ]);
  });

  it.each([
    'Come on Jan. 5 at noon.',
    'It is 5 Oak Rd. Apt. 4 now.',
    'Ask Lt. Brown.',
    'We come at 10 a.m. Tuesday, or at 4 p.m. Eastern.',
    'Ask for Gen. Lee, Rev. Green and Gov. Brown.',
    'It is approx. 10 miles to St. Mary, e.g. by bus.',
    'Take No. 5, for J. R. Smith.',
    'Acme Inc. Shoes cost 3.50 now.',
    'The U.S. Army is here.',
  ])('do not end with a short form: %s', (text) => {
    expect(splitSentences(text)).toEqual([text]);
  });

  it.each([
    ['We open at 10 a.m.', 'See you then.'],
    ['It closes at 5 p.m.', 'Please bring your card.'],
    ['You live on Main St.', 'Is that right?'],
    ['The answer is no.', 'We are closed.'],
    ['Your letter is B.', 'It is in the mail.'],
    ['She lives in the U.S.', 'The rest are here.'],
    ['He said "Come in."', 'Then he left.'],
    ['Really?!', 'Yes.'],
    ['Well...', 'I am not sure.'],
    ['We call you at 5 p.m.', '"Yes" is enough.'],
  ])('end with a short form that another sentence follows: %s %s', (first, second) => {
    expect(splitSentences(`${first} ${second}`)).toEqual([first, second]);
  });

  it.each(['Come in.', 'Come in!', '"Come in."', '(Come in?)', 'Wait…'])(
    'are followed by a long pause: %s',
    (piece) => {
      expect(pauseAfterMs(piece)).toBe(220);
    },
  );

  it('begin with a short clause, so that something is heard soon', () => {
    const text = 'Hello Maria, this is Anna from the dental office, calling about your appointment tomorrow.';
    expect(splitSentences(text)[0]).toBe('Hello Maria, this is Anna from the dental office,');
  });

  it('lose no word, and none is too long', () => {
    const word = fc.stringMatching(/^[A-Za-z]{1,12}[,.!?]?$/);
    fc.assert(
      fc.property(fc.array(word, { maxLength: 120 }), (words) => {
        const text = words.join(' ');
        const pieces = splitSentences(text);
        expect(pieces.join(' ')).toBe(text);
        expect(Math.max(0, ...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(200);
      }),
    );
  });
});

describe('the words of a phrase', () => {
  it.each([
    ['10:30 A.M.', 'ten thirty a m'],
    ['Room 42-B', 'room forty two b'],
    ["I can't!", "i can't"],
    ['300 units, 05', 'three hundred units oh five'],
    ['Zoë & Co.', 'zoe and co'],
    ['★', ''],
    ['Søren Weiß', 'soren weiss'],
  ])('%s', (phrase, words) => {
    expect(toWords(phrase).join(' ')).toBe(words);
  });
});
