/** How answering machines and screening services speak, by language; in plain lower-case words. */
interface AnswerPhrases {
  /** Only machines say this: of tones and recordings, and what to press. */
  machine: readonly string[];
  /** What a machine calls itself. People speak of such things, too. */
  mailbox: readonly string[];
  /** How machines go on that name themselves. */
  itself: readonly string[];
  /** How people go on who speak of one: they tell what they did, and ask. */
  talk: readonly string[];
  /** Machines say this, and so do people who answer for somebody else. */
  absent: readonly string[];
  /** A service that asks for name and purpose before it puts anybody through. */
  screening: readonly string[];
}

const PHRASES: Readonly<Record<string, AnswerPhrases>> = {
  en: {
    machine: [
      'after the (?:tone|beep|signal)|at the (?:tone|beep|signal)|record your message|when you (?:are|have) finished',
      'leave (?:me|us) a message and|get back to you as soon as|your call is important|press (?:one|pound|star|hash|1)',
      'has been forwarded to|automatic voice message',
    ],
    mailbox: ['(?:voice ?mail|mailbox)|answering (?:machine|service)'],
    itself: [
      '(?<!i )(?:have|ve|you) reached|leave (?:a|me|us|your) (?:message|name)|(?:mailbox|voice ?mail) (?:box|is full|of)|please leave',
      '(?:welcome to|this is) the (?:voice ?mail|mailbox|answering)',
    ],
    talk: [
      'who (?:is|s) (?:this|that|it|there|speaking|calling)|who (?:are|am)|what (?:is|s) (?:this|that|it)|what do you|(?:how )?(?:can|may) i',
      '(?:is|s) (?:this|that|it) (?:a|an|the|your|you|my)|(?:are|did|do|have|had|were|can|could|would) you|hello hello|let me',
      'i (?:was|were|thought|got|had|heard|meant|saw|left|just|forgot|never|usually|did|do|don|didn|received|checked|could)',
      '(?:i (?:have|ve)|we (?:have|ve)) (?:just|been|got|had|heard|no|only)|(?:i (?:am|m)|we (?:are|re)) (?:here|just|checking|listening)',
      'your (?:voice ?mail|message|answering)|sorry about|my (?:voice ?mail|answering machine) (?:picked|came|started|went|is|has)',
      '(?:turn|switch)(?:ed)? (?:it|that|off|the|my)|(?:goes|went|go|going) (?:straight )?to (?:my )?voice ?mail',
    ],
    absent: [
      'leave a message|not available|unavailable|unable to (?:take|answer)|cannot (?:take|come)|not at home',
    ],
    screening: [
      'screening service|call (?:screening|assistant)|(?:say|state|record) your name|reason for (?:your|calling|the call)',
      'why you (?:are|re) calling|who is calling and why',
    ],
  },
  de: {
    machine: ['nach dem (?:ton|signalton|piepton|piep)|aufzeichn'],
    mailbox: ['anrufbeantworter|mailbox|sprachbox'],
    itself: ['(?:anrufbeantworter|mailbox|sprachbox) (?:von|der|des)'],
    talk: [
      'wer (?:ist|sind|spricht)|was (?:ist|wollen|m[oö]chten)|ich (?:habe|hab|hatte|war|dachte|wollte|h[oö]re)|ist (?:das|da)',
      '(?:sind|haben|k[oö]nnen) sie',
    ],
    absent: ['nachricht hinterlassen|hinterlassen sie|nicht erreichbar|nicht zu hause|nicht da'],
    screening: ['ihren namen (?:und|nach)|grund ihres anrufs|warum sie anrufen'],
  },
  fr: {
    machine: ['apr[eè]s le (?:bip|signal|ton)'],
    mailbox: ['r[eé]pondeur|messagerie|bo[iî]te vocale'],
    itself: ['(?:r[eé]pondeur|messagerie|bo[iî]te vocale) (?:de|du|d)'],
    talk: [
      'qui (?:est|[eê]tes|parle)|c est qui|que voulez|j (?:ai|[eé]tais|[eé]coutais)|(?:[eê]tes|avez) vous',
    ],
    absent: ['laissez (?:moi |nous )?un message|pas disponible|absente?|injoignable'],
    screening: ['votre nom et|motif de votre appel|raison de votre appel'],
  },
  es: {
    machine: ['despu[eé]s (?:del tono|de la se[nñ]al)'],
    mailbox: ['buz[oó]n|contestador'],
    itself: ['(?:buz[oó]n(?: de voz)?|contestador(?: autom[aá]tico)?) (?:de|del)(?! voz)'],
    talk: [
      'qui[eé]n (?:es|habla|llama)|qu[eé] (?:quiere|es)|eres (?:un|el)|estaba|escuchando|he (?:o[ií]do|recibido)|pens[eé]',
    ],
    absent: ['deje (?:un|su) mensaje|no (?:est[aá] )?disponible|no puedo atender'],
    screening: ['su nombre y|motivo de su llamada'],
  },
  it: {
    machine: ['dopo il (?:segnale|bip|tono)'],
    mailbox: ['segreteria|casella vocale'],
    itself: ['(?:segreteria(?: telefonica)?|casella vocale) (?:di|del|della)'],
    talk: ['chi (?:è|parla|sei)|cosa (?:vuole|vuoi)|stavo|ascoltando|ho (?:sentito|ricevuto|appena)|pensavo'],
    absent: ['lasci(?:ate|a)? un messaggio|non (?:è|sono) (?:raggiungibile|disponibile)'],
    screening: ['il suo nome e|motivo della (?:sua )?chiamata'],
  },
  pt: {
    machine: ['ap[oó]s o (?:sinal|bip|tom)'],
    mailbox: ['caixa (?:postal|de mensagens)|secret[aá]ria eletr[oô]nica'],
    itself: ['(?:caixa (?:postal|de mensagens)|secret[aá]ria eletr[oô]nica) d[aeo]'],
    talk: [
      'quem (?:é|fala|est[aá])|o que (?:quer|é)|estava|ouvindo|(?:ouvi|recebi|pensei)|eu (?:s[oó]|acabei)',
    ],
    absent: ['deixe (?:uma|sua|a sua) mensagem|n[aã]o (?:est[aá] )?dispon[ií]vel'],
    screening: ['seu nome e|motivo da (?:sua )?(?:chamada|liga[cç][aã]o)'],
  },
};

const USUAL_LANGUAGE = 'en';

/** What the words of whoever answers sound like. */
export type AnswerKind = 'machine' | 'absent' | 'screening' | 'person';

/** @param language a language tag; one without phrases of its own is read as English */
export function createAnswerReader(language: string): (text: string) => AnswerKind {
  const tag = language.slice(0, 2).toLowerCase();
  const phrases = PHRASES[tag] ?? PHRASES[USUAL_LANGUAGE]!;
  const has = (kind: keyof AnswerPhrases) => new RegExp(`(?:^| )(?:${phrases[kind].join('|')})`);
  const [screening, machine, absent] = [has('screening'), has('machine'), has('absent')];
  const [mailbox, itself, talk] = [has('mailbox'), has('itself'), has('talk')];
  const isMailbox = (words: string) => mailbox.test(words) && (itself.test(words) || !talk.test(words));
  return (text) => {
    const words = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
    if (screening.test(words)) return 'screening';
    if ((machine.test(words) && (itself.test(words) || !talk.test(words))) || isMailbox(words))
      return 'machine';
    return absent.test(words) ? 'absent' : 'person';
  };
}
