import type { LanguageFile } from './language-file.js';

/**
 * Portuguese, a built-in language of the service: sentences that the agent says, and phrases by which it understands
 * callers and answering machines, as usual in Brazil and understood in Portugal. `language-file.ts` explains the
 * fields, `phrasing.ts` the notation of phrases.
 */
export const portuguese: LanguageFile = {
  language: 'pt',
  usual_tag: 'pt-BR',
  sentences: {
    not_understood: 'Desculpe, não entendi.',
    not_possible: 'Desculpe, isso não é possível.',
    again: 'Desculpe.',
    corrected: 'Desculpe, o erro foi meu.',
    still_there: 'Você ainda está aí?',
    cannot_hear: 'Desculpe, não consigo ouvir você.',
    nobody_there: 'Ainda não consigo ouvir você, então vou desligar. Até logo.',
    goodbye: 'Obrigado pelo seu tempo. Até logo.',
    do_not_call: 'Entendo. Desculpe o incômodo. Até logo.',
    later: 'Tudo bem, fica para outra hora então. Até logo.',
    later_at: 'Tudo bem, vamos ligar para você: {{call_back_at}}. Até logo.',
    no_number:
      'Desculpe, o seu número está oculto e não podemos ligar para você. Por favor, ligue novamente. Até logo.',
    time_passed: 'Desculpe, esse horário já passou.',
    call_back_when: 'Quando podemos ligar para você?',
    hold: 'Claro, fique à vontade.',
    person: 'Desculpe, aqui só estou eu, um assistente automático.',
    not_connected: 'Desculpe, não consegui transferir a ligação.',
    returned: 'Estou de volta. Posso ajudar em mais alguma coisa?',
    wrong_number: 'Desculpe, foi engano. Até logo.',
    ask_do_not_call: 'Você quer que a gente pare de ligar para este número?',
    yes_or_no: 'Por favor, diga sim ou não.',
    connecting: 'Um momento, vou transferir você.',
    one_moment: 'Um momento.',
    technical_problem: 'Desculpe, tenho um problema técnico e preciso encerrar a ligação. Até logo.',
    is_that_right: '{{value}}: está certo?',
    thank_you: 'Obrigado.',
    anything_to_pass_on: 'Você quer deixar algum recado?',
    leave_a_message: 'Desculpe, você quer deixar um recado? Por favor, diga sim ou não.',
    what_to_pass_on: 'Qual é o recado?',
    in_a_few_words: 'Desculpe, pode repetir em poucas palavras?',
    message_taken: 'Obrigado, anotei. Até logo.',
    no_message: 'Obrigado pelo seu tempo. Até logo.',
    could_not_understand: 'Desculpe, não consegui entender você. Obrigado pelo seu tempo. Até logo.',
    carrier_greeting: 'Olá, obrigado por ligar.',
    carrier_apology:
      'Desculpe, não podemos atender a sua ligação agora. Por favor, tente mais tarde. Até logo.',
  },
  wishes: {
    do_not_call: [
      '(não|nunca) (me|nos)* (ligue|liguem|liga|telefone|telefonem|contate|contatem) (mais|nunca mais|de novo|para mim|para cá|aqui|pra mim)* (mais|nunca mais|de novo)',
      '(nunca|não) (mais|volte a|voltem a) (me|nos)* (ligar|ligue|liguem|telefonar|incomodar)',
      '(pare|parem|para|deixe|deixem) de (me|nos)* (ligar|telefonar|incomodar)',
      'não (quero|queremos|desejo) (mais|receber)* (ligações|ligação|chamadas) [mais]',
      'não (quero|queremos) (mais)* que (me|nos) (liguem|ligue) [mais|de novo]|não quero (mais)* ser (contatado|contatada) [mais]',
      '(tire|tirem|remova|removam|apague|apaguem|retire|retirem|exclua|excluam) [por favor] [o|os] (meu número|nosso número|este número|esse número|meus dados)',
      '(tire|tirem|remova|removam|retire|retirem|exclua|excluam) [me] [por favor] (da|de|dessa) (sua|vossa|minha|suas)* (lista|listas|base de dados|base)',
    ],
    perhaps_do_not_call: [
      'não [_] [_] (ligue|liguem|ligar|ligações|ligação|chamadas|incomode|incomodem)',
      '(chega|basta|cansado|cansada|pare|parem) [_] [_] (ligações|ligar|chamadas)|em paz|da (sua)* lista|não me perturbe|propaganda|assédio',
    ],
    wrong_number: ['(é|foi) engano|número errado|ligou errado|(aqui)* não (mora|tem) ninguém'],
    later: [
      '(ligue|liga|me ligue|me liga|ligar) (mais tarde|amanhã|depois|outro dia|outra hora|em outro momento)',
      '(estou|tô) (dirigindo|em reunião|numa reunião|no trabalho|ocupado|ocupada|conduzindo)',
      'não (tenho tempo|posso falar|é uma boa hora)|agora não (posso|dá)*',
    ],
    goodbye: ['tchau|adeus|até (logo|mais|breve|amanhã)|(tenho que|preciso) (desligar|ir)|tenha um bom dia'],
    hold: [
      '(um|só um|me dê um|espere um) (momento|momentinho|minuto|minutinho|segundo|instante)|aguarde|espere [um]|espera [um]|não desligue',
    ],
    person: [
      'falar com (uma|um|alguém|o|a|algum) (pessoa|atendente|humano|agente|responsável|gerente|operador|de verdade)*',
      'pessoa (de verdade|real)|me (transfira|transfere|passe|passa)|atendente (por favor)* $',
      '^(um|uma) (atendente|pessoa|humano) (por favor)* $',
    ],
    who: [
      '(quem|com quem) (é|fala|está falando|falo|estou falando|está ligando)|do que se trata|sobre o que|o que (quer|você quer|deseja)|por que (está|estão|você está)* (me)* (ligando|ligou)',
      '(é|você é) (um|uma) (robô|máquina|gravação|pessoa|computador)|(onde|como) (conseguiu|pegou) (o)* meu número',
      'seu nome e|motivo da [sua] (chamada|ligação)',
    ],
    repeat: [
      '(pode|poderia|consegue) repetir|repita|repete|como (disse|é)|o que (disse|você disse)|de novo por favor|^(como|perdão|desculpe|o quê|quê) $',
      'não (entendi|ouvi|escutei|estou (ouvindo|entendendo))|mais (alto|devagar)|(está|consegue) me (ouvindo|ouvir)',
      '^(alô|sim alô|oi|olá|pronto|bom dia|boa tarde|boa noite) $',
    ],
    fillers: [
      'obrigado|obrigada|muito obrigado|muito obrigada|por favor|bom|bem|tá|tá bom|ok|okay|certo|sim|não|então|é|eh|ah|oh|desculpe|senhor|senhora|eu|quero|queria|só|igualmente|para você também',
    ],
  },
  answers: {
    yes: [
      'sim|claro|claro que sim|com certeza|certo|isso|isso mesmo|exato|exatamente|correto|tá bom|tá|está bem|tudo bem|pode ser|ok|okay|perfeito|combinado|com prazer|sem problema|nenhum problema|não tem problema|quero|aceito|por que não|uhum',
    ],
    no: [
      'não|nunca|jamais|de jeito nenhum|nem pensar|claro que não|não obrigado|não obrigada|nenhum|nenhuma|negativo|errado',
    ],
    unsure: ['talvez|não sei|não tenho certeza|depende|vamos ver|quem sabe|sei lá'],
  },
  overlap: {
    back_channels: [
      'ah|hum|hm|sim|ok|okay|tá|tá bom|certo|claro|exato|entendo|entendi|bom|está bem|obrigado|obrigada',
    ],
    stop_words: ['pare|espere|espera|não|mas|nunca|chega|desculpe'],
  },
  machines: {
    machine: ['após o (sinal|bip|tom)'],
    mailbox: ['caixa (postal|de mensagens)|secretária eletrônica'],
    itself: ['(caixa (postal|de mensagens)|secretária eletrônica) (da|de|do)'],
    talk: ['quem (é|fala|está)', 'o que (quer|é)', 'estava|ouvindo|ouvi|recebi|pensei', 'eu (só|acabei)'],
    absent: ['deixe (uma|sua|a sua) mensagem', 'não [está] disponível'],
    screening: ['seu nome e', 'motivo da [sua] (chamada|ligação)'],
    full: [
      'caixa (postal|de mensagens) está cheia',
      'não (pode|aceita) [receber|gravar] [mais|novas] mensagens',
    ],
  },
  moments: {
    today: ['hoje'],
    tomorrow: ['amanhã'],
    day_after_tomorrow: ['depois de amanhã'],
    noon: ['meio dia'],
    midnight: ['meia noite'],
    hour: ['horas|hora|às|h'],
    afternoon: ['da tarde|da noite|à tarde|à noite|de tarde|de noite'],
    not_read: ['e meia|meia|quarto|para as'],
    numbers: [
      'zero',
      'um|uma',
      'dois|duas',
      'três',
      'quatro',
      'cinco',
      'seis',
      'sete',
      'oito',
      'nove',
      'dez',
      'onze',
      'doze',
    ],
  },
  signs: {
    at: 'arroba',
    dot: 'ponto',
    slash: 'barra',
    dash: 'traço',
    underscore: 'sublinhado',
    and: 'e',
    equals: 'igual a',
    plus: 'mais',
    percent: 'por cento',
    degrees: 'graus',
  },
};
