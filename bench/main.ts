import { readFile, writeFile } from "node:fs/promises";
import { Command } from "commander";
import { machine, pageWith } from "../e2e/results-page.ts";
import { type Figure, tableOf } from "./figure.ts";
import { alertsScenario } from "./scenarios/alerts.ts";
import { backlog } from "./scenarios/backlog.ts";
import { charts } from "./scenarios/charts.ts";
import { cluster } from "./scenarios/cluster.ts";
import { dashboard } from "./scenarios/dashboard.ts";
import { detail } from "./scenarios/detail.ts";
import { exports } from "./scenarios/exports.ts";
import { firstScreen } from "./scenarios/first-screen.ts";
import { floodScenario } from "./scenarios/flood.ts";
import { imported } from "./scenarios/import.ts";
import { answersAtLoad, ingest, slowFleet } from "./scenarios/ingest.ts";
import { lists } from "./scenarios/lists.ts";
import { live } from "./scenarios/live.ts";
import { phone } from "./scenarios/phone.ts";
import { plantFile } from "./scenarios/plant-file.ts";
import { rewound } from "./scenarios/rewind.ts";
import { scrolling } from "./scenarios/scrolling.ts";
import { sqlScenario } from "./scenarios/sql.ts";
import { start } from "./scenarios/start.ts";
import { storage } from "./scenarios/storage.ts";
import { tilesScenario } from "./scenarios/tiles.ts";
import { unmergedStart } from "./scenarios/unmerged-start.ts";

/** A section of the page. */
interface Scenario {
  title: string;
  /** Of a run of an hour or more, which is a section of its own: memory and the database's size need as long. */
  hourTitle?: string;
  /** What is measured, for readers of the figures. */
  about: string;
  run(): Promise<Figure[]>;
}

/** In the order of the page. */
const scenarios: Record<string, Scenario> = {
  start: { title: "Start", about: "", run: start },
  "first-screen": { title: "First screens", about: "", run: firstScreen },
  phone: {
    title: "On a phone",
    about:
      "Lighthouse's view of the demonstration with an empty cache, on the phone and line that it simulates; the median of five.",
    run: phone,
  },
  storage: {
    title: "Storage",
    about: "Plain rows: a table of readings with its indexes.",
    run: storage,
  },
  charts: {
    title: "Charts",
    about: "Grouping plain rows: the same chart by `GROUP BY` over a week of plain rows with an index.",
    run: charts,
  },
  exports: { title: "Exports", about: "", run: exports },
  dashboard: {
    title: "Dashboard",
    about:
      "The last hour of 64 tiles in one call over HTTP, merged and not packed yet. The server keeps the extremes of what it has read, so that the first call is a figure of its own; of the others the median of 20, each of another dashboard.",
    run: dashboard,
  },
  detail: {
    title: "Device detail",
    about:
      "A channel with a year of readings at 1 Hz, 100 settings periods and 10,000 alerts, asked for over HTTP as the screen does when it opens; the median of 20.",
    run: detail,
  },
  rewind: {
    title: "Rewind",
    about:
      "A dashboard of 64 tiles in the past, asked for over HTTP as the screen does, with 50 alerts a day; the answer as it is before it is compressed; the median of 20 calls.",
    run: rewound,
  },
  sql: {
    title: "SQL",
    about:
      "A channel's readings as a SQL user gets them, through its port; the median of several runs. The console's: the same range by the function that answers the console's calls, in twice as many points.",
    run: sqlScenario,
  },
  lists: {
    title: "Lists",
    about:
      "100,000 devices (80,000 of them sub-devices) and 10,000,000 alerts of one plant, asked for over HTTP; the median of 20 calls.",
    run: lists,
  },
  scrolling: {
    title: "Scrolling",
    about:
      "The same lists in headless Chromium without a graphics card, 1440 x 900, 6,000 pixels a second, a step each frame; the browser shares the machine too.",
    run: scrolling,
  },
  tiles: {
    title: "Tiles",
    about:
      "A dashboard of 64 tiles in headless Chromium without a graphics card, 1440 x 900, while the plant sends 5,000 readings a second, ten of each of its 500 channels; the browser shares the machine too.",
    run: () => tilesScenario(Number(options.seconds)),
  },
  live: { title: "Live values", about: "", run: live },
  flood: {
    title: "A flood of alerts",
    about:
      "An open dashboard of 64 tiles and the lists of ALERT, each on a page of headless Chromium, beside 499 more sockets, while ten alerts a second are raised, and clear by themselves some seconds later. What is suppressed is looked up every minute whatever happens; how many alerts have passed since the last visit at most as often.",
    run: floodScenario,
  },
  ingest: {
    title: "Ingest",
    hourTitle: "Ingest for an hour",
    about: `Connections with QoS 1, 10 readings a message with their times; every reading is scaled, judged by its channel's alarms, becomes the latest value and is offered to live sockets before its batch is acknowledged. Bare: the same load on aedes that parses the JSON and inserts by \`unnest\` into a table with a key, one batch at a time, and nothing else (\`bench/scenarios/bare-broker.ts\`). Idle: 45 s after its devices were made, when the server has given back what its start left behind.`,
    run: () => ingest(Number(options.seconds)),
  },
  "answers-at-load": {
    title: "Answers under full load",
    about:
      "What a console waits for while fleets send at the rates that a server of two cores is meant for. It asks from a process that takes precedence over the load generator, since consoles run on other machines.",
    run: answersAtLoad,
  },
  alerts: {
    title: "Alerts",
    about:
      "Ingest: the load of 500 channels for 30 s, without rules and with, three times in turn, each time on a new server; the middle one. Steps: the middle one of five; the job that claims them looks every 400 ms.",
    run: alertsScenario,
  },
  "plant-file": {
    title: "A plant as a file",
    about:
      "1,000 devices that a plant does not have yet: 500 with four channels' names and settings and two alerts, each with a motor controller behind it that has a group and an alert; with a contact and an escalation plan. From the command's start to its end, over HTTP.",
    run: plantFile,
  },
  backlog: { title: "Backlog", about: "Readings of a fleet that was away, and imported ones.", run: backlog },
  import: {
    title: "Import",
    about:
      "`telltale import` of files with past readings, from its start to its end, over HTTP on one machine; each file is read, and what is stored already is looked up before.",
    run: imported,
  },
  "unmerged-start": { title: "Start after a power cut", about: "", run: unmergedStart },
  "slow-fleet": {
    title: "A slow fleet",
    about:
      "10,000 devices that send a message of ten readings a minute. Each message is a commit of its own, so that a reading costs much more than in a busy fleet: all together they take a tenth of a core of the database, and as much of the server.",
    run: slowFleet,
  },
  cluster: {
    title: "Several nodes",
    about:
      "The same load on a server alone and on three nodes on one machine, and what each node had on a server alone: what a reading costs, not how fast it is.",
    run: cluster,
  },
};

const options = new Command("bench")
  .description("Measures Telltale on this machine, each figure beside a baseline of the same run")
  .option("--seconds <n>", "how long the full load lasts", "600")
  .option("--only <names>", `some scenarios, separated by commas: ${Object.keys(scenarios).join(", ")}`)
  .option("--no-write", "print only; docs/benchmarks.md is left as it is")
  .parse()
  .opts<{ seconds: string; only?: string; write: boolean }>();

const intro = `# Benchmarks

Measured by \`npm run bench\`; each section says when and on what machine, and \`npm run bench -- --only NAME\` measures one anew. The server, its PostgreSQL and the
load generator share the machine. Every comparison was measured in the same run, so the ratios travel better than the figures.
`;

const file = new URL("../docs/benchmarks.md", import.meta.url);
const titles = Object.values(scenarios).flatMap(({ title, hourTitle }) => [title, ...(hourTitle ? [hourTitle] : [])]);
const isHour = Number(options.seconds) >= 3600;

for (const name of options.only?.split(",") ?? Object.keys(scenarios)) {
  const scenario = scenarios[name];
  if (!scenario) throw new Error(`There is no scenario ${name}: choose from ${Object.keys(scenarios).join(", ")}`);
  process.stderr.write(`${name} …\n`);
  const when = new Date().toISOString().slice(0, 10);
  const table = tableOf(await scenario.run());
  process.stdout.write(`${table}\n`);
  const about = scenario.about ? [scenario.about] : [];
  const isLong = isHour && scenario.hourTitle !== undefined;
  const title = isLong ? scenario.hourTitle : scenario.title;
  const how = isLong ? `${name} --seconds ${options.seconds}` : name;
  const part = [`## ${title}`, `Measured on ${when} (\`${how}\`): ${machine()}.`, ...about, table].join("\n\n");
  if (options.write)
    await writeFile(file, pageWith(await readFile(file, "utf8").catch(() => ""), intro, [part], titles));
}
