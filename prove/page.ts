import type { Finding, Scenario } from "./finding.ts";

const intro = `# Reliability

What Telltale promises when things break, tried by \`npm run prove\`. Each part says when and where it was run last and what was counted;
\`npm run prove -- --only NAME\` runs one of them again.
`;

const wordOf = ({ isKept }: Finding): string => {
  if (isKept === undefined) return "**not tried**";
  return isKept ? "kept" : "**not kept**";
};

/** The results of one scenario as a section of the page. `where` names date and machine. */
export const partOf = (scenario: Scenario, findings: readonly Finding[], where: string): string => {
  const rows = findings.map((finding) => `| ${finding.promise} | ${finding.counted} | ${wordOf(finding)} |`);
  return [
    `## ${scenario.title}`,
    "",
    scenario.does,
    "",
    where,
    "",
    "| promise | counted | |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n");
};

const titleOf = (part: string): string => part.slice(3, part.indexOf("\n"));

/** The page with these sections replacing those with the same title; sections are in the order of `titles`. */
export const pageWith = (page: string, parts: readonly string[], titles: readonly string[]): string => {
  const old = page.split(/^(?=## )/m).filter((part) => part.startsWith("## "));
  const byTitle = new Map([...old, ...parts].map((part) => [titleOf(part), part.trimEnd()]));
  return `${[intro.trimEnd(), ...titles.flatMap((title) => byTitle.get(title) ?? [])].join("\n\n")}\n`;
};
