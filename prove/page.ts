import type { Finding, Scenario } from "./finding.ts";

const intro = `# Reliability

Telltale's behaviour under faults, load and attacks, tested by \`npm run prove\`. Each section says when and on what machine it was last run, and gives the measurements;
\`npm run prove -- --only NAME\` repeats one scenario.
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
    "| guarantee | measured | |",
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
