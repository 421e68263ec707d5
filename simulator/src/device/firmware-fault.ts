/** What goes wrong with a device's update on purpose: once, with the first. */
export const FirmwareFault = {
  /** The connection is lost half way through the download. */
  interruption: "interruption",
  /** What is stored is not what was sent. */
  corruption: "corruption",
  /** The new image does not start, and the boot loader goes back to the old one. */
  noStart: "no-start",
} as const;
export type FirmwareFault = (typeof FirmwareFault)[keyof typeof FirmwareFault];
