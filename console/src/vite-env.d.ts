/// <reference types="vite/client" />

import "react";

declare global {
  /** The calls that `public/first.js` has made, by their address, until they are taken. */
  var telltaleAsked: Record<string, Promise<Response>> | undefined;
}

declare module "react" {
  interface CSSProperties {
    /** Variables of style sheets. */
    [variable: `--${string}`]: string | number | undefined;
  }
}
