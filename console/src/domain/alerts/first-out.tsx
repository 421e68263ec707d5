import type { ReactNode } from "react";

/** A window with a 1: the first alert of several. Decorative, because its label is beside it. */
export const FirstOutGlyph = (): ReactNode => (
  <svg width={14} height={14} viewBox="0 0 16 16" style={{ flex: "none" }} aria-hidden="true">
    <rect x="1.6" y="1.6" width="12.8" height="12.8" rx="1" fill="none" stroke="currentColor" strokeWidth="1.6" />
    <path d="M6 6.1 8.5 4.5v7.2M6 11.6h5" fill="none" stroke="currentColor" strokeWidth="1.6" />
  </svg>
);
