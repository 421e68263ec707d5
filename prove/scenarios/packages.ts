import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { count, type Finding, type Scenario } from "../finding.ts";

interface Audit {
  metadata?: { vulnerabilities?: Record<string, number>; dependencies?: { total?: number } };
  message?: string;
}

/** npm ends with 1 where it finds something; what it found is what counts. */
const auditOf = (): Promise<Audit> =>
  promisify(execFile)("npm", ["audit", "--json"], { cwd: new URL("../..", import.meta.url), maxBuffer: 64 * 2 ** 20 })
    .catch((fault: { stdout?: string }) => ({ stdout: fault.stdout ?? "{}" }))
    .then(({ stdout }) => JSON.parse(stdout || "{}"));

/** A registry's refusal names its host after this. */
const address = / - .*/;

const found = ({ metadata, message = "none" }: Audit): Omit<Finding, "promise"> => {
  if (!metadata) return { counted: `the registry gives no answer (${message.replace(address, "")})` };
  const { high = 0, critical = 0 } = metadata.vulnerabilities ?? {};
  const packages = count(metadata.dependencies?.total ?? 0, "packages");
  return { counted: `${packages}, ${high} high and ${critical} critical findings`, isKept: high + critical === 0 };
};

/** Needs the network, and a registry that answers audits; therefore no part of `npm test`. */
export const packages: Scenario = {
  title: "Packages",
  does: "Asks the registry by `npm audit` for what is known of the packages that are installed.",
  run: async () => [
    { promise: "No package has a known fault of high or critical severity", ...found(await auditOf()) },
  ],
};
