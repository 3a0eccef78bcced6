/* Words that `readName` takes for no name, so that "yes" and "who is this" are not saved as the name of a person. */

/** Words that are no part of a name, with the exceptions below. */
export const NOT_A_NAME: ReadonlySet<string> = new Set(
  (
    'yes no not yeah yep yup nope nah okay ok sure what why who whose when where which how the a an and or but if because ' +
    'i you we they he she it me us them him myself yourself himself herself this that these those there here my your his her ' +
    'our their is are am was were be been being has have had having will would can could do does did done may might must ' +
    'shall should please sorry thanks thank hello hi hey goodbye bye name names called later call calling caller phone ' +
    'speaking talking asking telling saying say said tell told ask spell spelled right wrong correct true false know think ' +
    'thought guess mean meant dunno nothing none nobody noone somebody someone anybody anyone everybody everyone whoever ' +
    'one two three four five six seven eight nine ten zero hundred to of for on in at by with from about into under over ' +
    'up down out off again already before after same always never ever still just only really very quite too so then now ' +
    'today tomorrow yesterday morning afternoon evening night good bad fine great perfect excellent wonderful lovely nice ' +
    'cool alright exactly absolutely definitely certainly totally indeed maybe perhaps probably possibly obviously ' +
    'busy driving working sleeping tired sick home work away ready available interested complicated ridiculous private ' +
    'personal secret long short difficult easy important enough go going come coming stop wait hold leave get give take ' +
    'make let put want need like love hate mind idea problem worries way question answer thing things stuff business ' +
    'matter moment second minute time day number excuse pardon forget forgot remember understand repeat hear heard ' +
    'listen look see wife husband doorman receptionist everything something anything cannot refuse rather prefer ' +
    'chance clue doubt trouble incorrect nonsense ' +
    "speak talk sake heaven's heavens goodness " +
    'spelled spelt written starts starting begins beginning ends ending pronounced capital hyphenated hyphen silent letter letters ' +
    'apostrophe unusual usual common rare foreign funny strange ' +
    'first last full family party reservation booking order table double old new other another'
  ).split(' '),
);

/** Words of {@link NOT_A_NAME} that may be first names: "Will Smith". */
export const ALLOWED_FIRST_NAMES: ReadonlySet<string> = new Set(['will', 'an', 'may']);
/** Words that may be last names, also if {@link NOT_A_NAME} has them: "Mike Long". */
export const ALLOWED_LAST_NAMES: ReadonlySet<string> = new Set(
  'day long love good short nice new wise hope may early best'.split(' '),
);
