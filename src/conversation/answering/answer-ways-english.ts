import type { AnswerWays } from './answer-ways.js';
import { phrasings } from '#language/phrasing.js';

const says = phrasings({
  mine: 'my|our|the|your|his|her|this',
  box: 'voice mail|voicemail|mailbox|answering (machine|service)',
  key: '#|one|two|three|four|five|six|seven|eight|nine|zero|pound|star|hash',
  they_called:
    '(number|person|customer|subscriber|mobile|party|caller|mobile number) you (are|re|have|ve) [currently] ' +
    '(calling|called|dialed|dialled|reached|trying to (call|reach))',
  cannot: '(can not|cannot|can t|could not|couldn t|(unable|not able) to)',
  /** What machines want beside a name. */
  number: '(and|your|a|phone|telephone|brief|short)* (number|message)',
  we_are: '(we are|we re|[our|the] (office|shop|store|practice|clinic) is|this office is)',
});

/** How machines greet, and people. */
export const answerWaysEnglish: AnswerWays = {
  machine: says(
    '(after|at|before) the (tone|beep|signal)',
    'record your message|automatic voice message|automated (voice|voicemail|system)',
    'when you (are|have|re|ve) finished',
    'leave (me|us) a message and',
    'get back to you as soon as',
    'your call is important',
    'has been forwarded to',
    'press (<key>|any key)',
    '<they_called> (is|has|can|cannot|may)',
    '(is|are) [currently] (switched off|not in service|no longer in service|out of service)|automated message|incorrect number|(check|hang up) and (dial|try)|not be completed|has been disconnected',
    'leave (me|us)* (your|a) (name|number|telephone|phone|details|contact|brief|short|detailed)',
    '(our|the) (opening|office|business) hours are|[our] hours are|during [our|normal|regular] (business|office|opening) hours',
    '<we_are> (currently|now) closed|<we_are> closed (at the moment|right now|for the)',
    'you know what to do|do your thing|if you know your party|main menu|listen [carefully] to the following',
  ),
  mailbox: says('<box>'),
  itself: says(
    '(have|ve|you) reached !(the (right|wrong))',
    'leave (a|me|us|your) (message|name|brief|short)',
    '(mailbox|voice mail|voicemail) (box|is full|full|of)',
    'mailbox full|please leave',
    '(welcome to|this is) (the|_) [s] <box>',
    'currently closed|<they_called> (is|has|can|cannot)',
  ),
  talk: says(
    'who (is|s) (this|that|it|there|speaking|calling)|who (are|am)',
    'what (is|s) (this|that|it)|what do you',
    '[how] (can|may|do|should|must|did|shall) i',
    '(is|s) (this|that|it) (a|an|the|your|you|my|about)',
    '(are|did|do|have|had|were|can|could|would) you',
    'hello hello|let me|want to press',
    'i (was|were|thought|got|had|heard|meant|saw|left|just|forgot|never|usually|did|do|don|didn|received|checked|could)',
    '(i (have|ve)|we (have|ve)) (just|been|got|had|heard|no|only)',
    '(i (am|m)|we (are|re)) (here|just|checking|listening)',
    '(^|!(record|leave|leaving|recording) _) your (voice mail|voicemail|message|answering)|sorry about',
    'my (voice mail|voicemail|answering machine) (picked|came|started|went|is|has)',
    '(turn|turned|switch|switched) (it|that|off|the|my)',
    '(goes|went|go|going) [straight] to [my] (voicemail|voice mail)',
  ),
  absent: says(
    '(leave|leaving) (me|us)* (a|your) [brief|short|detailed] message',
    '(not|isn t|aren t) available|unavailable|not at home|(nobody|no one) (is|s) available',
    '<cannot> (take|come|get|answer|make it) [to] (your|the|my|a) (call|phone|telephone)',
    '<cannot> (take|answer|come)',
    '(away from|not at) (my|the|our) (desk|phone)|not here right now|on the other line',
    '(agents|operators|representatives|advisors|lines|assistants) are [currently] (busy|engaged|assisting|helping|unavailable)',
    'please (hold|stay on the line|wait) while (we|you)',
    '(calls|call) (may be|are|is|will be|are being|is being) (recorded|monitored)',
    'your call is being|high call volume|stay on the line',
    '<we_are> closed',
  ),
  screening: says(
    'screening (service|calls|your call|this call)|call (screening|assistant)|(automated|virtual) assistant',
    '(^|!(you|ll|will|may|to) _) (say|state|record|give) your name !(<number>)',
    '(say|state|tell me|record|give) [me] your name !(<number>) (and|after|so)',
    '(name|and|with|say|state|tell me|record|give) [the|your] (reason|purpose) (for|of) (your call|the call|calling|your calling)',
    'why you (are|re) calling',
    '(who is|who s) calling and why',
    '(see if|check (if|whether)) (this person|they|he|she|the person) (is|are|s) available|try to connect you',
    'say who you are',
    '(^|!(i) _) (say|state|tell me) who (is|s) calling',
  ),
  full: says(
    '<box> [box] (is|s) [currently|already|now] full|mailbox full',
    '(<cannot>|not) (accept|accepting|take|taking|record|recording|receive|receiving) (any|new|more|further|your)* messages?',
    '(has|have) not [yet] been set up|(hasn t|haven t) [yet] been set up|not (set up|accepting messages)',
  ),
};
