import { USUAL_LANGUAGES } from '#language/languages/languages.js';
import { describe, expect, it } from 'vitest';
import { answerKindOf } from '#conversation/answering/answer-phrases.js';

const kindOf = (text: string) => answerKindOf(text, USUAL_LANGUAGES.of('en-US'));

describe('how those greet who are phoned', () => {
  it.each([
    "hi you've got through to anna's phone please leave a message",
    'this is john smith please leave your name number and a brief message',
    'leave a message at the beep',
    'we are experiencing high call volume please stay on the line',
    'you have dialed an incorrect number please check and dial again',
    'you have reached a number that is no longer in service',
    "the person you've called isn't available to take your call",
    'nobody is available to take your call right now',
    'this is an automated message your call can not be completed as dialed',
    'hello you have reached acme plumbing we are closed right now please call back during business hours',
    'the wireless customer you are calling is not available',
    'the mobile number you have called is switched off',
    'your call is being transferred to an automated voicemail system',
    'all of our operators are currently busy please stay on the line',
    'please hold while we connect your call',
    "if you know your party's extension you may dial it at any time",
    'to leave a message press one or just hang up',
    "sorry i'm unable to take your call right now please leave a message and i'll call you back",
    "hi it's tom i can't answer right now leave a message",
    "we can't get to the phone right now but if you leave your name and number we'll call you back",
    'the number you have reached has been disconnected',
    'thanks for calling our hours are monday to friday nine to five',
    'for english press one',
    'record your message after the tone to finish press hash',
    'this mailbox is full goodbye',
    "i'm away from the phone you know what to do",
    'you know what to do at the beep',
    'sorry we missed you please leave your details',
    'please record your name and a short message after the tone',
    'calls are recorded for quality purposes',
    "hi this is kate's voicemail",
  ])('is known for a machine, or for one who may be: %s', (text) => {
    expect(['machine', 'absent']).toContain(kindOf(text));
  });

  it.each([
    'hello please tell me your name and why you are calling and i will see if they are available',
    'hi the person you have called is screening calls please state your name and the purpose of your call',
    'who may i say is calling please record your name after the beep',
    'this number uses call screening please say who you are',
    'hi this is an automated assistant can you say why you are calling',
  ])('is known for a screening service: %s', (text) => {
    expect(kindOf(text)).toBe('screening');
  });

  it.each([
    'hi this is anna',
    'can i say who is calling',
    'what is the reason for your call',
    'good afternoon city hotel tom speaking',
    "who's speaking please",
    "what's this about",
    'he just stepped out can i tell him who called',
    "she's not here right now try again at six",
    'nobody by that name here',
    "sorry i can't talk right now",
    "i'm unable to talk right now can you call later",
    'did i miss your call',
    'i missed a call from this number',
    'i got a message to call you back',
    "i couldn't find my phone sorry hello",
    "you've reached the wrong number",
    'you have reached the right person',
    'is this about the message you left on my voicemail',
    "you've reached anna how can i help",
    'thanks for calling acme tom speaking how may i direct your call',
    'please hold on a second',
    'please hold while i get her',
    "hold on i'll put you through",
    'we are closed on mondays',
    'are you a recording',
    'sorry what did you say your name was',
    'is this about the message i left',
    "say again who's calling",
    "i'm busy leave me alone",
    'leave it with the neighbour please',
    "no i don't want to press anything",
    "yes i'm available go ahead",
    'who are you trying to reach',
    'is that your message do you want to press on',
  ])('is taken for no machine: %s', (text) => {
    expect(['person', 'absent']).toContain(kindOf(text));
  });
});
