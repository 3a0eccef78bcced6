import type { AnswerWays } from './answer-ways.js';
import { answerWaysEnglish } from './answer-ways-english.js';
import { phrasings } from '#language/phrasing.js';

const says = phrasings({});

/** By language. */
export const ANSWER_WAYS: Readonly<Record<string, AnswerWays>> = {
  en: answerWaysEnglish,
  de: {
    machine: says('nach dem (ton|signalton|piepton|piep)', 'aufzeichnen|aufzeichnung|aufgezeichnet'),
    mailbox: says('anrufbeantworter|mailbox|sprachbox'),
    itself: says('(anrufbeantworter|mailbox|sprachbox) (von|der|des)'),
    talk: says(
      'wer (ist|sind|spricht)',
      'was (ist|wollen|mochten)',
      'ich (habe|hab|hatte|war|dachte|wollte|hore)',
      'ist (das|da)',
      '(sind|haben|konnen) sie',
    ),
    absent: says(
      'nachricht hinterlassen|hinterlassen sie',
      'nicht (erreichbar|zu hause|da)',
      'nicht (ans|an das) telefon',
    ),
    screening: says('ihren namen (und|nach)', 'grund ihres anrufs|warum sie anrufen'),
    full: says(
      '(mailbox|anrufbeantworter|sprachbox|speicher) ist (leider|zurzeit)* voll',
      'keine (neuen|weiteren) nachrichten',
    ),
  },
  fr: {
    machine: says('apres le (bip|signal|ton)'),
    mailbox: says('repondeur|messagerie|boite vocale'),
    itself: says('(repondeur|messagerie|boite vocale) (de|du|d)'),
    talk: says('qui (est|etes|parle)', 'c est qui|que voulez', 'j (ai|etais|ecoutais)', '(etes|avez) vous'),
    absent: says('laissez [moi|nous] un message', 'pas disponible|absente?|injoignable'),
    screening: says('votre nom et', '(motif|raison) de votre appel'),
    full: says(
      '(messagerie [vocale]|boite vocale) est pleine|repondeur est plein',
      'plus (recevoir|enregistrer) (de|d) _',
    ),
  },
  es: {
    machine: says('despues (del tono|de la senal)'),
    mailbox: says('buzon|contestador'),
    itself: says('(buzon [de voz]|contestador [automatico]) (del|de !(voz))'),
    talk: says(
      'quien (es|habla|llama)',
      'que (quiere|es)',
      'eres (un|el)',
      'estaba|escuchando|pense',
      'he (oido|recibido)',
    ),
    absent: says('deje (un|su) mensaje', 'no [esta] disponible', 'no puedo atender'),
    screening: says('su nombre y', 'motivo de su llamada'),
    full: says(
      '(buzon [de voz]|contestador [automatico]) esta lleno',
      'no (puede|acepta|admite) [recibir|grabar] [mas|nuevos] mensajes',
    ),
  },
  it: {
    machine: says('dopo il (segnale|bip|tono)'),
    mailbox: says('segreteria|casella vocale'),
    itself: says('(segreteria [telefonica]|casella vocale) (di|del|della)'),
    talk: says(
      'chi (e|parla|sei)',
      'cosa (vuole|vuoi)',
      'stavo|ascoltando|pensavo',
      'ho (sentito|ricevuto|appena)',
    ),
    absent: says('(lascia|lasciate|lasci) un messaggio', 'non (e|sono) (raggiungibile|disponibile)'),
    screening: says('il suo nome e', 'motivo della [sua] chiamata'),
    full: says(
      '(segreteria [telefonica]|casella [vocale]) e piena',
      'non (puo|accetta) [ricevere|registrare] [altri|nuovi] messaggi',
    ),
  },
  pt: {
    machine: says('apos o (sinal|bip|tom)'),
    mailbox: says('caixa (postal|de mensagens)|secretaria eletronica'),
    itself: says('(caixa (postal|de mensagens)|secretaria eletronica) (da|de|do)'),
    talk: says('quem (e|fala|esta)', 'o que (quer|e)', 'estava|ouvindo|ouvi|recebi|pensei', 'eu (so|acabei)'),
    absent: says('deixe (uma|sua|a sua) mensagem', 'nao [esta] disponivel'),
    screening: says('seu nome e', 'motivo da [sua] (chamada|ligacao)'),
    full: says(
      'caixa (postal|de mensagens) esta cheia',
      'nao (pode|aceita) [receber|gravar] [mais|novas] mensagens',
    ),
  },
};
