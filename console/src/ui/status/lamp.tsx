/** The lamp of a switch: filled for ON, hollow for OFF, both in a neutral colour. As high as the figures beside it. */
export const Lamp = ({ on, className }: { on: boolean; className?: string | undefined }) => (
  <svg className={className} viewBox="0 0 20 34" aria-hidden="true" focusable="false">
    <rect x="1.25" y="1.25" width="17.5" height="31.5" rx="2" fill="none" stroke="currentColor" strokeWidth="2.5" />
    {on && <rect x="5" y="5" width="10" height="24" fill="currentColor" />}
  </svg>
);
