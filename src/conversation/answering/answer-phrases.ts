/** How answering machines and screening services speak, by language; in plain lower-case words. */
interface AnswerPhrases {
  /** Only machines say this: of tones, mailboxes and recordings. */
  machine: readonly string[];
  /** Machines say this, and so do people who answer for somebody else. */
  absent: readonly string[];
  /** A service that asks for name and purpose before it puts anybody through. */
  screening: readonly string[];
}

const PHRASES: Readonly<Record<string, AnswerPhrases>> = {
  en: {
    machine: [
      'after the (?:tone|beep|signal)|at the (?:tone|beep|signal)|(?:voice ?mail|mailbox)|record your message',
      'leave (?:me|us) a message and|get back to you as soon as|your call is important|press (?:one|pound|star|hash|1)',
      'has been forwarded to|automatic voice message|answering (?:machine|service)|when you (?:are|have) finished',
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
    machine: ['nach dem (?:ton|signalton|piepton|piep)|anrufbeantworter|mailbox|sprachbox|aufzeichn'],
    absent: ['nachricht hinterlassen|hinterlassen sie|nicht erreichbar|nicht zu hause|nicht da'],
    screening: ['ihren namen (?:und|nach)|grund ihres anrufs|warum sie anrufen'],
  },
  fr: {
    machine: ['apr[eè]s le (?:bip|signal|ton)|r[eé]pondeur|messagerie|bo[iî]te vocale'],
    absent: ['laissez (?:moi |nous )?un message|pas disponible|absente?|injoignable'],
    screening: ['votre nom et|motif de votre appel|raison de votre appel'],
  },
  es: {
    machine: ['despu[eé]s (?:del tono|de la se[nñ]al)|buz[oó]n|contestador'],
    absent: ['deje (?:un|su) mensaje|no (?:est[aá] )?disponible|no puedo atender'],
    screening: ['su nombre y|motivo de su llamada'],
  },
  it: {
    machine: ['dopo il (?:segnale|bip|tono)|segreteria|casella vocale'],
    absent: ['lasci(?:ate|a)? un messaggio|non (?:è|sono) (?:raggiungibile|disponibile)'],
    screening: ['il suo nome e|motivo della (?:sua )?chiamata'],
  },
  pt: {
    machine: ['ap[oó]s o (?:sinal|bip|tom)|caixa (?:postal|de mensagens)|secret[aá]ria eletr[oô]nica'],
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
  const signs = [
    { kind: 'screening', sign: has('screening') },
    { kind: 'machine', sign: has('machine') },
    { kind: 'absent', sign: has('absent') },
  ] as const;
  return (text) => {
    const words = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
    return signs.find(({ sign }) => sign.test(words))?.kind ?? 'person';
  };
}
