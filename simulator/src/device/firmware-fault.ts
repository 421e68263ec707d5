/** Faults injected into a device's first update. */
export const FirmwareFault = {
  /** The connection is lost halfway through the download. */
  interruption: "interruption",
  /** The stored image differs from the sent one. */
  corruption: "corruption",
  /** The new image does not start, and the boot loader rolls back. */
  noStart: "no-start",
} as const;
export type FirmwareFault = (typeof FirmwareFault)[keyof typeof FirmwareFault];
