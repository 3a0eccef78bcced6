/** What callers and machines say, by language: each list is read by the lists of the language as it says. */
interface SaidInLanguage {
  doNotCall: readonly string[];
  /** Perhaps no more calls: worth a question, and no more. */
  doubted: readonly string[];
  person: readonly string[];
  hold: readonly string[];
  goodbye: readonly string[];
  who: readonly string[];
  repeat: readonly string[];
  wrongNumber: readonly string[];
  later: readonly string[];
  yes: readonly string[];
  no: readonly string[];
  unsure: readonly string[];
  /** Answers to an open question, and no wish at all. */
  free: readonly string[];
  machine: readonly string[];
  screening: readonly string[];
  fullMailbox: readonly string[];
  /** Said over the agent: it goes on, or it stops. */
  backChannel: readonly string[];
  stop: readonly string[];
}

export const SAID: Readonly<Record<string, SaidInLanguage>> = {
  de: {
    doNotCall: [
      'Rufen Sie mich bitte nie wieder an!',
      'Rufen Sie hier nicht mehr an.',
      'Ich möchte nicht mehr angerufen werden.',
      'Ich will keine Anrufe mehr.',
      'Streichen Sie mich bitte von Ihrer Liste.',
      'Nein, löschen Sie meine Nummer.',
    ],
    doubted: ['Bitte rufen Sie mich abends nicht an', 'Lassen Sie mich in Ruhe', 'Hören Sie doch auf'],
    person: [
      'Ich möchte mit einem Menschen sprechen',
      'Verbinden Sie mich bitte',
      'Mit jemandem sprechen, bitte',
    ],
    hold: ['Einen Moment bitte', 'Moment mal', 'Augenblick bitte', 'Warten Sie'],
    goodbye: ['Auf Wiederhören', 'Danke, tschüss!', 'Ich muss jetzt auflegen', 'Tschüß'],
    who: ['Wer ist da?', 'Mit wem spreche ich?', 'Worum geht es denn?', 'Sind Sie ein Roboter?'],
    repeat: ['Wie bitte?', 'Das habe ich nicht verstanden', 'Noch einmal bitte', 'Hallo?'],
    wrongNumber: ['Sie sind falsch verbunden', 'Da haben Sie sich verwählt'],
    later: ['Rufen Sie mich bitte morgen an', 'Es passt gerade nicht', 'Ich bin gerade im Auto'],
    yes: ['Ja', 'Ja, gerne', 'Klar', 'Das passt', 'Auf jeden Fall', 'Kein Problem', 'Ja genau'],
    no: ['Nein', 'Nein danke', 'Nee', 'Lieber nicht', 'Das passt mir nicht', 'Auf keinen Fall'],
    unsure: ['Vielleicht', 'Ich weiß nicht', 'Mal sehen'],
    free: ['Ich komme am Dienstag um drei', 'Sagen Sie ihr, dass der Termin verschoben ist'],
    machine: [
      'Bitte hinterlassen Sie eine Nachricht nach dem Signalton',
      'Hier ist die Mailbox von Jordan Miller',
    ],
    screening: ['Nennen Sie bitte Ihren Namen und den Grund Ihres Anrufs'],
    fullMailbox: ['Die Mailbox ist leider voll'],
    backChannel: ['mhm', 'ja ja okay', 'alles klar', 'ach so'],
    stop: ['nein', 'Moment', 'halt stopp', 'aber das stimmt ja'],
  },
  fr: {
    doNotCall: [
      "Ne m'appelez plus, s'il vous plaît.",
      'Arrêtez de m’appeler !',
      'Je ne veux plus être appelé.',
      'Retirez mon numéro de votre liste.',
    ],
    doubted: [
      'Ne me dérangez pas au travail',
      "Ne m'appelez pas demain",
      'Laissez-moi tranquille',
      "J'en ai marre de ces appels",
    ],
    person: ['Je voudrais parler à une personne', 'Passez-moi un conseiller', 'Parler à quelqu’un'],
    hold: ['Un instant', 'Attendez une minute', 'Ne quittez pas'],
    goodbye: ['Au revoir', 'Merci, bonne journée', 'Je dois raccrocher'],
    who: ['Qui est à l’appareil ?', "C'est qui ?", 'De quoi s’agit-il ?', 'Vous êtes un robot ?'],
    repeat: ['Vous pouvez répéter ?', "Je n'ai pas compris", 'Pardon', 'Allô ?'],
    wrongNumber: ['Vous avez le mauvais numéro', "C'est une erreur de numéro"],
    later: ['Rappelez-moi plus tard', 'Je suis en réunion', "Je n'ai pas le temps"],
    yes: ['Oui', 'Oui, bien sûr', "D'accord", 'Pas de problème', 'Ça me convient', 'Volontiers'],
    no: ['Non', 'Non merci', 'Pas du tout', 'Sûrement pas'],
    unsure: ['Peut-être', 'Je ne sais pas', 'Ça dépend'],
    free: ['Dites-lui que je viendrai mardi', 'La livraison est arrivée ce matin'],
    machine: ['Laissez un message après le bip', 'Vous êtes bien sur la messagerie de Jordan'],
    screening: ['Dites votre nom et le motif de votre appel'],
    fullMailbox: ['La messagerie vocale est pleine'],
    backChannel: ['oui oui', "d'accord", 'je vois', 'très bien'],
    stop: ['non', 'attendez', 'mais pardon'],
  },
  es: {
    doNotCall: [
      'Sáqueme de su lista.',
      'No me llame más, por favor.',
      'No me vuelvan a llamar.',
      'Dejen de llamarme.',
      'Borre mi número de su lista.',
    ],
    doubted: ['No quiero que llamen a mi madre', 'Déjeme en paz', 'Basta ya de llamadas'],
    person: ['Quiero hablar con una persona', 'Páseme con el encargado', 'Una operadora, por favor'],
    hold: ['Un momento', 'Espere un segundo', 'No cuelgue'],
    goodbye: ['Adiós', 'Gracias, hasta luego', 'Tengo que colgar'],
    who: ['¿Quién es?', '¿De parte de quién?', '¿Con quién hablo?', '¿Es usted un robot?'],
    repeat: ['¿Puede repetir?', 'No le entiendo', '¿Cómo dice?', '¿Diga?'],
    wrongNumber: ['Se ha equivocado de número', 'Es un número equivocado'],
    later: ['Llámeme más tarde', 'Estoy conduciendo', 'Ahora no puedo'],
    yes: ['Sí', 'Sí, claro', 'Por supuesto', 'De acuerdo', 'No hay problema', 'Me viene bien'],
    no: ['No', 'No, gracias', 'Para nada', 'Claro que no'],
    unsure: ['Quizás', 'No sé', 'Tal vez'],
    free: [
      'Quite la cita del martes',
      'Elimine la reserva, por favor',
      'Dígale que llego el martes',
      'El paquete llegó esta mañana',
    ],
    machine: ['Deje su mensaje después del tono', 'Este es el buzón de voz de Jordan'],
    screening: ['Diga su nombre y el motivo de su llamada'],
    fullMailbox: ['El buzón de voz está lleno'],
    backChannel: ['sí sí', 'vale', 'ya veo', 'claro'],
    stop: ['no', 'espere', 'pero perdón'],
  },
  it: {
    doNotCall: [
      'Toglietemi dalla vostra lista.',
      'Non mi chiami più.',
      'Non chiamate mai più.',
      'Smettetela di chiamarmi!',
      'Cancelli il mio numero.',
    ],
    doubted: ['Non voglio che chiamiate qui', 'Lasciatemi in pace', 'Basta con queste telefonate'],
    person: ['Vorrei parlare con una persona', 'Mi passi un operatore', 'Un operatore per favore'],
    hold: ['Un momento', 'Aspetti un attimo', 'Resti in linea'],
    goodbye: ['Arrivederci', 'Grazie, buona giornata', 'Devo riagganciare'],
    who: ['Chi è?', 'Con chi parlo?', 'Di cosa si tratta?', 'Lei è un robot?'],
    repeat: ['Può ripetere?', 'Non ho capito', 'Come ha detto?', 'Pronto?'],
    wrongNumber: ['Ha sbagliato numero', 'È un numero sbagliato'],
    later: ['Mi richiami più tardi', 'Sto guidando', 'Non ho tempo'],
    yes: ['Sì', 'Sì, certo', 'Va bene', "D'accordo", 'Nessun problema', 'Volentieri'],
    no: ['No', 'No grazie', 'Per niente', 'Assolutamente no'],
    unsure: ['Forse', 'Non lo so', 'Dipende'],
    free: [
      "Cancelli l'appuntamento di martedì",
      'Elimini la prenotazione, per favore',
      'Gli dica che arrivo martedì',
      'Il pacco è arrivato stamattina',
    ],
    machine: [
      'Lasciate un messaggio dopo il segnale acustico',
      'Risponde la segreteria telefonica di Jordan',
    ],
    screening: ['Dica il suo nome e il motivo della sua chiamata'],
    fullMailbox: ['La segreteria telefonica è piena'],
    backChannel: ['sì sì', 'va bene', 'ho capito', "d'accordo"],
    stop: ['no', 'aspetti', 'ma scusi'],
  },
  pt: {
    doNotCall: [
      'Tire meu número da sua lista.',
      'Me tirem dessa lista.',
      'Não me ligue mais.',
      'Não liguem nunca mais.',
      'Parem de me ligar!',
      'Tire meu número da sua lista.',
    ],
    doubted: ['Não quero que liguem para minha mãe', 'Me deixe em paz', 'Chega de ligações'],
    person: ['Quero falar com uma pessoa', 'Me transfira', 'Um atendente, por favor'],
    hold: ['Um momento', 'Espere um minuto', 'Não desligue'],
    goodbye: ['Tchau', 'Obrigado, até logo', 'Tenho que desligar'],
    who: ['Quem é?', 'Quem está falando?', 'Do que se trata?', 'Você é um robô?'],
    repeat: ['Pode repetir?', 'Não entendi', 'O que você disse?', 'Alô?'],
    wrongNumber: ['Foi engano', 'É o número errado'],
    later: ['Me liga mais tarde', 'Estou dirigindo', 'Não posso falar'],
    yes: ['Sim', 'Sim, claro', 'Com certeza', 'Tá bom', 'Sem problema', 'Isso mesmo'],
    no: ['Não', 'Não, obrigado', 'De jeito nenhum', 'Claro que não'],
    unsure: ['Talvez', 'Não sei', 'Depende'],
    free: [
      'Apague a reserva',
      'Retire o pedido, por favor',
      'Diga que chego na terça',
      'O pacote chegou hoje de manhã',
    ],
    machine: ['Deixe sua mensagem após o sinal', 'Esta é a caixa postal de Jordan'],
    screening: ['Diga seu nome e o motivo da ligação'],
    fullMailbox: ['A caixa postal está cheia'],
    backChannel: ['sim sim', 'tá bom', 'entendi', 'certo'],
    stop: ['não', 'espere', 'mas desculpe'],
  },
};
