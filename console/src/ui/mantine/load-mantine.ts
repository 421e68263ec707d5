import { type ComponentType, Fragment, type ReactNode } from "react";

let parts: ComponentType<{ children?: ReactNode }> = Fragment;

/** What is around components of Mantine; around what is loaded without them, nothing. */
export const loadedParts = (): typeof parts => parts;

/** Fetches what Mantine's components are rendered with. Nothing of the first screens is one of them, so it comes with the first part that has some. */
export const loadMantine = async (): Promise<void> => {
  parts = (await import("./mantine-parts.tsx")).MantineParts;
};
