import type { ReactNode } from "react";

/** Status and alarm shapes on a 16 px grid. Cut-out parts take the colour `--cut`, that of the background. */
const shapes = {
  "diamond-solid-bang": (
    <>
      <path
        d="M8 .7 15.3 8 8 15.3 .7 8Z"
        fill="currentColor"
        stroke="currentColor"
        strokeWidth=".8"
        strokeLinejoin="round"
      />
      <path d="M8 4.2v4.6M8 10.1v1.9" stroke="var(--cut, var(--surface))" strokeWidth="1.9" />
    </>
  ),
  "diamond-open-bang": (
    <>
      <path
        d="M8 1.4 14.6 8 8 14.6 1.4 8Z"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.7"
        strokeLinejoin="round"
      />
      <path d="M8 4.9v3.7M8 9.7v1.6" stroke="currentColor" strokeWidth="1.6" />
    </>
  ),
  tick: (
    <path d="M2.8 8.6 6.4 12.2 13.4 4.4" fill="none" stroke="currentColor" strokeWidth="1.9" strokeLinecap="square" />
  ),
  disc: <circle cx="8" cy="8" r="4.4" fill="currentColor" />,
  ring: <circle cx="8" cy="8" r="5.4" fill="none" stroke="currentColor" strokeWidth="1.8" />,
  "ring-dashed": (
    <circle cx="8" cy="8" r="5.6" fill="none" stroke="currentColor" strokeWidth="1.8" strokeDasharray="2.45 1.95" />
  ),
  "ring-slash": (
    <>
      <circle cx="8" cy="8" r="5.8" fill="none" stroke="currentColor" strokeWidth="1.8" />
      <path d="M4 12 12 4" stroke="currentColor" strokeWidth="1.8" />
    </>
  ),
  "square-dollar": (
    <>
      <rect x="1" y="1" width="14" height="14" rx="1.5" fill="var(--due-fill)" stroke="var(--due-line)" />
      <path
        d="M10.9 5.4C10.4 4.5 9.3 4.2 8 4.2c-1.6 0-2.7.7-2.7 1.8 0 2.6 5.6 1.3 5.6 3.9 0 1.2-1.2 1.9-2.9 1.9-1.5 0-2.6-.5-3.1-1.5M8 2.6v10.8"
        fill="none"
        stroke="var(--on-due)"
        strokeWidth="1.5"
      />
    </>
  ),
  hatch: (
    <>
      <rect x="1.7" y="1.7" width="12.6" height="12.6" fill="none" stroke="currentColor" strokeWidth="1.4" />
      <path d="M2 8 8 2M2 14 14 2M8 14l6-6" stroke="currentColor" strokeWidth="1.3" />
    </>
  ),
  clock: (
    <>
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="1.7" />
      <path d="M8 4.6V8l2.3 1.7" fill="none" stroke="currentColor" strokeWidth="1.6" />
    </>
  ),
  "ring-tick": (
    <>
      <circle cx="8" cy="8" r="6.1" fill="none" stroke="currentColor" strokeWidth="1.6" />
      <path d="M5.1 8.2 7.2 10.3 11 5.9" fill="none" stroke="currentColor" strokeWidth="1.6" />
    </>
  ),
  "ring-x": (
    <>
      <circle cx="8" cy="8" r="6.1" fill="none" stroke="currentColor" strokeWidth="1.6" />
      <path d="m5.7 5.7 4.6 4.6m0-4.6-4.6 4.6" stroke="currentColor" strokeWidth="1.6" />
    </>
  ),
} satisfies Record<string, ReactNode>;
export type GlyphName = keyof typeof shapes;

interface GlyphProps {
  name: GlyphName;
  /** Pixels: 14 in tables, 18 to 20 on tiles. */
  size?: number;
  className?: string;
}

/** A status shape in the text colour; decorative, because its label is always shown beside it. */
export const Glyph = ({ name, size = 14, className }: GlyphProps): ReactNode => (
  <svg className={className} width={size} height={size} viewBox="0 0 16 16" style={{ flex: "none" }} aria-hidden="true">
    {shapes[name]}
  </svg>
);
