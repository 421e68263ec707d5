/// <reference types="vite/client" />

import "react";

declare module "react" {
  interface CSSProperties {
    /** Variables of style sheets. */
    [variable: `--${string}`]: string | number | undefined;
  }
}
