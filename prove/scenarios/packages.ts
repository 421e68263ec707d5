import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { count, type Finding, type Scenario } from "../finding.ts";

interface Audit {
  metadata?: { vulnerabilities?: Record<string, number>; dependencies?: { total?: number } };
  message?: string;
}

/** npm exits with 1 when it finds something; its findings count. */
const auditOf = (): Promise<Audit> =>
  promisify(execFile)("npm", ["audit", "--json"], { cwd: new URL("../..", import.meta.url), maxBuffer: 64 * 2 ** 20 })
    .catch((fault: { stdout?: string }) => ({ stdout: fault.stdout ?? "{}" }))
    .then(({ stdout }) => JSON.parse(stdout || "{}"));

/** The registry's error message contains its host after this separator. */
const address = / - .*/;

const found = ({ metadata, message = "none" }: Audit): Omit<Finding, "promise"> => {
  if (!metadata) return { counted: `the registry did not answer (${message.replace(address, "")})` };
  const { high = 0, critical = 0 } = metadata.vulnerabilities ?? {};
  const packages = count(metadata.dependencies?.total ?? 0, "packages");
  return { counted: `${packages}, ${high} high and ${critical} critical findings`, isKept: high + critical === 0 };
};

/** Requires network access and a registry that supports audits; therefore not part of `npm test`. */
export const packages: Scenario = {
  title: "Known vulnerabilities of packages",
  does: "Runs `npm audit` on the installed packages.",
  run: async () => [
    { promise: "No package has a known vulnerability of high or critical severity", ...found(await auditOf()) },
  ],
};
