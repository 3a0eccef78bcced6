import { FIRST_NAMES, LAST_NAMES } from '#language/english-names.js';

/** Words separated by spaces as alternatives of a rule: `"ann bob"` → `"ann | bob"`. */
const alternatives = (names: string) => names.split(' ').join(' | ');

/**
 * Rules (JSpeech Grammar Format) for names of people, spelled names (three to nine letters), and the words around them
 * in an answer. Part of the `VALUE_RULES` of every grammar.
 */
export const NAME_RULES: Readonly<Record<string, string>> = {
  first_name: alternatives(FIRST_NAMES),
  last_name: alternatives(LAST_NAMES),
  letter: alternatives('a b c d e f g h i j k l m n o p q r s t u v w x y z'),
  spelled: '<letter> <letter> <letter> [<letter> [<letter> [<letter> [<letter> [<letter> [<letter>]]]]]]',
  name_lead:
    "my name is | my name's | the name is | the name's | this is | it's | it is | i'm | i am | yes this is | call me | " +
    "you are speaking (with | to) | you're speaking (with | to)",
  name_trail: 'speaking | here | please | is my name',
  name_value: '<first_name> [<last_name>] | <last_name>',
};
