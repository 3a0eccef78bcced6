/** What a listener says so that the other goes on, by language; Vapi and others ship like lists. */
const BACK_CHANNELS: Readonly<Record<string, readonly string[]>> = {
  en: [
    'ah|aha|uh huh|uhuh|mm|mm hm|mm hmm|mmhm|mhm|mhmm|hm|hmm|oh|um|uh|er',
    'yes|yeah|yep|yup|ok|okay|right|sure|alright|all right|fine|good|great|nice|cool|really|exactly|of course',
    'i see|i know|i understand|understood|i hear you|got it|i got it|gotcha|go on|go ahead|thanks|thank you|please',
  ],
  de: [
    'ah|aha|mhm|hm|hmm|ja|jaja|ok|okay|gut|genau|richtig|stimmt|klar|alles klar|verstehe|ich verstehe|so',
    'in ordnung|natürlich|danke|bitte|ach so|na gut',
  ],
  fr: [
    "ah|hm|hmm|mh|oui|ouais|ok|okay|d'accord|bien|très bien|voilà|exactement|je vois|je comprends|bien sûr|merci|entendu",
  ],
  es: [
    'ah|ajá|mm|hm|sí|si|ok|okay|vale|bien|muy bien|bueno|claro|exacto|ya|ya veo|entiendo|de acuerdo|gracias',
  ],
  it: ["ah|mm|hm|sì|si|ok|okay|va bene|bene|certo|esatto|giusto|capisco|ho capito|d'accordo|grazie|già"],
  pt: ['ah|hum|hm|sim|ok|okay|tá|tá bom|certo|claro|exato|entendo|entendi|bom|está bem|obrigado|obrigada'],
};

/** Words that always mean "stop talking", however short. */
const STOP_WORDS: Readonly<Record<string, readonly string[]>> = {
  en: ['stop|wait|hold|pause|enough|quiet|no|nope|nah|not|never|but|actually|sorry|hang'],
  de: ['stopp|stop|halt|warte|warten|moment|nein|nicht|nie|aber|genug|entschuldigung'],
  fr: ['stop|attendez|attends|arrêtez|non|pas|mais|jamais|pardon|assez'],
  es: ['para|pare|espere|espera|no|pero|nunca|basta|perdón'],
  it: ['stop|fermo|aspetti|aspetta|no|non|ma|mai|basta|scusi'],
  pt: ['pare|espere|espera|não|mas|nunca|chega|desculpe'],
};

const USUAL_LANGUAGE = 'en';

/** What words said over the agent are worth. */
export type Weight = 'none' | 'back_channel' | 'words' | 'stop';

/** Weighs what is said over the agent, in one language. */
export type Weigh = (text: string) => Weight;

/** Made once for each language: its patterns are long, and the same for all calls. */
const weighs = new Map<string, Weigh>();

/** @param language a language tag such as `de-AT`; one without lists of its own is weighed as English */
export function weighIn(language: string): Weigh {
  const tag = language.slice(0, 2).toLowerCase();
  const own = tag in BACK_CHANNELS ? tag : USUAL_LANGUAGE;
  const weigh = weighs.get(own) ?? createWeigh(own);
  weighs.set(own, weigh);
  return weigh;
}

function createWeigh(own: string): Weigh {
  const phrases = BACK_CHANNELS[own]!.join('|');
  const begun = phrases.split('|').flatMap(beginnings).join('|');
  const listening = new RegExp(`^(?:(?:${phrases})(?: |$))*(?:${begun})?$`);
  const stopping = new RegExp(`(?:^| )(?:${STOP_WORDS[own]!.join('|')})(?: |$)`);
  return (text) => {
    const words = plain(text);
    if (words === '') return 'none';
    if (listening.test(words)) return 'back_channel';
    return stopping.test(words) ? 'stop' : 'words';
  };
}

/** "got" of "got it": what is said so far may still become an acknowledgement. */
function beginnings(phrase: string): string[] {
  const words = phrase.split(' ');
  return words.slice(1).map((_, count) => words.slice(0, count + 1).join(' '));
}

/** Lower case, without punctuation: "Uh-huh, okay." is "uh huh okay". */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}']+/gu, ' ')
    .trim();
}
