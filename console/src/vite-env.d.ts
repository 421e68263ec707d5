/// <reference types="vite/client" />

import "react";

declare global {
  /** The call that `public/first.js` has made, until it is taken. */
  var telltaleAsked: { url: string; answer: Promise<Response> } | undefined;
}

declare module "react" {
  interface CSSProperties {
    /** Variables of style sheets. */
    [variable: `--${string}`]: string | number | undefined;
  }
}
