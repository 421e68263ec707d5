import { writeFile } from "node:fs/promises";
import { cpus, release, totalmem } from "node:os";
import { Command } from "commander";
import { type Figure, tableOf } from "./figure.ts";
import { backlog } from "./scenarios/backlog.ts";
import { charts } from "./scenarios/charts.ts";
import { detail } from "./scenarios/detail.ts";
import { exports } from "./scenarios/exports.ts";
import { firstScreen } from "./scenarios/first-screen.ts";
import { answersAtLoad, ingest, slowFleet } from "./scenarios/ingest.ts";
import { lists } from "./scenarios/lists.ts";
import { live } from "./scenarios/live.ts";
import { scrolling } from "./scenarios/scrolling.ts";
import { start } from "./scenarios/start.ts";
import { storage } from "./scenarios/storage.ts";
import { unmergedStart } from "./scenarios/unmerged-start.ts";

const options = new Command("bench")
  .description("Measures Telltale on this machine, each figure beside a baseline of the same run")
  .option("--seconds <n>", "how long the full load lasts", "600")
  .option(
    "--only <names>",
    "some scenarios, separated by commas: start, first-screen, storage, charts, exports, detail, lists, scrolling, live, ingest, answers-at-load, backlog, unmerged-start, slow-fleet",
  )
  .option("--no-write", "print only; docs/benchmarks.md is left as it is")
  .parse()
  .opts<{ seconds: string; only?: string; write: boolean }>();

const scenarios: Record<string, () => Promise<Figure[]>> = {
  start,
  "first-screen": firstScreen,
  storage,
  charts,
  exports,
  detail,
  lists,
  scrolling,
  live,
  ingest: () => ingest(Number(options.seconds)),
  "answers-at-load": answersAtLoad,
  backlog,
  "unmerged-start": unmergedStart,
  "slow-fleet": slowFleet,
};

const machine = (): string => {
  const [cpu] = cpus();
  return `${cpus().length} cores (${cpu?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB, Linux ${release()}, Node ${process.version}`;
};

const wanted = options.only?.split(",") ?? Object.keys(scenarios);
const figures: Figure[] = [];
for (const name of wanted) {
  const scenario = scenarios[name];
  if (!scenario) throw new Error(`There is no scenario ${name}: choose from ${Object.keys(scenarios).join(", ")}`);
  process.stderr.write(`${name} …\n`);
  figures.push(...(await scenario()));
}
const table = tableOf(figures);
process.stdout.write(`${table}\n`);

const page = `# Benchmarks

Measured by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${machine()}. The server, its PostgreSQL and the
load generator share the machine. Every comparison was measured in the same run, so the ratios travel better than the figures.

${table}

- The load: ${"50 connections, QoS 1, 10 readings a message with their times; every reading is scaled, judged by its channel's alarms, becomes the latest value and is offered to live sockets before its batch is acknowledged."}
- Bare: the same load on aedes that parses the JSON and inserts by \`unnest\` into a table with a key, one batch at a time, and nothing else
  (\`bench/scenarios/bare-broker.ts\`).
- Device detail: a channel with a year of readings at 1 Hz, 100 settings periods and 10,000 alerts, asked for over HTTP as the screen does when it
  opens; the median of 20.
- Lists: 100,000 devices (80,000 of them sub-devices) and 10,000,000 alerts of one plant, asked for over HTTP; the median of 20 calls.
- Scrolled: the same lists in headless Chromium without a graphics card, 1440 x 900, 6,000 pixels a second, a step each frame; the browser shares the
  machine too.
- Plain rows: the hot table with its indexes; grouping plain rows: the same chart by \`GROUP BY\` over a week of plain rows with an index.
- Idle: 45 s after its devices were made, when the server has given back what its start left behind.
`;
if (options.write && !options.only) await writeFile(new URL("../docs/benchmarks.md", import.meta.url), page);
