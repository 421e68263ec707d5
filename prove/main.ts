import { readFile, writeFile } from "node:fs/promises";
import { Command } from "commander";
import { machine, pageWith } from "../e2e/results-page.ts";
import { intro, partOf } from "./page.ts";
import { scenarios } from "./scenarios.ts";

const options = new Command("prove")
  .description("Tests Telltale under faults, load and attacks, on a separate server on this machine")
  .option("--only <names>", `scenarios to run, separated by commas: ${Object.keys(scenarios).join(", ")}`)
  .option("--scale <n>", "size of each scenario; results are published at 1", Number, 1)
  .option("--no-write", "print only; docs/reliability.md stays unchanged")
  .parse()
  .opts<{ only?: string; scale: number; write: boolean }>();

const file = new URL("../docs/reliability.md", import.meta.url);

const keep = async (part: string): Promise<void> => {
  const page = await readFile(file, "utf8").catch(() => "");
  const titles = Object.values(scenarios).map(({ title }) => title);
  await writeFile(file, pageWith(page, intro, [part], titles));
};

for (const name of options.only?.split(",") ?? Object.keys(scenarios)) {
  const scenario = scenarios[name];
  if (!scenario) throw new Error(`Unknown scenario ${name}; choose from ${Object.keys(scenarios).join(", ")}`);
  process.stderr.write(`${name} …\n`);
  const began = Date.now();
  const findings = await scenario.run(options.scale);
  const minutes = ((Date.now() - began) / 60_000).toFixed(1);
  const where = `Run on ${new Date(began).toISOString().slice(0, 10)}, for ${minutes} minutes: ${machine()}.`;
  const part = partOf(scenario, findings, where);
  process.stdout.write(`${part}\n`);
  if (findings.some(({ isKept }) => !isKept)) process.exitCode = 1;
  if (options.write && options.scale === 1) await keep(part);
}
