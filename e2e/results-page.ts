import { cpus, release, totalmem } from "node:os";

/** This machine in words: the same figures on another one mean something else. */
export const machine = (): string => {
  const [cpu] = cpus();
  return `${cpus().length} cores (${cpu?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB, Linux ${release()}, Node ${process.version}`;
};

const titleOf = (part: string): string => part.slice(3, part.indexOf("\n"));

/**
 * The page with these sections (each begins with "## " and its title) replacing those with the same title; sections are in the order of `titles`, and
 * others go.
 */
export const pageWith = (page: string, intro: string, parts: readonly string[], titles: readonly string[]): string => {
  const old = page.split(/^(?=## )/m).filter((part) => part.startsWith("## "));
  const byTitle = new Map([...old, ...parts].map((part) => [titleOf(part), part.trimEnd()]));
  return `${[intro.trimEnd(), ...titles.flatMap((title) => byTitle.get(title) ?? [])].join("\n\n")}\n`;
};
