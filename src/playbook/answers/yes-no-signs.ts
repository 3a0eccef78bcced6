import { phraseTable } from '#language/phrases.js';

/**
 * The sign that a word or phrase gives as an answer to a yes/no question. Its meaning for one question is a `Verdict`
 * (`question-kind.ts`).
 * - `weak_yes`: "sure", "correct"; also said to soften a no.
 * - `go`: a yes whatever comes before it ("no, no, go ahead").
 * - `welcome`: a yes that a plain "no" only leads up to ("no, no problem").
 * - `neither`: only looks like one of the others. `open`: may mean yes or no.
 * - `thinking`: no answer yet, unless more follows ("let me see, yes").
 * The meaning of the other signs depends on the question: the caller is `coming` or `staying_away`; wants the
 * appointment `off`, `moved` or `kept`; finds a thing `good`, `failing` or `amiss`, or merely utters `praise`; agrees
 * `eager`ly, with `just_so`, or is `finished`; is `averse` or `hindered`.
 */
export type Sign =
  | 'yes'
  | 'weak_yes'
  | 'welcome'
  | 'no'
  | 'unsure'
  | 'open'
  | 'go'
  | 'neither'
  | 'coming'
  | 'staying_away'
  | 'failing'
  | 'off'
  | 'moved'
  | 'kept'
  | 'good'
  | 'praise'
  | 'eager'
  | 'just_so'
  | 'finished'
  | 'averse'
  | 'hindered'
  | 'amiss'
  | 'thinking';

/** The English phrases of each sign, as `wordsOf` and `normaliseAnswer` write them. `readYesNo` looks for them. */
export const signs = phraseTable<Sign>([
  [
    'yes',
    'yes, yeah, yep, yup, yea, yah, aye, affirmative, indeed, totally, exactly, you got it, uh huh, mm hmm, mhm, ' +
      'i think so, i guess so, i suppose so, i believe so, i hope so, i should think so, i reckon so, afraid so, count on me, count on it, without fail, roger that, you betcha, might as well, may as well, ' +
      "no doubt, without a doubt, why not, don't see why not, don't see why i would not, don't see why i should not, " +
      'no reason why not, no reason not to, already done, already did, already paid, been paid, ' +
      'you got her, you got him, not busy, not too busy, not that busy, not very busy, ' +
      'will do it, will do that, can do it, can do that, i plan to, planning to, planning on it, that is the plan, would love that, would like that, i want that, i want it, ' +
      'confirm, confirmed, count me in, have time, got time, have a moment, have a minute, have a second, got a minute, ' +
      'got a moment, got a second, please do, that is me, it is me, this is me, this is she, this is he, this is her, ' +
      'this is him, speaking',
  ],
  [
    'coming',
    'will be there, will come, will make it, can be there, can come, can make it, will be coming, i am coming, ' +
      "i'm still coming, looking forward, as planned, see you then, see you there, see you tomorrow, can't wait, " +
      "hardly wait, won't be late, not be late, i'm always there",
  ],
  [
    'staying_away',
    "can't come, can't make it, can't be there, can't attend, won't come, won't make it, won't be there, not come, not coming, " +
      'not make it, not be there, not attend, not able to come, not be able to come, not be able to make it, not able to make it, unable to come, unable to make it',
  ],
  [
    'eager',
    "absolutely, definitely, certainly, of course, for sure, you bet, by all means, with pleasure, be delighted, i'd be happy to, " +
      'happy to',
  ],
  ['just_so', 'that is it, it is it'],
  [
    'finished',
    "that is all, that'll be all, that will be all, that would be all, that is everything, that will be everything, nothing else, nothing more, " +
      'nothing, i am done, we are done, all set, i am good thanks, i am good thank you',
  ],
  ['welcome', 'no problem'],
  ['weak_yes', 'sure, right, correct, gladly, true, agreed'],
  [
    'good',
    'ok, okay, okey, alright, all right, fine, good, great, perfect, wonderful, fantastic, excellent, lovely, cool, ' +
      'that works, it works, this works, works for me, sounds good, sounds great',
  ],
  [
    'praise',
    'not bad, never been better, never better, never felt better, can not complain, could not complain, can not fault, could not fault, nothing went wrong, not half bad, brilliant, amazing, awesome, superb, flawless, easy, smooth, smoothly, perfectly, ' +
      'happy, satisfied, pleased, delighted, works, worked, went well, all correct, all there, everything is correct, no complaints',
  ],
  [
    'no',
    'no, nope, nah, none, negative, never, far from it, not in the slightest, ' +
      'neither, unable, unfortunately, not, no thanks, no thank you, no way, ' +
      "not really, not now, not today, not right now, not at the moment, not at all, not yet, i'm afraid not, " +
      "of course not, certainly not, definitely not, absolutely not, probably not, don't think so, " +
      'not interested, bad time, bad moment, busy, another time, another day, ' +
      'some other time, no longer, something came up, something has come up, something cropped up, something has cropped up, wrong, incorrect, forget it, never mind, count me out, ' +
      'uh uh, nuh uh, hardly, wish i, inconvenient, nothing doing, ' +
      'that is the wrong number, that is a wrong number, it is the wrong number, that is the wrong address, ' +
      'that is the wrong person, it is the wrong address, it is the wrong person',
  ],
  [
    'unsure',
    "not sure, not so sure, not certain, don't know, not know, no idea, no clue, maybe, perhaps, possibly, " +
      "might, depends, have to check, need to check, have to ask, need to ask, can't say, " +
      "can't tell, can't decide, not decided, undecided, unsure, uncertain, hard to say, will see, have to see, need to see, " +
      'yes and no, i hope i, i hope we, hope to, i wonder, if i can, if we can, if i could, whether, will try, ' +
      'try to, have to think, need to think, think about it, let you know, is possible, could be, who knows, god knows, ' +
      "up in the air, fifty fifty, can't promise, can't guarantee, don't remember, not remember, don't recall, " +
      "can't remember, can't recall",
  ],
  ['thinking', 'let me see, let me think, let me check'],
  [
    'averse',
    'rather not, prefer not, prefer you did not, prefer it if you did not, rather you did not, rather you do not, ' +
      'i do mind, i would mind',
  ],
  [
    'failing',
    'not work, not working, stopped working, never arrived, never came, never turned up, never showed up, never got here, ' +
      'not arrive, not arrived, not turn up, not show up, not delivered, never delivered',
  ],
  ['off', 'cancel, call it off'],
  ['moved', 'reschedule, postpone, rearrange, move it, move that'],
  [
    'kept',
    "don't cancel, don't want to cancel, don't need to cancel, don't reschedule, don't want to reschedule, " +
      "don't move it, keep it, keep the appointment, keep my appointment, leave it as it is",
  ],
  [
    'open',
    'probably, i doubt, doubtful, instead, another date, another day, a different day, ' +
      'a different time, different time, next week, change the time, change the day, push it back, as if, ' +
      'the thing is, not not, never said, none of your business, not your business, none of your concern, rather not say, rather not tell, rather not answer, ' +
      'prefer not to say, prefer not to tell, prefer not to answer, not want to say, not want to tell, not want to answer, ' +
      'not telling, not answering that, not saying, no comment',
  ],
  ['amiss', 'the wrong, a wrong, went wrong, has gone wrong'],
  ['hindered', 'in hospital, sick, ill, flu, away, out of town, in bed'],
  ['go', 'go ahead, go on, carry on, go for it'],
  [
    'neither',
    'good morning, good afternoon, good evening, good day, good bye, right now, are you sure, is that right, ' +
      "excuse me, you know, no one, don't worry, don't you worry, never late, don't hang up, don't get me wrong, please don't hang up, please don't worry, " +
      'did not you, have not you, are not you, will not you, is not it, is not that, was not it, has not it, ' +
      'does not it, no hablo, no habla, no entiendo, ' +
      'wrong number, wrong person, wrong house, wrong man, wrong woman, wrong lady, wrong guy, wrong address, ' +
      'thank you, not only, not to worry, not matter, not speak english, not speak any english, no english, no speak english, ' +
      'the wrong number, a wrong number, the wrong person, the wrong house, the wrong man, the wrong woman, the wrong lady, the wrong guy, the wrong address',
  ],
]);
