/** What carrier and service know of each other. */
export const AUTH_TOKEN = 'the-token-of-an-account-of-the-benchmark';
export const DOMAIN = 'voice.example.com';
export const CALLED = '+14155550177';
