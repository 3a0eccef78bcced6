import type { LanguageFile } from './language-file.js';

/**
 * French, a built-in language of the service: the sentences that the agent says, and the phrases by which it
 * understands callers and answering machines. `language-file.ts` explains the fields, `phrasing.ts` the notation of
 * phrases: `[…]` may be missing; `(…)*` stands for its words in any order, or none; `_` is any word; `^` and `$` are
 * the ends of the text.
 */
export const french: LanguageFile = {
  language: 'fr',
  usual_tag: 'fr-FR',
  sentences: {
    not_understood: "Excusez-moi, je n'ai pas compris.",
    not_possible: "Je suis désolé, ce n'est pas possible.",
    again: 'Excusez-moi.',
    corrected: "Excusez-moi, c'est mon erreur.",
    still_there: 'Vous êtes toujours là ?',
    cannot_hear: 'Je suis désolé, je ne vous entends pas.',
    nobody_there: 'Je ne vous entends toujours pas, je vais donc raccrocher. Au revoir.',
    goodbye: 'Merci de votre temps. Au revoir.',
    do_not_call: 'Je comprends. Veuillez excuser le dérangement. Au revoir.',
    later: "D'accord, une autre fois alors. Au revoir.",
    later_at: "D'accord, nous vous rappellerons : {{call_back_at}}. Au revoir.",
    no_number:
      'Je suis désolé, votre numéro est masqué, nous ne pouvons donc pas vous appeler. Merci de nous rappeler. Au revoir.',
    time_passed: 'Je suis désolé, ce moment est déjà passé.',
    call_back_when: 'Quand devons-nous vous appeler ?',
    hold: 'Bien sûr, prenez votre temps.',
    person: "Je suis désolé, il n'y a personne d'autre ici que moi, un assistant automatique.",
    not_connected: "Je suis désolé, je n'ai pas pu vous mettre en relation.",
    returned: 'Me revoici. Puis-je faire autre chose pour vous ?',
    wrong_number: 'Excusez-moi, je me suis trompé de numéro. Au revoir.',
    ask_do_not_call: 'Voulez-vous que nous arrêtions de vous appeler à ce numéro ?',
    yes_or_no: 'Répondez par oui ou par non.',
    connecting: 'Un instant, je vous mets en relation.',
    one_moment: 'Un instant.',
    technical_problem:
      "Je suis désolé, j'ai un problème technique et je dois mettre fin à l'appel. Au revoir.",
    is_that_right: "{{value}} : c'est bien ça ?",
    thank_you: 'Merci.',
    anything_to_pass_on: 'Souhaitez-vous que je transmette un message ?',
    leave_a_message: 'Excusez-moi, voulez-vous laisser un message ? Répondez par oui ou par non.',
    what_to_pass_on: 'Que dois-je transmettre ?',
    in_a_few_words: 'Excusez-moi, pouvez-vous le redire en quelques mots ?',
    message_taken: "Merci, c'est noté. Au revoir.",
    no_message: 'Merci de votre temps. Au revoir.',
    could_not_understand: "Je suis désolé, je n'ai pas pu vous comprendre. Merci de votre temps. Au revoir.",
    carrier_greeting: 'Bonjour, merci de votre appel.',
    carrier_apology:
      'Nous sommes désolés, nous ne pouvons pas prendre votre appel. Veuillez réessayer plus tard. Au revoir.',
  },
  wishes: {
    do_not_call: [
      "ne (m'|me|nous) (appelez|appelle|rappelez|rappelle|contactez|téléphonez) (plus|plus jamais|jamais plus)",
      "(arrêtez|cessez|arrête) de (m'|me|nous) (appeler|rappeler|contacter|téléphoner|déranger)",
      '(je|nous) (ne)* (veux|voulons|souhaite|souhaitons) (plus|plus jamais) (être|recevoir) (appelé|appelée|appelés|contacté|contactée|d appels|vos appels|aucun appel)',
      '(retirez|enlevez|supprimez|rayez|effacez) (moi|nous|mon numéro|notre numéro|ce numéro|mes coordonnées) (de (votre|vos|la|cette) (liste|listes|fichier|fichiers|base))*',
      'plus jamais (d appels|d appel)|plus (d appels|d appel|aucun appel) (s il vous plaît)* $',
    ],
    perhaps_do_not_call: [
      'ne _* (appelez|appeler|rappelez|rappeler|contactez|déranger|dérangez) (plus|pas|jamais)',
      '(plus|pas|aucun|arrêtez|arrêter|cessez|marre) [_] [_] (appel|appels|appeler|démarchage|publicité)',
      'tranquille|de votre liste|bloctel|harcèlement|harceler|démarchage',
    ],
    wrong_number: [
      "[vous avez|c'est] (le|un)* (mauvais|faux) numéro|[c'est] [une] erreur de numéro|[vous vous êtes] trompé de numéro|vous vous trompez|il n'y a personne de ce nom",
    ],
    later: [
      '(rappelez|appelez|rappelle) [moi|nous] (plus tard|demain|un autre jour|une autre fois|tout à l heure|dans)',
      'je (conduis|suis (au volant|en réunion|au travail|occupé|occupée))',
      "pas le temps|pas (maintenant|le bon moment)|je ne peux pas (parler|vous parler)|ce n'est pas le moment",
    ],
    goodbye: [
      'au revoir|à bientôt|bonne journée|bonne soirée|je (dois|vais) (raccrocher|y aller|vous laisser)',
    ],
    hold: [
      '(un|une|deux) (instant|moment|seconde|secondes|minute|minutes)|patientez|attendez [une|un]|ne quittez pas|ne raccrochez pas',
    ],
    person: [
      'parler (à|avec) (un|une|quelqu un|votre|le|la|des) (vraie|vrai|autre)* (personne|humain|être humain|conseiller|conseillère|agent|opérateur|responsable|employé)*',
      '(vraie|vrai) (personne|humain)|passez moi (un|une|quelqu un|le|la)|transférez moi|mettez moi en relation',
      "^(un|une) (conseiller|personne|humain|agent) (s'il vous plaît)* $",
    ],
    who: [
      "(c'est|qui) (qui|est ce|êtes vous|est à l appareil|parle|m appelle|appelle)|qui est (ce|là)|c'est à quel sujet|de quoi s'agit il|que voulez vous|pourquoi (m appelez vous|vous m appelez|vous appelez)",
      "(êtes vous|vous êtes|c'est) (un|une) (robot|machine|ordinateur|répondeur|humain)|où avez vous (eu|trouvé) mon numéro",
      'votre nom et|(motif|raison) de votre appel',
    ],
    repeat: [
      '(vous pouvez|pouvez vous|peux tu) (répéter|redire)|répétez|comment $|pardon $|vous (dites|disiez)|qu avez vous dit',
      '(pas|mal) (compris|entendu)|je (ne)* (vous)* (comprends|entends) pas|plus (fort|lentement)|vous m entendez',
      '^(allô|oui allô|bonjour|bonsoir) $',
    ],
    fillers: [
      "merci|merci beaucoup|s'il vous plaît|s'il te plaît|bon|bien|très bien|ok|okay|d'accord|oui|non|alors|donc|euh|ben|ah|oh|excusez moi|désolé|désolée|pardon|monsieur|madame|je|voudrais|veux|juste|à vous aussi",
    ],
  },
  answers: {
    yes: [
      "oui|ouais|ouep|d'accord|bien sûr|volontiers|certainement|absolument|tout à fait|exactement|exact|c'est (ça|bon|exact|juste|parfait)|parfait|ok|okay|avec plaisir|entendu|ça (me)* (va|convient)|pourquoi pas|pas de problème|aucun problème|sans problème",
      '(je|on|nous) (viens|viendrai|vient|viendrons|serai là)',
    ],
    no: [
      "non|nan|pas|jamais|aucun|aucune|pas du tout|absolument pas|bien sûr que non|plutôt pas|c'est faux|non merci|sûrement pas|certainement pas",
    ],
    unsure: [
      "peut être|je (ne)* sais pas|(je suis|c'est) pas sûr|pas sûre|ça dépend|on verra|je vais voir|aucune idée",
    ],
  },
  overlap: {
    back_channels: [
      "ah|hm|hmm|mh|oui|ouais|ok|okay|d'accord|bien|très bien|voilà|exactement|je vois|je comprends|bien sûr|merci|entendu",
    ],
    stop_words: ['stop|attendez|attends|arrêtez|non|pas|mais|jamais|pardon|assez'],
  },
  machines: {
    machine: ['après le (bip|signal|ton)'],
    mailbox: ['répondeur|messagerie|boîte vocale'],
    itself: ['(répondeur|messagerie|boîte vocale) (de|du|d)'],
    talk: ['qui (est|êtes|parle)', 'c est qui|que voulez', 'j (ai|étais|écoutais)', '(êtes|avez) vous'],
    absent: ['laissez [moi|nous] un message', 'pas disponible|absente?|injoignable'],
    screening: ['votre nom et', '(motif|raison) de votre appel'],
    full: [
      '(messagerie [vocale]|boîte vocale) est pleine|répondeur est plein',
      'plus (recevoir|enregistrer) (de|d) _',
    ],
  },
  moments: {
    today: ["aujourd'hui"],
    tomorrow: ['demain'],
    day_after_tomorrow: ['après demain'],
    noon: ['midi'],
    midnight: ['minuit'],
    hour: ['heures|heure|h'],
    afternoon: ["de l'après midi|du soir|cet après midi|ce soir"],
    not_read: ['demie|demi|quart|moins'],
    numbers: [
      'zéro',
      'un|une',
      'deux',
      'trois',
      'quatre',
      'cinq',
      'six',
      'sept',
      'huit',
      'neuf',
      'dix',
      'onze',
      'douze',
    ],
  },
  signs: {
    at: 'arobase',
    dot: 'point',
    slash: 'barre oblique',
    dash: 'tiret',
    underscore: 'tiret bas',
    and: 'et',
    equals: 'égale',
    plus: 'plus',
    percent: 'pour cent',
    degrees: 'degrés',
  },
};
