import type { LanguageFile } from './language-file.js';

/**
 * Spanish, a built-in language of the service: the sentences that the agent says, and the phrases by which it
 * understands callers and answering machines. `language-file.ts` explains the fields, `phrasing.ts` the notation of
 * phrases.
 */
export const spanish: LanguageFile = {
  language: 'es',
  usual_tag: 'es-ES',
  sentences: {
    not_understood: 'Perdone, no le he entendido.',
    not_possible: 'Lo siento, eso no es posible.',
    again: 'Perdone.',
    corrected: 'Perdone, me he equivocado.',
    still_there: '¿Sigue ahí?',
    cannot_hear: 'Lo siento, no le oigo.',
    nobody_there: 'Sigo sin oírle, así que voy a colgar. Adiós.',
    goodbye: 'Gracias por su tiempo. Adiós.',
    do_not_call: 'Entiendo. Disculpe la molestia. Adiós.',
    later: 'De acuerdo, en otro momento entonces. Adiós.',
    later_at: 'De acuerdo, le llamaremos: {{call_back_at}}. Adiós.',
    no_number:
      'Lo siento, su número está oculto y no podemos llamarle. Por favor, vuelva a llamarnos. Adiós.',
    time_passed: 'Lo siento, ese momento ya ha pasado.',
    call_back_when: '¿Cuándo quiere que le llamemos?',
    hold: 'Por supuesto, tómese su tiempo.',
    person: 'Lo siento, aquí no hay nadie más que yo, un asistente automático.',
    not_connected: 'Lo siento, no he podido pasarle la llamada.',
    returned: 'Ya estoy de vuelta. ¿Puedo ayudarle en algo más?',
    wrong_number: 'Perdone, me he equivocado de número. Adiós.',
    ask_do_not_call: '¿Quiere que dejemos de llamar a este número?',
    yes_or_no: 'Por favor, diga sí o no.',
    connecting: 'Un momento, le paso.',
    one_moment: 'Un momento.',
    technical_problem: 'Lo siento, tengo un problema técnico y debo terminar la llamada. Adiós.',
    is_that_right: '{{value}}: ¿es correcto?',
    thank_you: 'Gracias.',
    anything_to_pass_on: '¿Quiere que transmita algún mensaje?',
    leave_a_message: 'Perdone, ¿quiere dejar un mensaje? Por favor, diga sí o no.',
    what_to_pass_on: '¿Qué mensaje quiere dejar?',
    in_a_few_words: 'Perdone, ¿puede repetirlo en pocas palabras?',
    message_taken: 'Gracias, he tomado nota. Adiós.',
    no_message: 'Gracias por su tiempo. Adiós.',
    could_not_understand: 'Lo siento, no he podido entenderle. Gracias por su tiempo. Adiós.',
    carrier_greeting: 'Hola, gracias por llamar.',
    carrier_apology:
      'Lo sentimos, ahora no podemos atender su llamada. Por favor, inténtelo más tarde. Adiós.',
  },
  wishes: {
    do_not_call: [
      '(no|nunca) (me|nos) (vuelva|vuelvan|vuelvas) a (llamar|contactar|molestar)',
      '(no|nunca) (me|nos) (llame|llamen|llames|contacte|contacten) (más|nunca|nunca más|jamás|otra vez)',
      '(deje|dejen|deja) de (llamarme|llamarnos|llamar|molestarme|molestar)',
      'no (quiero|queremos|deseo) (recibir)* (más|ninguna) (llamadas|llamada)',
      'no (quiero|queremos|deseo) que (me|nos) (llamen|llame|llames|vuelvan a llamar|vuelva a llamar) (más|nunca más|otra vez)*',
      '(borre|borren|quite|quiten|elimine|eliminen|saque|saquen) [por favor] (mi número|nuestro número|este número|mis datos)',
      '(bórreme|bórrenme|quíteme|quítenme|sáqueme|sáquenme|elimíneme|elimínenme) [por favor] de (su|la|esta|sus|las) (lista|listas|base de datos|base)',
      'ni una llamada más',
    ],
    perhaps_do_not_call: [
      'no [_] [_] (llame|llamen|llamar|llamadas|llamada|contacten|molesten|molestar)',
      '(basta|harto|harta|dejen|deje) [_] [_] (llamadas|llamar|llamarme)|en paz|de (su|la) lista|acoso|publicidad|lista robinson',
    ],
    wrong_number: [
      'número equivocado|se (ha)* (equivocado|equivoca|equivocó) [de número]|aquí no (vive|hay) (nadie|ningún|ninguna)|no es aquí',
    ],
    later: [
      '(llámeme|llame|llámame|llámenos) (más tarde|mañana|luego|después|otro día|en otro momento)',
      '(estoy|voy) (conduciendo|manejando|en una reunión|en el trabajo|ocupado|ocupada)',
      'no (tengo tiempo|puedo hablar|es buen momento)|ahora no (puedo|es)',
    ],
    goodbye: [
      'adiós|hasta (luego|pronto|mañana|la vista)|chao|chau|que tenga (un)* buen día|tengo que (colgar|irme|dejarle)|me tengo que ir',
    ],
    hold: [
      '(un|una|deme un|espere un) (momento|momentito|segundo|minuto|instante)|espere [un]|no cuelgue|aguarde',
    ],
    person: [
      '(hablar|hable|comunicarme|comuníqueme) con (una|un|alguien|algún|el|la|su) (persona|humano|agente|operador|operadora|encargado|responsable|asesor|supervisor|real)*',
      '(persona|humano) (real|de verdad)|páseme (con|a)|transfiérame|comuníqueme',
      '^(una|un) (persona|agente|operador|operadora|humano) (por favor)* $',
    ],
    who: [
      '(quién|con quién) (es|habla|llama|hablo|me llama|está llamando)|de parte de quién|de qué se trata|qué (quiere|quieren|desea)|por qué (me)* (llama|llaman)|para qué (me)* (llama|llaman)',
      '(es|eres|es usted) (un|una) (robot|máquina|grabación|persona|computadora|ordenador)|de dónde (llama|llaman|ha sacado mi número)',
      'su nombre y|motivo de su llamada',
    ],
    repeat: [
      '(puede|puedes|podría) (repetir|repetirlo|decirlo otra vez)|repita|repítalo|cómo (dice|dijo)|qué (ha dicho|dijo|dice)|otra vez por favor|^(cómo|perdón|perdone|mande|qué) $',
      'no (le|lo|te)* (entiendo|entendí|he entendido|oigo|escucho|oí)|más (alto|despacio|fuerte)|me (oye|escucha)',
      '^(hola|sí hola|diga|dígame|bueno|buenos días|buenas tardes|buenas noches|aló) $',
    ],
    fillers: [
      'gracias|muchas gracias|por favor|bueno|bien|muy bien|vale|ok|okay|de acuerdo|sí|no|pues|entonces|eh|ah|oh|perdone|perdón|lo siento|señor|señora|quiero|quisiera|solo|igualmente',
    ],
  },
  answers: {
    yes: [
      'sí|si|claro|claro que sí|por supuesto|desde luego|vale|de acuerdo|correcto|exacto|exactamente|así es|bueno|perfecto|ok|okay|está bien|me (viene|va) bien|con (mucho)* gusto|cómo no|encantado|encantada|sin problema|ningún problema|no hay problema|efectivamente|por qué no',
    ],
    no: [
      'no|nunca|jamás|para nada|en absoluto|claro que no|de ninguna manera|tampoco|no gracias|ningún|ninguna|negativo|incorrecto',
    ],
    unsure: [
      'quizás|quizá|tal vez|a lo mejor|no (lo)* sé|no estoy (seguro|segura)|depende|ya veremos|puede ser|ni idea',
    ],
  },
  overlap: {
    back_channels: [
      'ah|ajá|mm|hm|sí|si|ok|okay|vale|bien|muy bien|bueno|claro|exacto|ya|ya veo|entiendo|de acuerdo|gracias',
    ],
    stop_words: ['para|pare|espere|espera|no|pero|nunca|basta|perdón'],
  },
  machines: {
    machine: ['después (del tono|de la señal)'],
    mailbox: ['buzón|contestador'],
    itself: ['(buzón [de voz]|contestador [automático]) (del|de !(voz))'],
    talk: [
      'quién (es|habla|llama)',
      'qué (quiere|es)',
      'eres (un|el)',
      'estaba|escuchando|pensé',
      'he (oído|recibido)',
    ],
    absent: ['deje (un|su) mensaje', 'no [está] disponible', 'no puedo atender'],
    screening: ['su nombre y', 'motivo de su llamada'],
    full: [
      '(buzón [de voz]|contestador [automático]) está lleno',
      'no (puede|acepta|admite) [recibir|grabar] [más|nuevos] mensajes',
    ],
  },
  moments: {
    today: ['hoy'],
    tomorrow: ['mañana'],
    day_after_tomorrow: ['pasado mañana'],
    noon: ['mediodía'],
    midnight: ['medianoche'],
    hour: ['horas|hora|en punto|h|a las|a la'],
    afternoon: ['de la tarde|de la noche|por la tarde|por la noche|esta tarde|esta noche'],
    not_read: ['y media|media|cuarto|menos'],
    numbers: [
      'cero',
      'uno|una|un',
      'dos',
      'tres',
      'cuatro',
      'cinco',
      'seis',
      'siete',
      'ocho',
      'nueve',
      'diez',
      'once',
      'doce',
    ],
  },
  signs: {
    at: 'arroba',
    dot: 'punto',
    slash: 'barra',
    dash: 'guion',
    underscore: 'guion bajo',
    and: 'y',
    equals: 'igual a',
    plus: 'más',
    percent: 'por ciento',
    degrees: 'grados',
  },
};
