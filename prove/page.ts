import type { Finding, Scenario } from "./finding.ts";

export const intro = `# Reliability

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
