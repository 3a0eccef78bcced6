/** Texts of a carrier's voice: greeting, and apology for a failure. By the primary language subtag. */
const WORDS: Readonly<Record<string, { language: string; greeting: string; apology: string }>> = {
  en: {
    language: 'en-US',
    greeting: 'Hello, thank you for calling.',
    apology: 'We are sorry, we cannot take your call at the moment. Please try again later. Goodbye.',
  },
  de: {
    language: 'de-DE',
    greeting: 'Guten Tag, vielen Dank für Ihren Anruf.',
    apology:
      'Leider können wir Ihren Anruf gerade nicht annehmen. Bitte versuchen Sie es später noch einmal. Auf Wiederhören.',
  },
  es: {
    language: 'es-ES',
    greeting: 'Hola, gracias por llamar.',
    apology: 'Lo sentimos, ahora no podemos atender su llamada. Por favor, inténtelo más tarde. Adiós.',
  },
  fr: {
    language: 'fr-FR',
    greeting: 'Bonjour, merci de votre appel.',
    apology:
      'Nous sommes désolés, nous ne pouvons pas prendre votre appel. Veuillez réessayer plus tard. Au revoir.',
  },
};

/** The greeting in a language (BCP 47); English if there is none. */
export function greetingIn(language: string): { text: string; language: string } {
  const words = wordsIn(language);
  return { text: words.greeting, language: words.language };
}

/** The apology in a language (BCP 47); English if there is none. */
export function apologyIn(language: string): { text: string; language: string } {
  const words = wordsIn(language);
  return { text: words.apology, language: words.language };
}

function wordsIn(language: string) {
  return WORDS[language.split('-', 1)[0]!.toLowerCase()] ?? WORDS['en']!;
}
