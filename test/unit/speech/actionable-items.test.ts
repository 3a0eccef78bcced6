import { describe, expect, it } from 'vitest';
import { actionableItems } from '#analysis/actionable-items.js';
import { AskedTexts } from '#analysis/asked-texts.js';
import { said } from '#test/contracts/analysis.js';

const itemOf = (speaker: 'agent' | 'customer', text: string) =>
  actionableItems([said(speaker, text)], (words) => words.split(/(?<=[.!?]) /))[0] ?? null;

describe('what is to be done after a call', () => {
  it.each([
    ['could you please email me the receipt', 'Email the customer the receipt'],
    ["i'd like you to send somebody round", 'Send somebody round'],
    ['can somebody call me about my bill', 'Call the customer about their bill'],
    ['i want to change my address', "Change the customer's address"],
    ['i would like to book an appointment for friday', 'Book an appointment for friday'],
    ['i need a new password', 'Give the customer a new password'],
    ["i'd like a copy of my bill", 'Give the customer a copy of their bill'],
    ['make sure he gets the message', 'Make sure he gets the message'],
    ['have the manager ring me back', 'Have the manager ring the customer back'],
    ['please ask the doctor to call me', 'Ask the doctor to call the customer'],
    ['please put it in the mail', 'Put it in the mail'],
    ['would you be able to deliver it on saturday', 'Deliver it on saturday'],
    ['is it possible to change the date', 'Change the date'],
    ['could i have a refund please', 'Give the customer a refund'],
    ['may i have the number of the clinic', 'Give the customer the number of the clinic'],
    ["don't forget to cancel the old order", 'Cancel the old order'],
    ['remember to send me the form', 'Send the customer the form'],
    ['i hope you can fix it by friday', 'Fix it by friday'],
    ['it would be great if you could ship it today', 'Ship it today'],
    ['you must repair it', 'Repair it'],
    ['you have to give me my money back', 'Give the customer their money back'],
    ['please let my wife know', "Let the customer's wife know"],
    ['please check why it was charged twice', 'Check why it was charged twice'],
    ['will you send someone', 'Send someone'],
    ['get someone to look at it please', 'Get someone to look at it'],
    ['i need to cancel my order', "Cancel the customer's order"],
    ['i need to think about it', null],
    ['i want to know why', null],
    ['i would like the morning', null],
    ['i need to go', null],
    ['can i ask who is calling', null],
    ['can you wait a moment', null],
    ['could you speak up please', null],
    ['can you hold please', null],
    ['please hold on', null],
    ['please tell me what this is about', null],
    ['would you say it once more', null],
    ['you sent me the wrong form', null],
    ['i already cancelled it', null],
    ['i told you to cancel it last week', null],
    ['did you send it', null],
    ['have you changed it', null],
    ["i don't want to change anything", null],
    ["i don't need a refund", null],
    ["please don't send anything", null],
    ['you need not send it', null],
    ['she said you could send it', null],
    ['i will send it myself', null],
    ["if you can't fix it tell me", null],
    ["i can't book a table there", null],
    ['why would you cancel it', null],
    ['how do i change my password', null],
    ['ask the driver to wait', 'Ask the driver to wait'],
    ['give me a call tomorrow morning', 'Give the customer a call tomorrow morning'],
    ['Please tell Dr Jones: I am late.', 'Tell Dr Jones: I am late'],
    ['Can you send it to Anna? Thanks.', 'Send it to Anna'],
  ])('for a customer who says: %s', (text, item) => expect(itemOf('customer', text)).toBe(item));

  it.each([
    ["i'll have the manager call you back", 'Have the manager call the customer back'],
    ["we'll get that sorted for you", 'Get that sorted for the customer'],
    ["i'm going to email you the details", 'Email the customer the details'],
    ['i will let the doctor know', 'Let the doctor know'],
    ['someone will call you back within an hour', 'Someone will call the customer back within an hour'],
    ["you'll get a confirmation email shortly", 'The customer will get a confirmation email shortly'],
    ["we'll have it delivered on friday", 'Have it delivered on friday'],
    ["i'll put you on the list", 'Put the customer on the list'],
    ["i'm transferring your request to billing", "Transfer the customer's request to billing"],
    ['a colleague will contact you tomorrow', 'A colleague will contact the customer tomorrow'],
    ["we'll be in touch on monday", 'Be in touch on monday'],
    ['let me send you the form', 'Send the customer the form'],
    ['i have cancelled your order', null],
    ["i'll be quick", null],
    ['would you like me to cancel it', null],
    ['shall we book it', null],
    ["we won't call you again", null],
    ["we'll see", null],
    ['can i send you a reminder', null],
    ["i'll put that down as a yes", null],
    ['what can i do for you', null],
    ['if you wish we will send you a reminder', null],
    ["i'll let you go", null],
    ["i'll ask again", null],
    ['i will have a new one sent to you', 'Have a new one sent to the customer'],
    ['I’ll send you the form on Monday, Ada.', 'Send the customer the form on Monday, Ada'],
  ])('by an agent who says: %s', (text, item) => expect(itemOf('agent', text)).toBe(item));

  it('leaves out what a playbook says in its questions, whole, filled in or cut short', () => {
    const asked = new AskedTexts([
      'Please say: I will come, or call me back.',
      'We will book {{day}} for {{name}} then, is that right?',
    ]);
    const itemsOf = (text: string) =>
      actionableItems([said('agent', text)], (words) => words.split(/(?<=[.!?]) /), asked);
    expect(itemsOf('Hello Ada. Please say: I will come, or call me back.')).toEqual([]);
    expect(itemsOf('Please say: I will come, or')).toEqual([]);
    expect(itemsOf('We will book Tuesday, noon, for Ada then, is that right?')).toEqual([]);
    expect(itemsOf('We will book you in. We will send the form.')).toEqual([
      'Book the customer in',
      'Send the form',
    ]);
  });
});
