import type { LanguageFile } from './language-file.js';

/**
 * German, a built-in language of the service: the sentences that the agent says, and the phrases by which it
 * understands callers and answering machines. `language-file.ts` explains the fields, `phrasing.ts` the notation of
 * phrases: `[…]` may be missing; `(…)*` stands for its words in any order, or none; `_` is any word; `^` and `$` are
 * the ends of the text.
 */
export const german: LanguageFile = {
  language: 'de',
  usual_tag: 'de-DE',
  sentences: {
    not_understood: 'Entschuldigung, das habe ich nicht verstanden.',
    not_possible: 'Das ist leider nicht möglich.',
    again: 'Entschuldigung.',
    corrected: 'Entschuldigung, mein Fehler.',
    still_there: 'Sind Sie noch da?',
    cannot_hear: 'Ich kann Sie leider nicht hören.',
    nobody_there: 'Ich kann Sie immer noch nicht hören und lege jetzt auf. Auf Wiederhören.',
    goodbye: 'Vielen Dank für Ihre Zeit. Auf Wiederhören.',
    do_not_call: 'Ich verstehe. Bitte entschuldigen Sie die Störung. Auf Wiederhören.',
    later: 'In Ordnung, dann ein anderes Mal. Auf Wiederhören.',
    later_at: 'In Ordnung, Sie hören von uns: {{call_back_at}}. Auf Wiederhören.',
    no_number:
      'Ihre Nummer ist leider unterdrückt, deshalb können wir Sie nicht anrufen. Bitte rufen Sie wieder an. Auf Wiederhören.',
    time_passed: 'Dieser Zeitpunkt ist leider schon vorbei.',
    call_back_when: 'Wann sollen wir Sie anrufen?',
    hold: 'Natürlich, lassen Sie sich Zeit.',
    person: 'Es ist leider niemand hier außer mir, einem automatischen Assistenten.',
    not_connected: 'Ich konnte Sie leider nicht verbinden.',
    returned: 'Da bin ich wieder. Kann ich sonst noch etwas für Sie tun?',
    wrong_number: 'Entschuldigung, dann habe ich mich verwählt. Auf Wiederhören.',
    ask_do_not_call: 'Möchten Sie, dass wir diese Nummer nicht mehr anrufen?',
    yes_or_no: 'Bitte sagen Sie Ja oder Nein.',
    connecting: 'Einen Moment, ich verbinde Sie.',
    one_moment: 'Einen Moment.',
    technical_problem:
      'Es tut mir leid, ich habe ein technisches Problem und muss das Gespräch beenden. Auf Wiederhören.',
    is_that_right: '{{value}}: ist das richtig?',
    thank_you: 'Danke.',
    anything_to_pass_on: 'Gibt es etwas, das ich ausrichten soll?',
    leave_a_message: 'Entschuldigung, möchten Sie eine Nachricht hinterlassen? Bitte sagen Sie Ja oder Nein.',
    what_to_pass_on: 'Was soll ich ausrichten?',
    in_a_few_words: 'Entschuldigung, könnten Sie das noch einmal in wenigen Worten sagen?',
    message_taken: 'Danke, das habe ich notiert. Auf Wiederhören.',
    no_message: 'Vielen Dank für Ihre Zeit. Auf Wiederhören.',
    could_not_understand:
      'Es tut mir leid, ich konnte Sie nicht verstehen. Vielen Dank für Ihre Zeit. Auf Wiederhören.',
    carrier_greeting: 'Guten Tag, vielen Dank für Ihren Anruf.',
    carrier_apology:
      'Leider können wir Ihren Anruf gerade nicht annehmen. Bitte versuchen Sie es später noch einmal. Auf Wiederhören.',
  },
  wishes: {
    do_not_call: [
      '(rufen|ruf|ruft) (sie|mich|uns|hier|bitte|einfach|doch|diese nummer)* (nie|niemals|nicht) (mehr|wieder) [wieder] an',
      '(möchte|will|möchten|wollen) (ich|wir|bitte|von ihnen|hier)* (nie|nicht|niemals) (mehr|wieder)* angerufen werden',
      '(möchte|will|wünsche|möchten|wollen|wünschen) (ich|wir|bitte|von ihnen)* keine (weiteren|ihrer|solche|solchen)* (anrufe|werbeanrufe) mehr',
      '(streichen|nehmen|löschen|entfernen|streich|nimm|lösch) (sie|mich|uns|bitte|diese nummer|meine nummer|unsere nummer|meine daten)* (von|aus) (der|ihrer|ihren|dieser|eurer) (liste|listen|anrufliste|kartei|datenbank)',
      '(löschen|lösch|löscht) (sie|bitte)* (meine|unsere|diese) (nummer|telefonnummer|daten)',
      'hören sie [bitte|endlich] auf (mich|uns|hier)* anzurufen',
      'nie (mehr|wieder) (bei mir|bei uns|hier|mich|uns) (anrufen|an)',
    ],
    perhaps_do_not_call: [
      '(ruf|rufen|ruft) _* (nicht|nie|niemals|keine) _* an',
      '(nicht|nie|niemals|kein|keine|keinen) [_] [_] (anrufe|anrufen|angerufen|anzurufen|telefonieren|werbung)',
      'in ruhe|(von|aus) (der|ihrer|eurer) liste|belästig|belästigen|belästigung|werbeanruf|werbeanrufe',
      '(hör|hören|hört) _* auf',
    ],
    wrong_number: [
      '[sie sind] falsch verbunden|falsche nummer|[da] (haben|hast) (sie|sich|da|wohl)* verwählt|verwählt',
      'hier (gibt es|wohnt) (keinen|keine|niemand|kein)',
    ],
    later: [
      '(rufen|ruf) (sie|mich|uns|bitte|doch)* (später|morgen|nachher|ein andermal|ein anderes mal|noch einmal|nochmal|wieder|zurück)* an',
      '(später|morgen|nachher) (noch einmal|nochmal|wieder) anrufen',
      'ich (bin|sitze) (gerade|im moment|jetzt)* (im auto|am steuer|in einer besprechung|bei der arbeit|auf der arbeit|unterwegs)',
      '(passt|geht) (es|mir|gerade|jetzt|das)* (gerade|jetzt|im moment) nicht|keine zeit',
    ],
    goodbye: [
      'auf (wiedersehen|wiederhören)|wiedersehen|wiederhören|tschüss|tschau|ciao|bis (bald|dann|später)',
      'ich muss (jetzt|leider)* (auflegen|los|weg|gehen|schluss machen)|ich lege auf',
    ],
    hold: [
      '(einen|ein) (moment|augenblick|sekunde)|moment (bitte|mal)|eine (sekunde|minute)|sekunde (bitte|mal)|augenblick (bitte|mal)',
      'warten sie|warte mal|bleiben sie (dran|in der leitung)|^moment $|ich (hole|suche) (kurz|schnell|mal)* (einen|was|etwas|meinen)',
    ],
    person: [
      '(mit|zu) (einem|einer|einen|jemandem|jemand|dem|der) [echten|richtigen|menschlichen] (menschen|mensch|person|mitarbeiter|mitarbeiterin|berater|beraterin|kollegen|kollegin|chef)',
      'mit (jemandem|jemand) (sprechen|reden)|(echte|echten|richtige|richtigen) (menschen|person)|verbinden sie mich',
      '^(ein|einen) (mensch|menschen|mitarbeiter) [bitte] $',
    ],
    who: [
      'wer (ist|sind|spricht) (da|denn|dort|sie|das|hier)*|mit wem (spreche|rede)|worum geht es|um was geht es|was wollen sie',
      'sind sie (ein|eine) (roboter|maschine|computer|bot|mensch)|woher haben sie meine nummer|warum rufen sie an',
      '(ihren|deinen) namen (und|nach)|grund ihres anrufs',
    ],
    repeat: [
      'wie bitte|was (haben|hatten) sie gesagt|noch (einmal|mal) [bitte]|nochmal|wiederholen sie|können sie das wiederholen',
      'nicht verstanden|verstehe (sie|ich)* nicht|(lauter|langsamer) [bitte] $|hören sie mich|sind sie noch da',
      '^(hallo|ja hallo|bitte|guten (tag|morgen|abend)) $',
    ],
    fillers: [
      'danke|vielen dank|danke schön|dankeschön|bitte|bitte schön|ok|okay|gut|na gut|also|ja|nein|entschuldigung|tut mir leid|so|dann|schön|alles klar|äh|ähm|hm|oh|ach|doch|mal|noch|ich|möchte|will|nur|schönen tag [noch]|ihnen|gleichfalls',
    ],
  },
  answers: {
    yes: [
      'ja|jawohl|jo|jep|klar|na klar|gerne|gern|sicher|sicherlich|natürlich|selbstverständlich|genau|richtig|stimmt|in ordnung|ok|okay|einverstanden|auf jeden fall|unbedingt|passt|sehr gern',
      '(das) (passt|geht|stimmt)|kein problem|(ich|wir) (komme|kommen)|warum nicht|nichts dagegen',
    ],
    no: [
      'nein|nee|nö|ne|nicht|auf keinen fall|keinesfalls|keineswegs|niemals|nie|lieber nicht|leider nicht|kein|keine|keinen',
      '[das|es|ich|wir] (passt|geht|stimmt|komme|kommen) (mir|uns|leider|das|da|es)* nicht|nein danke|falsch',
    ],
    unsure: [
      'vielleicht|weiß (ich)* nicht|keine ahnung|mal sehen|kommt darauf an|kommt drauf an|bin (mir)* nicht sicher|eventuell|möglicherweise',
    ],
  },
  overlap: {
    back_channels: [
      'ah|aha|mhm|hm|hmm|ja|jaja|ok|okay|gut|genau|richtig|stimmt|klar|alles klar|verstehe|ich verstehe|so',
      'in ordnung|natürlich|danke|bitte|ach so|na gut',
    ],
    stop_words: ['stopp|stop|halt|warte|warten|moment|nein|nicht|nie|aber|genug|entschuldigung'],
  },
  machines: {
    machine: ['nach dem (ton|signalton|piepton|piep)', 'aufzeichnen|aufzeichnung|aufgezeichnet'],
    mailbox: ['anrufbeantworter|mailbox|sprachbox'],
    itself: ['(anrufbeantworter|mailbox|sprachbox) (von|der|des)'],
    talk: [
      'wer (ist|sind|spricht)',
      'was (ist|wollen|möchten)',
      'ich (habe|hab|hatte|war|dachte|wollte|höre)',
      'ist (das|da)',
      '(sind|haben|können) sie',
    ],
    absent: [
      'nachricht hinterlassen|hinterlassen sie',
      'nicht (erreichbar|zu hause|da)',
      'nicht (ans|an das) telefon',
    ],
    screening: ['ihren namen (und|nach)', 'grund ihres anrufs|warum sie anrufen'],
    full: [
      '(mailbox|anrufbeantworter|sprachbox|speicher) ist (leider|zurzeit)* voll',
      'keine (neuen|weiteren) nachrichten',
    ],
  },
  moments: {
    today: ['heute'],
    tomorrow: ['morgen'],
    day_after_tomorrow: ['übermorgen'],
    noon: ['mittag|mittags|zwölf uhr mittags'],
    midnight: ['mitternacht'],
    hour: ['uhr'],
    afternoon: ['nachmittag|nachmittags|abend|abends|am nachmittag|am abend'],
    not_read: ['halb|viertel|dreiviertel|kurz vor|kurz nach|fünf vor|zehn vor|fünf nach|zehn nach'],
    numbers: [
      'null',
      'eins|ein|eine|einen',
      'zwei|zwo',
      'drei',
      'vier',
      'fünf',
      'sechs',
      'sieben',
      'acht',
      'neun',
      'zehn',
      'elf',
      'zwölf',
    ],
  },
  signs: {
    at: 'ät',
    dot: 'Punkt',
    slash: 'Schrägstrich',
    dash: 'Bindestrich',
    underscore: 'Unterstrich',
    and: 'und',
    equals: 'gleich',
    plus: 'plus',
    percent: 'Prozent',
    degrees: 'Grad',
  },
};
