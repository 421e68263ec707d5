import { setTimeout as sleep } from "node:timers/promises";
import { startMailServer } from "../../e2e/mail-server.ts";
import { type RunningServer, startServer } from "../../e2e/server-process.ts";
import { inDatabase } from "../database.ts";
import { count, type Finding, type Scenario, scaled } from "../finding.ts";
import { createOwner, type Fleet, startFleet } from "../fleet.ts";
import { mailFindings, startMailedDevice } from "../mailed-device.ts";
import { suspendInMerge } from "../merge-moment.ts";
import { replacePostmaster, signalPostgres } from "../postgres-process.ts";
import { verdict } from "../verdict.ts";

interface Trial {
  server: RunningServer;
  fleet: Fleet;
  /** Milliseconds from each kill until every device had acknowledgements again. */
  gaps: number[];
  /** How many of the kills were in the middle of a merge. */
  inMerges: number;
}

/** Acknowledgements that each device has between two kills: the mailed one is slow. */
const between = 10;
/** A kill at a random moment happens within this many milliseconds after them. */
const spread = 400;

/** Half of the kills happen at a random moment, half in the middle of a merge, in which the server is suspended then. */
const repeat = async (trial: Trial, times: number, kill: () => Promise<void>): Promise<void> => {
  const { server, fleet, gaps } = trial;
  for (let turn = 0; turn < times; turn += 1) {
    await fleet.eachHas(between);
    const isInMerge = turn % 2 === 1;
    if (isInMerge) await suspendInMerge(server);
    else await sleep(Math.random() * spread);
    if (isInMerge) trial.inMerges += 1;
    const killed = performance.now();
    await kill();
    await fleet.eachHas(1);
    gaps.push(performance.now() - killed);
    process.stderr.write(`  ${turn + 1} of ${times}: ${count(fleet.acknowledged(), "messages")}\n`);
  }
};

const killServer = async ({ server }: Trial): Promise<void> => {
  await server.kill9();
  await server.restart();
};

/** The server, should it be suspended, goes on once PostgreSQL is gone. */
const killPostgres = async ({ server }: Trial): Promise<void> => {
  const replaced = replacePostmaster(server.dataDir, "SIGKILL");
  await sleep(100);
  process.kill(server.pid(), "SIGCONT");
  await replaced;
};

const killBoth = async ({ server }: Trial): Promise<void> => {
  await signalPostgres(server.dataDir, "SIGKILL");
  await server.kill9();
  await server.restart();
};

const recovery = ({ gaps, inMerges }: Trial): Finding => {
  const worst = Math.max(...gaps) / 1000;
  const counted = `${gaps.length} kills, ${inMerges} of them in the middle of a merge: ${worst.toFixed(1)} s at most until every device was acknowledged again`;
  return { promise: "The server recovers without intervention within a minute", counted, isKept: worst < 60 };
};

const work = ({ fleet }: Trial, seconds: number): Finding => {
  const acknowledged = fleet.acknowledged();
  return {
    promise: "Every message sent is eventually acknowledged",
    counted: `${count(acknowledged, "messages")} in ${seconds.toFixed(0)} s, including kills and restarts`,
    isKept: fleet.members.every(({ device }) => device.acknowledged() === device.sent()),
  };
};

const run = async (scale: number): Promise<Finding[]> => {
  const mail = await startMailServer();
  const server = await startServer({ demo: false, env: { MAIL_URL: mail.url } });
  try {
    const client = await createOwner(server);
    const mailed = await startMailedDevice([server], client, mail);
    const began = performance.now();
    const trial: Trial = { server, fleet: await startFleet(server, client, [mailed]), gaps: [], inMerges: 0 };
    await repeat(trial, scaled(50, scale), () => killServer(trial));
    await repeat(trial, scaled(50, scale), () => killPostgres(trial));
    await repeat(trial, scaled(10, scale), () => killBoth(trial));
    await trial.fleet.finish();
    const seconds = (performance.now() - began) / 1000;
    const mails = await inDatabase(server.dataDir, (database) => mailFindings(database, mailed, mail));
    return [work(trial, seconds), ...(await verdict(server, trial.fleet)), ...mails, recovery(trial)];
  } finally {
    await server.stop();
    await mail.stop();
  }
};

export const kills: Scenario = {
  title: "kill -9",
  does: "Full load: three devices over MQTT, one over MQTT without timestamps and two over HTTP, each sending as fast as its messages are acknowledged. The server is killed 50 times, PostgreSQL 50 times and both together 10 times, half of these times at a random moment and half in the middle of a merge. Devices resend what was not acknowledged; one of them raises alerts that are mailed.",
  run,
};
