/** A script of its own, given by its address: see tools/build-console.mjs. */
declare module '*?script' {
  const address: string;
  export default address;
}

declare module '*.css';

/** Whether pages follow the build: see tools/build-console.mjs. */
declare const RELOADS: boolean;
